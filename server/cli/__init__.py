"""The command line: thin commands over the façade."""
