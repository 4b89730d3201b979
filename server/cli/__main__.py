"""`python -m server.cli`."""

from server.cli.main import main

main()
