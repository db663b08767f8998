"""`eda serve`: sessions as pages, live, in a browser on this machine; `eda mcp` and `--tools`, by MCP; `--otel`."""
