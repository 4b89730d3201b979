"""Claims of memories against real repositories: intact, changed, gone, and never more said than can be told."""

from collections.abc import Mapping

import pytest

from drift import Repository, check_claims
from graph.claims import AskedClaim, Claim, parse_claim
from graph.drift_report import ClaimFinding
from graph.memories import Evidence
from tests.drift.conftest import Checkout, day

Files = Mapping[str, str | bytes]


@pytest.fixture
def checkout(empty: Checkout) -> Checkout:
    return empty


def ask(checkout: Checkout, claim: str | Claim, *details: str, commit: str = "", on: int = 1) -> ClaimFinding:
    parsed = claim if isinstance(claim, Claim) else parse_claim(claim)
    asked = AskedClaim(
        memory="m", claim=parsed, elements=("Shop.Api",), commit=commit, details=details, confirmed_at=day(on)
    )
    with Repository.open(checkout.root) as repository:
        return check_claims(repository, [asked], sources={"Shop.Api": ("src/**",)})[0]


def told(checkout: Checkout, claim: str | Claim, *details: str, commit: str = "", on: int = 1) -> Evidence:
    return ask(checkout, claim, *details, commit=commit, on=on).evidence


def between(checkout: Checkout, before: Files, after: Files, *removed: str) -> None:
    checkout.commit(before)
    for path in removed:
        (checkout.root / path).unlink()
    checkout.commit(after)


PYTHON = '''"""Money."""
import os

MAX_HEADER = 8192
RATE: float = 0.2
NAME = "shop"
OPTIONS = {"retries": 3}


class Checkout(Base):
    """Adds up."""

    limit = 10

    def __init__(self):
        self.currency = "EUR"

    @cached
    def total(self, lines, timeout=30):
        """Return the sum."""
        # half up
        return sum(line.price for line in lines)


def fetch(url):
    for attempt in range(3):
        get(url, retries=attempt)
'''


@pytest.mark.parametrize(
    "claim",
    [
        "src/a.py",
        "src",
        "src/a.py::Checkout",
        "src/a.py::Checkout.total",
        "src/a.py::Checkout.total()",
        "src/a.py::total",
        "src/a.py::Checkout.currency",
        "src/a.py::a.fetch",
        "src/a.py::MAX_HEADER=8_192",
        "src/a.py::MAX_HEADER=0x2000",
        "src/a.py::NAME='shop'",
        "src/a.py::NAME=shop",
        "src/a.py::RATE=0.20",
        "src/a.py::Checkout.limit=10",
        "src/a.py::timeout=30",
        "src/a.py::retries=3",
        "a.py::fetch",
    ],
)
def test_what_stands_is_intact(checkout: Checkout, claim: str) -> None:
    between(checkout, {"src/a.py": PYTHON}, {"src/b.py": "x = 1\n"})
    assert told(checkout, claim) is Evidence.INTACT


@pytest.mark.parametrize(
    ("claim", "old", "new", "evidence", "said"),
    [
        ("src/a.py::MAX_HEADER=8192", "8192", "16384", Evidence.CHANGED, "16384 now"),
        ("src/a.py::NAME=shop", '"shop"', '"store"', Evidence.CHANGED, "store now"),
        ("src/a.py::timeout=30", "timeout=30", "timeout=60", Evidence.CHANGED, "60 now"),
        ("src/a.py::MAX_HEADER=8192", "8192", "int(os.environ['H'])", Evidence.UNCHECKED, "computed"),
        ("src/a.py::MAX_HEADER=8192", "MAX_HEADER = 8192", "", Evidence.GONE, "no MAX_HEADER"),
        ("src/a.py::fetch", "fetch", "load", Evidence.GONE, "no fetch in src/a.py"),
        ("src/a.py::Checkout.total", "total", "amount", Evidence.GONE, "no Checkout.total"),
        ("src/a.py::Checkout.currency", "self.currency", "self.money", Evidence.GONE, ""),
        ("src/a.py::Checkout.total", "line.price", "line.cost", Evidence.INTACT, "changed inside"),
    ],
)
def test_what_changed_is_told(
    checkout: Checkout, claim: str, old: str, new: str, evidence: Evidence, said: str
) -> None:
    between(checkout, {"src/a.py": PYTHON}, {"src/a.py": PYTHON.replace(old, new)})
    found = ask(checkout, claim)
    assert (found.evidence, said in found.said) == (evidence, True), found.said


def test_what_a_memory_names_must_stay_in_the_symbol(checkout: Checkout) -> None:
    between(checkout, {"src/a.py": PYTHON}, {"src/a.py": PYTHON.replace("range(3)", "range(5)")})
    assert told(checkout, "src/a.py::fetch", "url") is Evidence.INTACT
    found = ask(checkout, "src/a.py::fetch", "3", "url", "never_there")
    assert found.evidence is Evidence.CHANGED
    assert found.said == "3 no longer in it"
    assert told(checkout, "src/a.py::Checkout", "3") is Evidence.INTACT


BODY = "    for attempt in range(3):\n        get(url, retries=attempt)\n"


@pytest.mark.parametrize(
    ("details", "body", "said"),
    [
        (("elsewhere",), "    return Client(pool).send(Request(host)).raise_for_status().json()\n", "rewritten"),
        (("range(3)",), BODY.replace("range(3)", "range(3, 9)"), "range(3) no longer in it"),
        (("retries=attempt",), BODY.replace("retries=attempt", "retries=9, more=attempt"), "retries=attempt"),
        (("range", "get"), "    get(url)\n    return range(3)\n", "range no longer before get"),
        (("range", "get"), f"{BODY}    log(url)\n", "log called in it too"),
    ],
)
def test_what_a_memory_says_of_a_symbol_is_looked_for_in_it(
    checkout: Checkout, details: tuple[str, ...], body: str, said: str
) -> None:
    between(checkout, {"src/a.py": PYTHON}, {"src/a.py": PYTHON.replace(BODY, body)})
    found = ask(checkout, "src/a.py::fetch", *details)
    assert (found.evidence, said in found.said) == (Evidence.CHANGED, True), found.said
    assert told(checkout, "src/a.py::fetch") is Evidence.INTACT


def test_what_a_memory_quotes_of_a_file_must_stay_in_it(checkout: Checkout) -> None:
    between(checkout, {"build.gradle": "take 'com.h2:h2:2.2'\n"}, {"build.gradle": "take 'com.h2:h2:2.4'\n"})
    found = ask(checkout, "build.gradle", "com.h2:h2:2.2")
    assert (found.evidence, found.said) == (Evidence.CHANGED, "com.h2:h2:2.2 no longer in it")
    assert told(checkout, "build.gradle", "com.h2") is Evidence.INTACT


def test_a_file_is_followed_step_by_step(checkout: Checkout) -> None:
    between(checkout, {"src/a.py": PYTHON}, {"src/b.py": PYTHON}, "src/a.py")
    checkout.commit({"src/b.py": "import new\n" * 40 + PYTHON.split("class")[0]})
    found = ask(checkout, "src/a.py::MAX_HEADER=8192")
    assert (found.evidence, found.said) == (Evidence.INTACT, "lives at src/b.py now")


@pytest.mark.parametrize("claim", ["src/a.py", "src/a.py::Checkout.total", "src/a.py::MAX_HEADER=8192", "src"])
def test_a_rename_raises_no_alarm_and_says_where_it_lives(checkout: Checkout, claim: str) -> None:
    between(checkout, {"src/a.py": PYTHON}, {"lib/money.py": PYTHON}, "src/a.py")
    found = ask(checkout, claim)
    assert found.evidence is Evidence.INTACT
    assert "lib" in found.said


def test_a_symbol_that_moved_unchanged_is_intact(checkout: Checkout) -> None:
    kept, moved = PYTHON.split("def fetch")
    between(
        checkout,
        {"src/a.py": PYTHON, "src/b.py": "x = 1\n"},
        {"src/a.py": kept, "src/b.py": f"x = 1\n\ndef fetch{moved}"},
    )
    found = ask(checkout, "src/a.py::fetch")
    assert (found.evidence, found.said) == (Evidence.INTACT, "lives in src/b.py now")


def test_a_namesake_elsewhere_is_no_move(checkout: Checkout) -> None:
    kept, _ = PYTHON.split("def fetch")
    other = "def fetch(url):\n    for attempt in range(3):\n        get(url, retries=attempt)\n"
    between(checkout, {"src/a.py": PYTHON, "src/b.py": other}, {"src/a.py": kept, "src/b.py": f"{other}x = 1\n"})
    assert told(checkout, "src/a.py::fetch") is Evidence.GONE


@pytest.mark.parametrize("path", ["src/a.py", "src/a.js"])
def test_an_expression_of_any_depth_is_compared(checkout: Checkout, path: str) -> None:
    long = " + ".join(['"t"'] * 3_000)
    before, after = (f"X = {one}\n" for one in (long, long.replace('"t"', '"u"', 1)))
    between(checkout, {path: before}, {path: after})
    found = ask(checkout, f"{path}::X", "t")
    assert (found.evidence, found.said) == (Evidence.INTACT, "changed inside")
    checkout.commit({path: "Y = 1\n"})
    assert told(checkout, f"{path}::X") is Evidence.GONE


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# half up", "# half even"),
        ("# half up\n        ", ""),
        ("Return the sum.", "Return what is due."),
        ("lines, timeout=30", "\n        lines,\n        timeout=30,\n    "),
        ("sum(line.price for line in lines)", "(\n            sum(line.price for line in lines)\n        )"),
        ('"EUR"', "'EUR'"),
        ("\n", "\r\n"),
        ("    ", "  "),
    ],
)
def test_comments_and_format_raise_no_alarm(checkout: Checkout, old: str, new: str) -> None:
    between(checkout, {"src/a.py": PYTHON}, {"src/a.py": PYTHON.replace(old, new)})
    for claim in ("src/a.py::Checkout", "src/a.py::Checkout.total", "src/a.py::fetch"):
        found = ask(checkout, claim, "3", "half", "price", "timeout", "EUR")
        assert (found.evidence, found.said) == (Evidence.INTACT, "")


OTHERS = {
    "src/a.ts": (
        "export const resolvers = {\n  idArgumentResolvers: (id: string) => strip(id),\n};\n"
        "export class Gateway {\n  private limit = 8192;\n  handle(req: Request): void {}\n}\n"
        "interface Shape { side: number }\nenum Colour { Red = 1 }\ntype Id = string;\n",
        [
            "resolvers",
            "idArgumentResolvers",
            "Gateway.handle",
            "Gateway.limit=8192",
            "Shape.side",
            "Colour.Red=1",
            "Id",
        ],
    ),
    "src/a.go": (
        "package a\n\nconst Max = 8192\n\ntype Server struct {\n\tAddr string\n}\n\n"
        "func (s *Server) Run() error {\n\treturn nil\n}\n\nfunc New() *Server { return nil }\n",
        ["Max=8192", "Server", "Server.Addr", "Server.Run", "New"],
    ),
    "src/A.java": (
        "package a;\nclass A {\n  static final int MAX = 8_192;\n  int run(int a) { return a; }\n"
        "  enum Level { LOW }\n  interface I { void z(); }\n}\n",
        ["A", "A.MAX=8192", "A.run", "Level.LOW", "I.z"],
    ),
    "src/a.rs": (
        "pub const MAX: u32 = 8_192;\nstruct S { f: u8 }\nimpl S {\n    fn run(&self) {}\n}\nenum E { V }\n",
        ["MAX=8192", "S", "S::run", "S.f", "E::V"],
    ),
    "src/a.cs": (
        "namespace N { class A { const int Max = 8192; public int Port { get; set; } void Run() {} } }\n",
        ["A", "A.Max=8192", "A.Port", "A.Run"],
    ),
    "src/a.kt": (
        "package a\n\nconst val MAX = 8192\n\nclass A(val x: Int) {\n    fun run(): Int {\n        return x\n    }\n"
        "}\n",
        ["MAX=8192", "A", "A.run"],
    ),
    "src/a.cpp": (
        "#define MAX 8192\nnamespace n { class A { int run(); }; }\nint n::A::run() { return 1; }\n",
        ["MAX=8192", "A", "A::run"],
    ),
    "src/a.php": (
        "<?php\nclass K { const MAX = 8192; public $port = 5; function run() {} }\nfunction f() {}\n",
        ["K", "K::MAX=8192", "K.port", "K.run", "f"],
    ),
    "src/a.rb": (
        "module M\n  class A\n    MAX = 8192\n    def run\n      1\n    end\n  end\nend\n",
        ["M", "M::A", "MAX=8192", "A#run"],
    ),
    "src/a.yaml": ("server:\n  port: 8080 # http\n  max-size: 5\n", ["server.port=8080", "port", "max-size=5"]),
    "src/a.toml": ('[server]\nport = 8080\nname = "x"\n', ["port=8080", "name=x", "name"]),
    "src/a.json": ('{"server": {"port": 8080, "name": "x"}}\n', ["port=8080", "name=x"]),
    "src/.env": ("PORT=8080\nNAME=x\n", ["PORT=8080", "NAME=x"]),
}


@pytest.mark.parametrize("path", OTHERS)
def test_other_languages(checkout: Checkout, path: str) -> None:
    content, symbols = OTHERS[path]
    checkout.commit({path: content})
    checkout.commit({path: f"{content}\n\n"})
    wrong = {
        symbol: found for symbol in symbols if (found := told(checkout, f"{path}::{symbol}")) is not Evidence.INTACT
    }
    assert not wrong
    checkout.commit({path: content.replace("8192", "99").replace("8_192", "99").replace("8080", "99")})
    for symbol in symbols:
        value = symbol.partition("=")[2]
        if value in ("8192", "8080"):
            changed = ask(checkout, f"{path}::{symbol}")
            assert (changed.evidence, changed.said) == (Evidence.CHANGED, "99 now"), symbol
    checkout.commit({path: "<?php\n" if path.endswith("php") else "\n"})
    for symbol in symbols:
        assert told(checkout, f"{path}::{symbol}") is Evidence.GONE, symbol


def test_a_symbol_alone_is_looked_for_in_the_elements_source(checkout: Checkout) -> None:
    content = OTHERS["src/a.ts"][0]
    alone = Claim(path="", symbol="idArgumentResolvers")
    between(
        checkout,
        {"src/a.ts": content, "lib/b.ts": "const other = 1;\n"},
        {"src/a.ts": content.replace("  idA", "  newA")},
    )
    found = ask(checkout, alone)
    assert (found.evidence, found.said) == (Evidence.GONE, "no idArgumentResolvers in src/a.ts any more")
    assert told(checkout, Claim(path="", symbol="other")) is Evidence.UNCHECKED
    assert told(checkout, Claim(path="", symbol="Gateway.handle()")) is Evidence.INTACT
    assert told(checkout, Claim(path="", symbol="limit", value="8192")) is Evidence.INTACT
    checkout.commit({"src/a.ts": content})
    assert told(checkout, alone) is Evidence.INTACT


def test_what_cannot_be_decided_is_unchecked(checkout: Checkout) -> None:
    checkout.commit(
        {
            "src/a.py": PYTHON,
            "src/b.bin": b"\0\1",
            "src/c.py": "def broken(:\n  fetch(\n",
            "src/d.py": "def f(): pass\n",
        }
    )
    checkout.commit({"src/b.bin": b"\0\2", "src/d.py": "def g(:\n f(\n"})
    unchecked = [
        "src/never.py",
        "src/never.py::x",
        "src/a.py::never_there",
        "src/a.py::MAX_HEADER=1",
        "src/b.bin::name",
        "src/d.py::f",
    ]
    for claim in unchecked:
        found = ask(checkout, claim)
        assert found.evidence is Evidence.UNCHECKED, claim
        assert found.said
    assert told(checkout, "src/a.py::fetch", on=0) is Evidence.INTACT
    assert told(checkout, "src/a.py::never_there", on=0) is Evidence.UNCHECKED


def test_deleted_is_gone_and_restored_is_intact(checkout: Checkout) -> None:
    between(checkout, {"src/a.py": PYTHON, "src/b.py": "y = 2\n"}, {}, "src/a.py")
    for claim in ("src/a.py", "src/a.py::fetch", "src/a.py::MAX_HEADER=8192"):
        found = ask(checkout, claim)
        assert (found.evidence, found.said) == (Evidence.GONE, "src/a.py is gone")
    checkout.commit({"src/a.py": PYTHON})
    assert told(checkout, "src/a.py::fetch") is Evidence.INTACT


def test_the_anchors_commit_counts_before_the_time(checkout: Checkout) -> None:
    checkout.commit({"src/a.py": "x = 1\n"})
    second = checkout.commit({"src/a.py": "def f(): pass\n"})
    checkout.commit({"src/a.py": "y = 1\n"})
    assert told(checkout, "src/a.py::f", commit=second, on=1) is Evidence.GONE
    assert told(checkout, "src/a.py::f", commit="ab" * 20, on=2) is Evidence.GONE
    assert told(checkout, "src/a.py::f", commit="ab" * 20, on=1) is Evidence.UNCHECKED


def test_a_tree_that_is_no_commit_yet_can_be_checked(checkout: Checkout) -> None:
    checkout.commit({"src/a.py": PYTHON})
    (checkout.root / "src/a.py").write_text("x = 1\n")
    checkout.git("add", "--all")
    tree = checkout.git("write-tree")
    asked = AskedClaim(memory="m", claim=parse_claim("src/a.py::fetch"), confirmed_at=day(1))
    with Repository.open(checkout.root) as repository:
        assert check_claims(repository, [asked], tree)[0].evidence is Evidence.GONE
        assert check_claims(repository, [asked])[0].evidence is Evidence.INTACT
        assert check_claims(repository, []) == ()


def test_a_link_is_read_through(checkout: Checkout) -> None:
    checkout.commit({"src/a.py": PYTHON})
    (checkout.root / "link.py").symlink_to("src/a.py")
    checkout.commit()
    checkout.commit({"src/a.py": "x = 1\n"})
    assert told(checkout, "link.py", on=2) is Evidence.INTACT
    assert told(checkout, "link.py::fetch", on=2) is Evidence.GONE
