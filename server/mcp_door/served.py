"""MCP by streamable HTTP, as a part of another application, which runs its lifespan."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager

from server.mcp_door.seats import Seats
from server.mcp_door.speaking import speaker


class Served:
    """The application that answers at one address; it works while `running`."""

    def __init__(self, seats: Seats, tools: Sequence[str]) -> None:
        # Whose page or name a request comes from is checked by the application around it.
        self._manager = StreamableHTTPSessionManager(app=speaker(seats, tools), json_response=True)
        self.application = StreamableHTTPASGIApp(self._manager)

    def running(self) -> AbstractAsyncContextManager[None]:
        """Serve, once."""
        return self._manager.run()
