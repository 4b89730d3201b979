"""Every way in (REST, command line) and the only place that wires things up."""
