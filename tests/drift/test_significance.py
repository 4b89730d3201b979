"""What white space means, file by file."""

import pytest

from drift import DriftPolicy
from drift.changes import Change
from drift.significance import Significance, shape_of

POLICY = DriftPolicy()


def differs(path: str, old: bytes, new: bytes) -> bool:
    significance = Significance(lambda blob: {"old": old, "new": new}[blob], POLICY)
    return significance.differs(Change(path, path, "old", "new"))


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.js", b"if (x) {\n  go();\n}\n", b"if (x) {\n\tgo();\n\n}   \n\n"),
        ("a.ts", b"let x = 1;\n", b"let  x\t=   1;\n"),
        ("a.go", b"a()\nb()\n", b"a()\r\nb()\r\n"),
        ("a.cs", b"a();\n", b"\xef\xbb\xbfa();"),
        ("a.rs", b"fn f<'a>() {}\n  x\n", b"fn f<'a>() {}\nx\n"),
        ("a.py", b"def f():\n    return 1\n", b"def f():   \r\n\r\n    return 1"),
        ("a.yaml", b"a:\n  b: 1\n", b"a:  \r\n  b: 1\r\n"),
        ("Makefile", b"all:\n\techo\n", b"all:\n\techo  \n"),
        ("a.unknown", b"one\n", b"one\r\n"),
    ],
)
def test_white_space_that_means_nothing(path: str, old: bytes, new: bytes) -> None:
    assert not differs(path, old, new)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.js", b"say('a  b');\n", b"say('a b');\n"),
        ("a.js", b'say("a\\"  b");\n', b'say("a\\" b");\n'),
        ("a.js", b"x = `a\n  b`;\n", b"x = `a\n b`;\n"),
        ("a.js", b"x = `a\n\nb`;\n", b"x = `a\nb`;\n"),
        ("a.js", b"// it's `here\nx = `a\n  b`;\n", b"// it's `here\nx = `a\n b`;\n"),
        ("a.js", b"// off();\n", b"//\noff();\n"),
        ("a.java", b'x = """\n  a\n""";\n', b'x = """\n    a\n""";\n'),
        ("a.py", b"if a:\n    b()\nc()\n", b"if a:\n    b()\n    c()\n"),
        ("a.py", b'x = """\na\n\nb"""\n', b'x = """\na\nb"""\n'),
        ("a.yaml", b"a:\n  b: 1\n", b"a:\nb: 1\n"),
        ("a.md", b"one\ntwo\n", b"one\n\ntwo\n"),
        ("Makefile", b"all:\n\techo\n", b"all:\n        echo\n"),
        ("a.nim", b"if a:\n  b\n", b"if a:\nb\n"),
        ("a.pug", b"a\n  b\n", b"a\nb\n"),
        ("run.sh", b"cat <<X\n  a\nX\n", b"cat <<X\na\nX\n"),
        ("a.js", b"\0a  b", b"\0a b"),
        ("a.js", b"ab();\n", b"a b();\n"),
    ],
)
def test_white_space_that_counts(path: str, old: bytes, new: bytes) -> None:
    assert differs(path, old, new)


def test_white_space_after_a_long_string_is_free_again() -> None:
    assert not differs("a.js", b"x = `a\nb`;\n  go();\n", b"x = `a\nb`;\ngo();\n")
    assert not differs("a.js", b"x = `a \\` b`;\n  go();\n", b"x = `a \\` b`;\ngo();\n")


def test_content_that_is_not_here_is_taken_to_differ() -> None:
    significance = Significance(lambda blob: b"x" if blob == "new" else None, POLICY)
    assert significance.differs(Change("a.js", "a.js", "old", "new"))


def test_a_pure_rename_does_not_matter() -> None:
    assert not Significance(lambda _: None, POLICY).differs(Change("a.js", "b.js", "same", "same"))


def test_names_without_a_known_suffix_keep_all_their_layout() -> None:
    assert shape_of("Dockerfile", POLICY) is shape_of("x/a.YML", POLICY)
    assert shape_of("a.JS", POLICY) is shape_of("b.java", POLICY)
    assert len({shape_of(path, POLICY) for path in ("a.js", "a.py", "a.yml")}) == 3
