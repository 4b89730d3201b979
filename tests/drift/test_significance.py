"""What counts as a change, language by language."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drift.changes import Change
from drift.significance import Significance, same_meaning

COMMENTS = {
    "a.py": ('x = f("# a")\n', '# why\nx = f("# a")  # so\n'),
    "a.ts": ("const x = f('// a');\n", "// why\nconst x = f('// a'); /* so */\n"),
    "a.tsx": (
        "const A = () => (\n  <p>don't</p>\n);\n",
        "// it's\nconst A = () => (\n  // why\n  <p>{/* so */}don't</p>\n);\n",
    ),
    "a.go": ('var s = "// a"\n', '// Why.\nvar s = "// a" // so\n'),
    "A.java": ("class A { int a; }\n", "/** Why. */\nclass A { int a; /* so */ }\n"),
    "A.kt": ("val a = 1\nval b = 2\n", "// why\nval a = 1 // so\n/* and */\nval b = 2\n"),
    "A.cs": ("class A { int a; }\n", "/// <summary>Why</summary>\n#region A\nclass A { int a; }\n#endregion\n"),
    "a.rs": ("fn f() { g(); }\n", "/// Why.\nfn f() { g(); /* so /* and */ */ }\n"),
    "a.c": ("#define A 1\nint a;\n", "/* why */\n#define A 1 // so\nint a; // and\n"),
    "a.cpp": ("int a;\n", "// why\nint a;\n"),
    "a.rb": ('x = "# a"\ny\n', '# why\nx = "# a" # so\n=begin\nand\n=end\ny\n'),
    "a.php": ("<?php\n$a = 1;\n", "<?php\n/** @var int */\n// why\n# so\n$a = 1;\n"),
    "a.swift": ("let a = 1\nlet b = 2\n", "/// Why.\nlet a = 1 // so\nlet b = 2\n"),
    "a.scala": ("val a = 1\nval b = 2\n", "/** Why */\nval a = 1 // so\nval b = 2\n"),
    "a.yaml": ("a:\n  - b: 1\n", "# why\na: # so\n    # and\n  - b: 1\n"),
    "a.toml": ('[a]\nb = "# c"\n', '# why\n[a] # so\nb = "# c" # and\n'),
    "a.json": ('{"a": 1}\n', '// why\n{"a": /* so */ 1}\n'),
    "a.sql": ("select '-- a' from b;\n", "-- why\nselect '-- a' /* so */ from b; -- and\n"),
    "a.html": ("<p>a</p>\n<script>f()</script>\n", "<!-- why --><p>a</p>\n<script>// so\nf()</script>\n"),
    "a.css": ("a { b: c; }\n", "/* why */\na { b: c; /* so */ }\n"),
    "a.sh": ("#!/bin/sh\necho '# a' ${b#c}\n", "#!/bin/sh\n# why\necho '# a' ${b#c} # so\n"),
    "Dockerfile": ("FROM a\nRUN b && \\\n  c\n", "# why\nFROM a\nRUN b && \\\n# so\n  c\n"),
    "a.tf": ('a = "# b"\n', '# why\na = "# b" // so\n/* and */\n'),
    "a.vue": (
        "<template><p>a</p></template>\n<script>\nlet a = 1\n</script>\n",
        "<!-- why --><template><p>a</p></template>\n<script>\n// so\nlet a = 1 /* and */\n</script>\n",
    ),
    "Makefile": ("all:\n\techo a\n", "# why\nall:\n\techo a # so\n"),
    "setup.cfg": ("[a]\nb = c#d\n", "# why\n[a]\n; so\nb = c#d\n"),
}
LAYOUT = {
    "a.py": (
        "def f(a,b):\n  if a:\n    g(a,b)\n  return h('x')\n",
        'def f(\n    a,\n    b,\n):\n    if a:\n\n        g(a, b)\n    return h("x")\n',
    ),
    "a.ts": ("if (a) { f(a,b); }\nelse g('x')\n", 'if (a)\n{\n  f(\n    a,\n    b,\n  );\n} else\n  g("x")\n'),
    "a.tsx": ("const a = (<p b='c'>d</p>);\n", 'const a = (\n  <p b="c">d</p>\n);\n'),
    "a.go": ("type A struct {\n a int\n bb int\n}\n", "type A struct {\n\ta  int\n\tbb int\n}\n\n"),
    "A.java": (
        "class A{int f(){return a.b().c();}}\n",
        "class A {\n  int f() {\n    return a.b()\n        .c();\n  }\n}\n",
    ),
    "A.kt": ("val a = b.c().d(1,2)\n", "val a =\n    b.c()\n        .d(\n            1,\n            2,\n        )\n"),
    "A.cs": ("class A{int a=1;}\n", "class A\n{\n    int a = 1;\n}\n"),
    "a.rs": ("fn f(a:u8,b:u8){g(a)}\n", "fn f(\n    a: u8,\n    b: u8,\n) {\n    g(a)\n}\n"),
    "a.c": ("#define  A   1\nint f(int a){return a;}\n", "#define A 1\nint\nf (int a)\n{\n\treturn a;\n}\n"),
    "a.cpp": ("class A{int a;};\n", "class A\n{\n  int a;\n};\n"),
    "a.rb": ("def f\n a\nend\n", "def f\n    a\n\nend\n"),
    "a.php": ("<?php\nif($a){b(1,2);}\n", "<?php\nif ($a) {\n    b(\n        1,\n        2,\n    );\n}\n"),
    "a.swift": ("let a=[1,2]\nf(a)\n", "let a = [\n  1,\n  2,\n]\n\nf(a)\n"),
    "a.scala": ("class A {\n def f(a: Int) = a\n}\n", "class A {\n\n    def f(a:  Int) =  a\n}\n"),
    "a.yaml": ("a:\n  b: 'c'\n  d:\n  - e: 1\n    f: 2\n", 'a:\n    b: "c"\n\n    d:\n    -   e: 1\n        f: 2\n'),
    "a.toml": ("a=[1,2]\n[b]\nc=1\n", "a = [\n  1,\n  2,\n]\n\n[b]\n  c = 1\n"),
    "a.json": ('{"a":[1,2]}', '{\n  "a": [\n    1,\n    2\n  ]\n}\n'),
    "a.sql": ("select a,b from c where d=1;\n", "select\n  a,\n  b\nfrom c\nwhere d = 1;\n"),
    "a.html": ('<div>\n<p a="b" c="d">e f</p>\n</div>\n', '<div>\n  <p\n    a="b"\n    c="d"\n  >e\n  f</p>\n</div>\n'),
    "a.css": ("a>b,c{d:e;f:g}\n", "a > b,\nc {\n  d: e;\n  f: g\n}\n"),
    "a.sh": ("if a; then\nb  c\nfi\n", "if a; then\n\n    b c\nfi\n"),
    "Dockerfile": ("FROM  a\nRUN b && \\\n c\n", "FROM a\n\nRUN b && \\\n    c\n"),
    "a.tf": ('a "b" {\nc = 1\ndd = 2\n}\n', 'a "b" {\n  c  = 1\n  dd = 2\n}\n'),
    "a.vue": (
        "<template>\n<p>a</p>\n</template>\n<script>\nlet a=1\n</script>\n",
        "<template>\n  <p>a</p>\n</template>\n<script>\n  let a = 1\n</script>\n",
    ),
}


def differs(path: str, old: str | bytes, new: str | bytes) -> bool:
    old, new = (each.encode() if isinstance(each, str) else each for each in (old, new))
    one, other = (not same_meaning(path, *pair) for pair in ((old, new), (new, old)))
    assert one is other, "the order of two versions does not matter"
    return one


@pytest.mark.parametrize("path", COMMENTS)
def test_comment_only(path: str) -> None:
    assert not differs(path, *COMMENTS[path])


@pytest.mark.parametrize("path", LAYOUT)
def test_format_only(path: str) -> None:
    assert not differs(path, *LAYOUT[path])


@pytest.mark.parametrize("path", [*COMMENTS, *LAYOUT])
def test_crlf_only(path: str) -> None:
    text = (COMMENTS | LAYOUT)[path][1]
    assert not differs(path, text, b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())


@pytest.mark.parametrize("path", COMMENTS)
def test_every_word_outside_of_comments_counts(path: str) -> None:
    """Cut any one word out of a file: unless it is out of a comment, that is a change."""
    text = COMMENTS[path][0]
    for at, sign in enumerate(text):
        if sign.isalnum():
            assert differs(path, text, f"{text[:at]}Z{text[at + 1 :]}"), (at, sign)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        # strings
        ("a.js", "say('a  b');\n", "say('a b');\n"),
        ("a.js", "x = `a\n  b`;\n", "x = `a\n b`;\n"),
        ("a.js", "x = `a // b`;\n", "x = `a // c`;\n"),
        ("a.js", "// it's `here\nx = `a\n  b`;\n", "// it's `here\nx = `a\n b`;\n"),
        ("a.java", 'x = """\n  a\n""";\n', 'x = """\n    a\n""";\n'),
        ("a.py", 'x = f(\n    """\n    a\n    """,\n)\n', 'x = f(\n    """\n    b\n    """,\n)\n'),
        ("a.py", 'x = """\na\n\nb"""\n', 'x = """\na\nb"""\n'),
        ("a.py", 'x = "it\'s"\n', 'x = "its"\n'),
        ("a.py", "x = 'a'\n", "x = b'a'\n"),
        ("a.c", '#define URL "http://a"\n', '#define URL "http://b"\n'),
        ("a.tsx", "<p>don't <a href='http://x'>y</a></p>\n", "<p>don't <a href='http://z'>y</a></p>\n"),
        ("a.tsx", "<p>see http://x.org</p>\n", "<p>see http://y.org</p>\n"),
        ("a.sh", "cat <<X\n  a\nX\n", "cat <<X\na\nX\n"),
        ("a.sh", "cat <<END\nBACKEND\n# a\nEND\n", "cat <<END\nBACKEND\n# b\nEND\n"),
        ("a.scss", "a { b: url(//c/d) }\n", "a { b: url(//c/e) }\n"),
        ("a.ini", "a = b#c\n", "a = b#d\n"),
        # indentation
        ("a.py", "if a:\n    b()\nc()\n", "if a:\n    b()\n    c()\n"),
        ("a.py", "if a:\n    if b:\n        c()\n    d()\n", "if a:\n    if b:\n        c()\n        d()\n"),
        ("a.yaml", "a:\n  b: 1\n", "a:\nb: 1\n"),
        ("a.yaml", "- a:\n  b: 1\n", "- a:\n    b: 1\n"),
        ("a.yaml", "- - a\n  - b\n", "- - a\n- b\n"),
        ("a.yaml", "a: |\n  x\n   y\n", "a: |\n  x\n    y\n"),
        ("a.yaml", "a: |\n  x\n\n  y\n", "a: |\n  x\n  y\n"),
        ("a.yaml", "a: |\n  # x\n", "a: |\n  # y\n"),
        ("a.yaml", "a: b  c\n", "a: b c\n"),
        ("a.yaml", "a: b #c\n", "a: b#c\n"),
        ("a.scala", "def f =\n  a\n  b\n", "def f =\n  a\nb\n"),
        ("a.hs", "f = do\n  a\n  b\n", "f = do\n  a\n    b\n"),
        ("Makefile", "all:\n\techo\n", "all:\n        echo\n"),
        # preprocessor, directives, hashbangs
        ("a.c", "#define A 1\n", "#define A 2\n"),
        ("a.c", "#define A(x) x\n", "#define A (x) x\n"),
        ("a.c", "#define A\nint b;\n", "#define A int b;\n"),
        ("a.c", "#include <a.h>\n", "#include <b.h>\n"),
        ("a.c", "#pragma once\nint a;\n", "int a;\n"),
        ("a.go", "//go:build linux\n\npackage a\n", "//go:build darwin\n\npackage a\n"),
        ("a.go", "// +build linux\n\npackage a\n", "package a\n"),
        ("a.go", "//go:embed a.txt\nvar a string\n", "//go:embed b.txt\nvar a string\n"),
        ("a.go", '/*\n#include <a.h>\n*/\nimport "C"\n', '/*\n#include <b.h>\n*/\nimport "C"\n'),
        ("a.py", "x = []  # type: list[int]\n", "x = []\n"),
        ("a.py", "# -*- coding: latin-1 -*-\nx = 1\n", "# -*- coding: utf-8 -*-\nx = 1\n"),
        (
            "a.py",
            '# /// script\n# dependencies = ["a"]\n# ///\nx\n',
            '# /// script\n# dependencies = ["b"]\n# ///\nx\n',
        ),
        ("a.ts", "// @ts-ignore\na()\n", "a()\n"),
        ("a.ts", '/// <reference types="a" />\na()\n', '/// <reference types="b" />\na()\n'),
        ("a.js", "import(/* webpackChunkName: 'a' */ './a')\n", "import(/* webpackChunkName: 'b' */ './a')\n"),
        ("a.html", "<!--[if IE]>a<![endif]-->\n", "<!--[if IE]>b<![endif]-->\n"),
        ("a.rb", "# frozen_string_literal: true\na\n", "# frozen_string_literal: false\na\n"),
        ("a.sql", "select /*+ a */ b from c;\n", "select /*+ d */ b from c;\n"),
        ("a.sql", "-- name: A :one\nselect 1;\n", "-- name: A :many\nselect 1;\n"),
        ("a.php", '<?php\n/** @ORM\\Column(name="a") */\n$a;\n', '<?php\n/** @ORM\\Column(name="b") */\n$a;\n'),
        ("a.php", "<?php\n#[A(1)]\nclass B {}\n", "<?php\n#[A(2)]\nclass B {}\n"),
        ("a.rs", "#[cfg(a)]\nfn f() {}\n", "#[cfg(b)]\nfn f() {}\n"),
        ("Dockerfile", "# syntax=a\nFROM b\n", "# syntax=c\nFROM b\n"),
        ("tool", "#!/bin/sh\na\n", "#!/bin/bash\na\n"),
        ("a.yml", "#cloud-config\na: b\n", "a: b\n"),
        # line breaks that end statements
        ("a.js", "return\na\n", "return a\n"),
        ("a.js", "a\n++b\n", "a++\nb\n"),
        ("a.js", "a;\n(b)\n", "a\n(b)\n"),
        ("a.js", "f(function () {\n  return\n  a\n})\n", "f(function () {\n  return a\n})\n"),
        ("a.vue", "<script>\nreturn\na\n</script>\n", "<script>\nreturn a\n</script>\n"),
        ("a.kt", "val a = b\n-c\n", "val a = b -c\n"),
        ("a.rb", "return\na\n", "return a\n"),
        ("a.sh", "a\nb\n", "a b\n"),
        ("a.py", "a\n(b)\n", "a(b)\n"),
        ("a.go", "return\na\n", "return a\n"),
        # commas, spaces, order
        ("a.py", "a = (b,)\n", "a = (b)\n"),
        ("a.py", "a = c[b,]\n", "a = c[b]\n"),
        ("a.js", "[, a]\n", "[a]\n"),
        ("a.js", "[a,,]\n", "[a,]\n"),
        ("a.js", "ab();\n", "a b();\n"),
        ("a.js", "a + +b\n", "a ++ b\n"),
        ("a.css", "a .b {}\n", "a.b {}\n"),
        ("a.css", "a :hover {}\n", "a:hover {}\n"),
        ("a.sh", "a $b$c\n", "a $b $c\n"),
        ("a.html", "<pre>a  b</pre>\n", "<pre>a b</pre>\n"),
        ("a.html", "<b>a</b> <i>b</i>\n", "<b>a</b><i>b</i>\n"),
        # no lexer
        ("a.md", "one\ntwo\n", "one\n\ntwo\n"),
        ("a.unknown", "# one\n", "# two\n"),
        ("a.js", b"\0a  b", b"\0a b"),
    ],
)
def test_what_counts(path: str, old: str | bytes, new: str | bytes) -> None:
    assert differs(path, old, new)


@pytest.mark.parametrize(
    ("path", "old", "new"),
    [
        ("a.py", 'def f():\n    """A."""\n    return 1\n', 'def f():\n    """B.\n\n    More.\n    """\n    return 1\n'),
        ("a.py", "def f():\n    return 1\n", 'def f():\n    "A."\n    return 1\n'),
        ("a.py", "import a\n", '"""A."""\n\nimport a\n'),
        ("a.py", "a = 1\nb = 2\n", 'a = 1\n"""A."""\nb = 2\n'),
        ("a.py", "from a import b, c\n", "from a import (\n    b,\n    c,\n)\n"),
        ("a.py", "f(a)\n", "f(\n    a,\n)\n"),
        ("a.py", "# noqa\nx = 1\n", "x = 1  # pragma: no cover\n"),
        ("a.py", "x = y  # type: ignore[assignment]\n", "x = y\n"),
        ("a.py", "# mypy: disable-error-code=attr-defined\nx = y\n", "x = y  # pyright: ignore\n"),
        ("a.js", "a.b().c()\n", "a\n  .b()\n  .c()\n"),
        ("a.js", "const a = { b, c };\n", "const a = {\n  b,\n  c,\n};\n"),
        ("a.js", "a; b;\n", "a;\nb;\n"),
        ("a.ts", "// eslint-disable-next-line\na()\n", "a()\n"),
        ("a.js", "x = `a\nb`;\n  go();\n", "x = `a\nb`;\ngo();\n"),
        ("a.h", "#ifdef A\n#endif\n", "#ifdef A // b\n\n#endif /* A */\n"),
        ("a.unknown", "one\n", "one\r\n"),
        ("a.cs", "a();\n", "\ufeffa();"),
        ("a.sql", "select 1;\n", "select 1;\n".encode("utf-16")),
    ],
)
def test_what_does_not_count(path: str, old: str | bytes, new: str | bytes) -> None:
    assert not differs(path, old, new)


@given(
    st.sampled_from([*COMMENTS, "a.hs", "a.ini", "a.md", "a.ex", "a.xml"]),
    st.binary(max_size=400),
    st.binary(max_size=400),
)
@settings(deadline=None)
def test_any_bytes_can_be_compared(path: str, one: bytes, other: bytes) -> None:
    assert not differs(path, one, one)
    differs(path, one, other)


@given(
    st.sampled_from([*COMMENTS, "a.hs", "a.ini", "a.md"]),
    st.text(st.characters(exclude_characters="\r\0", exclude_categories=["Cs"]), max_size=300),
)
@settings(deadline=None)
def test_a_file_never_differs_from_itself_with_other_line_ends(path: str, text: str) -> None:
    assert not differs(path, text, text.replace("\n", "\r\n"))


def test_content_that_is_not_here_is_taken_to_differ() -> None:
    significance = Significance(lambda blob: b"x" if blob == "new" else None)
    assert significance.differs(Change("a.js", "a.js", "old", "new"))


def test_a_pure_rename_does_not_matter() -> None:
    assert not Significance(lambda _: None).differs(Change("a.js", "b.js", "same", "same"))


def test_a_file_that_is_too_long_for_a_lexer_compares_line_by_line() -> None:
    long = "a();\n" * 250_000
    assert not differs("a.js", long, long.replace("\n", "\r\n"))
    assert differs("a.js", long, f"{long}// b\n")
