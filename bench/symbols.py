"""Who finds definitions: syntax trees or Pygments' tokens, `python -m bench.symbols [--files N]`.

Python: this interpreter's own standard library, every definition that `ast` knows (classes and functions, nested in
classes too, and assigned names), by its name and its number of lines. Other languages: a sample read by hand. Pygments
has names of functions and classes alone and no ends: a definition ends where the next one begins or a line is indented
no deeper, the best that can be told without a parser.
"""

import argparse
import ast
import sysconfig
import time
from collections.abc import Iterator
from pathlib import Path

from pygments.lexers import get_lexer_for_filename
from pygments.token import Name

from bench.machine import machine
from drift.symbols import Source

_SAMPLES = {
    "a.ts": (
        "export const resolvers = {\n  idResolver: (id: string) => strip(id),\n};\n"
        "export class Gateway {\n  private limit = 8192;\n  handle(req: Request): void {}\n}\n"
        "interface Shape { side: number }\nenum Colour { Red = 1 }\ntype Id = string;\n"
        "export function load<T>(x: T): T { return x }\nexport const total = (a: number) => a;\n",
        "resolvers idResolver Gateway limit handle Shape side Colour Red Id load total",
    ),
    "a.go": (
        "package a\n\nconst Max = 8192\n\nvar (\n\tones = 1\n\ttwo = 2\n)\n\ntype Server struct {\n\tAddr string\n}\n\n"
        "func (s *Server) Run() error {\n\treturn nil\n}\n\nfunc New() *Server { return nil }\n\n"
        "type Runner interface {\n\tStop() error\n}\n",
        "Max ones two Server Addr Run New Runner Stop",
    ),
    "A.java": (
        "package a;\nclass A {\n  static final int MAX = 8_192;\n  int run(int a) { return a; }\n"
        "  enum Level { LOW }\n  interface I { void z(); }\n  record R(int a) {}\n  A() {}\n}\n",
        "A MAX run Level LOW I z R",
    ),
}


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=150)
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))[: parser.parse_args().files]
    asked = [(path, content, list(_known(content))) for path in files if (content := path.read_bytes())]
    count = sum(len(known) for _, _, known in asked)
    print(f"Python: {len(asked)} files, {sum(len(c) for _, c, _ in asked) / 1e6:.1f} MB, {count} definitions")
    for name, find in (("syntax tree", _by_tree), ("Pygments", _by_tokens)):
        began = time.perf_counter()
        found = [find(path.name, content, known) for path, content, known in asked]
        named, whole = sum(one[0] for one in found), sum(one[1] for one in found)
        took = time.perf_counter() - began
        print(f"| {name} | {named / count:.1%} | {whole / count:.1%} | {took:.1f} s |")
    for file, (text, names) in _SAMPLES.items():
        source = Source(file, text.encode())
        tree = sum(source.definition(name) is not None for name in names.split())
        tokens = {value for _, kind, value in _tokens(file, text) if _is_definition(kind)}
        print(f"| {file} | {tree} | {sum(name in tokens for name in names.split())} | {len(names.split())} |")
    print(machine())


def _known(content: bytes) -> Iterator[tuple[str, int]]:
    """Yield each definition's dotted name once, with its lines; decorators and overloads are left out."""
    seen: dict[str, int] = {}

    def walk(body: list[ast.stmt], scope: str) -> None:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{scope}{node.name}"
                lines = 0 if name in seen or node.decorator_list else (node.end_lineno or 0) - node.lineno + 1
                seen[name] = lines
                if isinstance(node, ast.ClassDef):
                    walk(node.body, f"{name}.")
            elif isinstance(node, ast.Assign) and isinstance(target := node.targets[0], ast.Name):
                name = f"{scope}{target.id}"
                seen[name] = 0 if name in seen else (node.end_lineno or 0) - node.lineno + 1

    walk(ast.parse(content).body, "")
    yield from ((name, lines) for name, lines in seen.items() if lines)


def _by_tree(file: str, content: bytes, known: list[tuple[str, int]]) -> tuple[int, int]:
    source = Source(file, content)
    found = [(source.definition(name), lines) for name, lines in known]
    named = [(one, lines) for one, lines in found if one is not None]
    whole = sum(
        len(one.nodes) == 1 and one.nodes[0].end_point.row - one.nodes[0].start_point.row + 1 == lines
        for one, lines in named
    )
    return len(named), whole


def _by_tokens(file: str, content: bytes, known: list[tuple[str, int]]) -> tuple[int, int]:
    text = content.decode("utf-8", "replace")
    lines = text.splitlines()
    indents = [len(line) - len(line.lstrip()) if line.strip() else 10_000 for line in lines]
    found: dict[str, int] = {}
    stack: list[tuple[int, str]] = []
    for at, kind, value in _tokens(file, text):
        if not _is_definition(kind):
            continue
        row = text.count("\n", 0, at)
        stack = [one for one in stack if one[0] < indents[row]]
        stack.append((indents[row], value))
        end = next((r for r in range(row + 1, len(lines)) if indents[r] <= indents[row]), len(lines))
        while not lines[end - 1].strip():
            end -= 1
        found[".".join(name for _, name in stack)] = end - row
    named = [(found[name], size) for name, size in known if name in found]
    return len(named), sum(one == size for one, size in named)


def _tokens(file: str, text: str) -> Iterator[tuple[int, object, str]]:
    yield from get_lexer_for_filename(file, stripnl=False, ensurenl=False).get_tokens_unprocessed(text)


def _is_definition(kind: object) -> bool:
    return kind in (Name.Function, Name.Class, Name.Function.Magic, Name.Constant)


if __name__ == "__main__":
    main()
