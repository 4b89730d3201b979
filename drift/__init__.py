"""The documented model held against the repository: reads git, never writes the graph."""
