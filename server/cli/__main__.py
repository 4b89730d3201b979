"""`python -m server.cli`."""

from server.cli.start import main

main()
