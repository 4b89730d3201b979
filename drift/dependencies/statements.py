"""Read the import statements of a file, by language; nothing is resolved here."""

import re
from collections.abc import Callable, Iterator
from posixpath import splitext
from typing import NamedTuple

from drift.dependencies.blanking import FILL, Blanked, blank


class Import(NamedTuple):
    """One imported thing: the module as written, the `name` taken from it (`*` for all), and the line.

    `for_types` says that nothing of it is there when the program runs.
    """

    module: str
    name: str
    line: int
    for_types: bool = False


class Statements(NamedTuple):
    """What a file imports, and the `package` that it declares itself part of."""

    imports: tuple[Import, ...] = ()
    package: str = ""


_LANGUAGES = {
    suffix: language
    for language, suffixes in {
        "python": ".py",
        "script": ".ts .tsx .mts .cts .js .jsx .mjs .cjs .vue .svelte",
        "go": ".go",
        "jvm": ".java .kt",
    }.items()
    for suffix in suffixes.split()
}
_KEYWORDS = ("import", "from", "require", "package")
_LONGEST_STATEMENT = 8_000
_WORD = r"[^\W\d]\w*"
_PYTHON_FROM = re.compile(
    rf"(?:^|(?<=[;:]))[ \t]*from[ \t]+(\.+(?:[ \t]*{_WORD}(?:\.{_WORD})*)?|{_WORD}(?:\.{_WORD})*)"
    r"[ \t]*\bimport\b[ \t]*(\([^)]*\)|(?:[^\n;\\]|\\\r?\n)*)",
    re.MULTILINE,
)
_PYTHON_IMPORT = re.compile(r"(?:^|(?<=[;:]))[ \t]*import[ \t]+((?:[^\n;\\]|\\\r?\n)*)", re.MULTILINE)
_PYTHON_TYPES = re.compile(
    r"^([ \t]*)if[ \t]+(?:\w+\.)?TYPE_CHECKING[ \t]*:[^\n]*\n(?:\1[ \t]+[^\n]*\n|[ \t\r]*\n)*", re.MULTILINE
)
_QUOTED = rf"([\"'])({FILL}+)[\"']"
_SCRIPT_FROM = re.compile(
    rf"(?<![\w.$])(?:import|export)\b(\s*type\b(?!\s*(?:,|from\b)))?([\w$*\s{{}},]*?)\bfrom\s*{_QUOTED}"
)
_SCRIPT_PLAIN = re.compile(rf"(?<![\w.$])import\s*{_QUOTED}")
_SCRIPT_CALL = re.compile(rf"(?<![\w$.])(?:import|require(?:\.resolve)?)\s*\(\s*{_QUOTED}\s*[,)]")
_SCRIPT_BLOCK = re.compile(r"<script\b[^>]*>(.*?)</script>", re.DOTALL | re.IGNORECASE)
_GO_IMPORT = re.compile(r"^import\b[ \t]*(?:\(([^)]*)\)|([^\n]*))", re.MULTILINE)
_GO_QUOTED = re.compile(rf"[\"`]({FILL}+)[\"`]")
_JVM_PACKAGE = re.compile(r"^[ \t]*package[ \t]+([\w.`]+)", re.MULTILINE)
_JVM_IMPORT = re.compile(r"^[ \t]*import[ \t]+(?:static[ \t]+)?([\w`]+(?:\.[\w`]+)*(?:\.\*)?)", re.MULTILINE)


def language_of(path: str) -> str:
    """Return the language whose imports are read in the file; empty when there is none."""
    return _LANGUAGES.get(splitext(path)[1].lower(), "")


def read_statements(path: str, text: str) -> Statements:
    """Return what the file says at every place in it: in functions and branches too, never in texts and comments."""
    language = language_of(path)
    if not language:
        return Statements()
    if path.lower().endswith((".vue", ".svelte")):
        text = _script_alone(text)
    blanked = blank(_up_to_last_import(text, language), language)
    package = _JVM_PACKAGE.search(blanked.code) if language == "jvm" else None
    return Statements(tuple(_READERS[language](blanked)), package[1].replace("`", "") if package else "")


def _up_to_last_import(text: str, language: str) -> str:
    """Return the text without what comes long after the last word that may import: most of a file, mostly."""
    if language == "python":  # the open end of a text of several lines would not be known for one
        return text
    last = max((text.rfind(word) for word in _KEYWORDS), default=-1)
    return text[: last + _LONGEST_STATEMENT] if last >= 0 else ""


def _python(blanked: Blanked) -> Iterator[Import]:
    code = f"{blanked.code}\n"
    for_types = [match.span() for match in _PYTHON_TYPES.finditer(code)]

    def is_for_types(at: int) -> bool:
        return any(start <= at < end for start, end in for_types)

    for match in _PYTHON_FROM.finditer(code):
        line = blanked.line(match.start(1))
        for name in match[2].strip("() \t\r\n").replace("\\", " ").split(","):
            if words := name.split():
                yield Import(re.sub(r"\s", "", match[1]), words[0], line, is_for_types(match.start(1)))
    for match in _PYTHON_IMPORT.finditer(code):
        line = blanked.line(match.start(1))
        for name in match[1].replace("\\", " ").split(","):
            if words := name.split():
                yield Import(words[0], "", line, is_for_types(match.start(1)))


def _script(blanked: Blanked) -> Iterator[Import]:
    for match in _SCRIPT_FROM.finditer(blanked.code):
        for_types = bool(match[1]) or _names_types_alone(match[2])
        yield Import(_written(blanked, match, 4), "", blanked.line(match.start()), for_types)
    for pattern in (_SCRIPT_PLAIN, _SCRIPT_CALL):
        for match in pattern.finditer(blanked.code):
            yield Import(_written(blanked, match, 2), "", blanked.line(match.start()))


def _names_types_alone(clause: str) -> bool:
    before, brace, names = clause.partition("{")
    named = [name.split() for name in names.rstrip().rstrip("}").split(",") if name.strip()]
    return bool(brace) and not before.strip() and bool(named) and all(words[0] == "type" for words in named)


def _script_alone(text: str) -> str:
    """Return the scripts of a component's file, everything else as white space."""
    kept = list(re.sub(r"[^\n]", " ", text))
    for match in _SCRIPT_BLOCK.finditer(text):
        kept[match.start(1) : match.end(1)] = match[1]
    return "".join(kept)


def _go(blanked: Blanked) -> Iterator[Import]:
    for match in _GO_IMPORT.finditer(blanked.code):
        group = 1 if match[1] is not None else 2
        for quoted in _GO_QUOTED.finditer(match[group]):
            at = match.start(group) + quoted.start(1)
            yield Import(blanked.text[at : at + len(quoted[1])], "", blanked.line(at))


def _jvm(blanked: Blanked) -> Iterator[Import]:
    for match in _JVM_IMPORT.finditer(blanked.code):
        name = match[1].replace("`", "")
        yield Import(name.removesuffix(".*"), "*" if name.endswith(".*") else "", blanked.line(match.start(1)))


def _written(blanked: Blanked, match: re.Match[str], group: int) -> str:
    return blanked.text[match.start(group) : match.end(group)]


_READERS: dict[str, Callable[[Blanked], Iterator[Import]]] = {
    "python": _python,
    "script": _script,
    "go": _go,
    "jvm": _jvm,
}
