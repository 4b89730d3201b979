"""What keeps a settings file from being edited, and where it stands."""


class Refused(ValueError):
    """The file is malformed, or holds something else where our entry belongs; `line` counts from 1."""

    def __init__(self, what: str, line: int) -> None:
        super().__init__(what)
        self.what = what
        self.line = line
