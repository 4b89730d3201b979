"""REST: sync routes over the façade, problem+json for every error."""
