"""MCP: tools, resources and prompts over the façade, by standard input and output or by HTTP."""
