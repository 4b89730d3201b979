"""What white space, line breaks, commas and quotes mean in each language that has a lexer."""

from dataclasses import dataclass
from enum import Enum


class Breaks(Enum):
    """What a line break means outside of brackets."""

    NOTHING = "no more than a space"
    ENDS = "it may end a statement"
    BLOCKS = "it ends a statement, and deeper indentation opens a block"
    EXACT = "each line's indentation counts as it is"


@dataclass(frozen=True, slots=True)
class Layout:
    """What a language makes of what stands between its tokens.

    `joins` are the brackets inside which a line break means nothing; `trailing` those before whose end a comma may
    mean nothing. `spaces`: white space between tokens tells. `continues`: a line that starts or ends with an operator
    goes on. `quotes`: both kinds mean the same. `preprocessor`: its lines end with the line.
    """

    breaks: Breaks = Breaks.NOTHING
    joins: str = "(["
    trailing: str = ""
    spaces: bool = False
    continues: bool = True
    quotes: bool = False
    preprocessor: bool = False


_C = Layout(trailing="{", preprocessor=True)
_CURLY = Layout(trailing="([{")
_SCRIPT = Layout(Breaks.ENDS, trailing="([{", quotes=True)
_STATEMENTS = Layout(Breaks.ENDS, trailing="([{")
_PYTHON = Layout(Breaks.BLOCKS, joins="([{", trailing="([{", continues=False, quotes=True)
_WORDS = Layout(Breaks.ENDS, joins="", spaces=True, continues=False)
_COLUMNS = Layout(Breaks.EXACT, joins="", spaces=True, continues=False)
_MARKUP = Layout(spaces=True, joins="")
_STYLES = Layout(spaces=True, joins="", quotes=True)

JSX = frozenset({"jsx", "tsx"})
SCRIPTS = frozenset({"javascript", "typescript", "vue"}) | JSX
MARKUP = frozenset({"html", "vue", "xml"})
STYLES = frozenset({"css", "scss", "less"})
PYTHON = frozenset({"python", "cython"})

_LAYOUTS = {
    **dict.fromkeys(("c", "cpp", "objective-c", "objective-c++", "csharp"), _C),
    **dict.fromkeys(("java", "rust", "php", "dart", "zig", "solidity", "protobuf", "graphql", "lua"), _CURLY),
    **dict.fromkeys(("sql", "json"), Layout()),
    **dict.fromkeys(("javascript", "typescript", "jsx", "tsx"), _SCRIPT),
    **dict.fromkeys(("go", "kotlin", "groovy", "r"), _STATEMENTS),
    "swift": Layout(Breaks.ENDS, trailing="([{", preprocessor=True),
    "terraform": Layout(Breaks.ENDS, trailing="[("),
    "toml": Layout(Breaks.ENDS, joins="[", trailing="[", continues=False),
    "scala": Layout(Breaks.BLOCKS),
    **dict.fromkeys(PYTHON, _PYTHON),
    "yaml": Layout(Breaks.BLOCKS, joins="[{", spaces=True, continues=False, quotes=True),
    **dict.fromkeys(("bash", "docker", "ruby", "elixir", "powershell", "julia", "vbnet"), _WORDS),
    **dict.fromkeys(("haskell", "fsharp", "elm", "make"), _COLUMNS),
    **dict.fromkeys(("html", "xml", "vue", "erlang", "cmake"), _MARKUP),
    **dict.fromkeys(STYLES, _STYLES),
}


def layout_of(lexer: str) -> Layout | None:
    """Return the layout of the language that a lexer reads; None for one of which it is not known."""
    return _LAYOUTS.get(lexer)
