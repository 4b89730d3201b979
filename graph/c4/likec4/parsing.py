"""Parses a LikeC4 file; after a fault it goes on at the next line, so that every fault is found."""

from graph.c4.findings import Findings
from graph.c4.likec4.cursor import MOST_FAULTS, SKIPPED, TOP_LEVEL, Cursor, TooMuch, Unexpected
from graph.c4.likec4.syntax import ElementNode, ExtensionNode, FileNode, Member, Properties, RelationNode

_TEXTS = frozenset(("title", "description", "technology", "summary", "notation"))
_LOOKS = frozenset(("icon", "navigateTo"))
_MOST_ITEMS = 100  # what a kind has, each of its elements gets
_LOOKS_OF_KINDS = _LOOKS | {"color", "line", "head", "tail", "multiple"}


def parse(path: str, text: str, findings: Findings) -> FileNode:
    """Parse a file; its faults are in the findings."""
    parser = _Parser(path, text.replace("\r\n", "\n").replace("\r", "\n"), findings)
    try:
        parser.file()
    except TooMuch:
        findings.fault(f"{path}:{parser.line}", f"more than {MOST_FAULTS} faults; the rest of the file was not read")
    return parser.node


class _Parser(Cursor):
    def __init__(self, path: str, text: str, findings: Findings) -> None:
        super().__init__(path, text, findings)
        self.node = FileNode(path)

    # -- the top level ------------------------------------------------------------------------------------------------

    def file(self) -> None:
        """Read the whole file."""
        while self.token.kind != "end":
            try:
                self._top_level()
            except Unexpected:
                while not self.begins_top_level() and self.token.kind not in ("end", "unclosed"):
                    self.at += 1
            if self.token.kind == "unclosed":
                self.fault(self.line, self.token.text)
                break

    def _top_level(self) -> None:
        keyword = self.token.text if self.token.kind == "word" else ""
        if self.sees("}"):
            self.fault(self.line, "this `}` closes nothing")
            self.at += 1
        elif keyword == "specification":
            self.at += 1
            self.node.has_specification = True
            self.block(self._kind)
        elif keyword == "model":
            self.at += 1
            members: list[Member] = []
            self.node.models.append(members)
            self.block(lambda: self._member(members))
        elif keyword in SKIPPED:
            self.at += 1
            self.at += self.token.kind == "string"
            if not self.sees("{"):
                self.refuse(f"`{{` after {keyword}")
            self.skip_block()
        elif keyword == "import":
            self._import()
        else:
            self.refuse(f"one of {', '.join(sorted(TOP_LEVEL))}")

    def _import(self) -> None:
        self.at += 1
        braced = self.take("{")
        names = [self.word("the name of an element")]
        while self.take(","):
            names.append(self.word("the name of an element"))
        self.take(";")
        if braced:
            self.expect("}", "after the names")
        if self.word("`from` and a project") != "from" or self.token.kind != "string":
            self.refuse("`from` and a project in quotes")
        self.node.imports |= dict.fromkeys(names, self.next().text)
        self.take(";")

    def _kind(self) -> None:
        what = self.word("a kind: element, relationship, deploymentNode, tag or color")
        if what not in ("element", "relationship", "deploymentNode", "tag", "color"):
            self.at -= 1
            self.refuse("element, relationship, deploymentNode, tag or color")
        name = self.word(f"the name of the {what}")
        if what == "color":
            self._value()
        elif what in ("tag", "deploymentNode"):
            if self.sees("{"):
                self.skip_block()
        else:
            kinds = self.node.element_kinds if what == "element" else self.node.relation_kinds
            properties = kinds.setdefault(name, Properties())
            if self.sees("{"):
                self.block(lambda: self._only_property(properties, _LOOKS_OF_KINDS))

    # -- the model ----------------------------------------------------------------------------------------------------

    def _member(self, members: list[Member]) -> None:
        line = self.line
        if self.token.text == "extend" and self.ahead().kind == "word":
            self.at += 1
            members.append(self._extension(line))
        elif self._begins_arrow():
            members.append(self._relation("", line))
        else:
            name = self._reference("an element, a relationship or a property")
            if self._begins_arrow():
                members.append(self._relation(name, line))
            elif "." in name:
                self.refuse(f"a relationship (`->`) after `{name[:40]}`")
            else:
                members.append(self._element(name, line))

    def _property_or_member(self, properties: Properties, members: list[Member]) -> None:
        if not self._property(properties, _LOOKS):
            self._member(members)

    def _element(self, word: str, line: int) -> ElementNode:
        if self.take("="):
            node = ElementNode(self.word(f"the kind of `{word}`"), word, line)
        elif self.token.kind == "string":
            self.fault(self.line, f"`{word}` needs a name before the title")
            node = ElementNode(word, "", line)
        else:
            node = ElementNode(word, self.word(f"a name after `{word}`, or `=` and its kind"), line)
        if node.name in ("this", "it"):
            self.fault(line, f"`{node.name}` cannot name an element: it means the enclosing one")
        for text in ("title", "summary", "technology", ""):
            if self.token.kind == "string":
                node.properties.texts[text] = self.next().text
        if self.sees("{"):
            body = Properties()
            self.block(lambda: self._property_or_member(body, node.members))
            node.properties.texts = body.texts | node.properties.texts
            node.properties.merge(body)
        return node

    def _extension(self, line: int) -> ExtensionNode | RelationNode:
        target = self._reference("an element")
        if self._begins_arrow():
            node = self._relation(target, line)
            node.extends = True
            return node
        extension = ExtensionNode(target, line)
        self.block(lambda: self._property_or_member(extension.properties, extension.members))
        return extension

    def _begins_arrow(self) -> bool:
        return self.sees("->") or self.sees("<->") or self.sees("-[") or (self.sees(".") and not self.token.glued)

    def _relation(self, source: str, line: int) -> RelationNode:
        sign = self.next().text
        kind = "" if sign in ("->", "<->") else self.word("the kind of the relationship")
        if sign == "-[":
            self.expect("]->", f"after `-[{kind}`")
        target = self._reference("the element that the relationship leads to")
        node = RelationNode(source, target, kind, line, both=sign == "<->")
        for text in ("title", "description", "technology"):
            if self.token.kind == "string":
                node.properties.texts[text] = self.next().text
        self._tags(node.properties)
        if self.sees("{"):
            body = Properties()
            self.block(lambda: self._only_property(body, _LOOKS))
            node.properties.texts = body.texts | node.properties.texts
            node.properties.merge(body)
        return node

    def _reference(self, what: str) -> str:
        parts = [self.word(what)]
        while self.sees(".") and self.token.glued:
            self.at += 1
            parts.append(self.word(f"a name after `{parts[-1][:40]}.`"))
        return ".".join(parts)

    # -- properties ---------------------------------------------------------------------------------------------------

    def _only_property(self, properties: Properties, looks: frozenset[str]) -> None:
        if not self._property(properties, looks):
            self.refuse("a property")

    def _property(self, properties: Properties, looks: frozenset[str]) -> bool:
        """Read a property if one begins here."""
        token, following = self.token, self.ahead()
        if self.sees("#"):
            self._tags(properties)
            return True
        if token.kind != "word":
            return False
        if token.text in _TEXTS and (following.kind == "string" or following.text == ":"):
            self._name()
            properties.texts[token.text] = self._text()
        elif token.text == "link":
            self._name()
            if self.token.kind not in ("uri", "string"):
                self.refuse("a URL, or a path that begins with `/`, `./`, `../` or `@`")
            link = self.next().text.rstrip(";")
            title = f" {self.next().text}" if self.token.kind == "string" else ""
            self._add(properties.links, link + title)
        elif token.text == "metadata" and following.text == "{":
            self.at += 1
            self.block(lambda: self._attribute(properties.metadata))
        elif token.text == "style" and following.text == "{":
            self.at += 1
            start = self.at
            self.skip_block()
            for icon in [word.text for word in self.since(start) if word.kind == "icon"]:
                properties.texts.setdefault("icon", icon)
        elif token.text in looks:
            self._name()
            if self.token.kind == "icon":
                properties.texts["icon"] = self.token.text
            self._value()
        else:
            return False
        self.take(";")
        return True

    def _name(self) -> None:
        self.at += 1
        self.take(":")

    def _text(self) -> str:
        if self.token.kind != "string":
            self.refuse("a text in quotes")
        return self.next().text

    def _value(self) -> None:
        """Skip the value of something that is only looks."""
        if self.take("#"):
            self.at += self.token.kind in ("word", "number")
        elif self.token.kind in ("uri", "icon", "word", "number"):
            is_call = self.ahead().text == "("
            self.at += 1
            while is_call and self.token.kind in ("word", "number", "sign") and not self.take(")"):
                self.at += 1
        else:
            self.refuse("a value")

    def _tags(self, properties: Properties) -> None:
        while self.take("#"):
            self._add(properties.tags, self.word("a tag after `#`"))
            while self.take(","):
                pass
        self.take(";")

    def _add(self, items: dict[str, None], item: str) -> None:
        if len(items) >= _MOST_ITEMS:
            self.refuse(f"no more than {_MOST_ITEMS} tags or links")
        items[item] = None

    def _attribute(self, metadata: dict[str, dict[str, None]]) -> None:
        key = self.word("a key")
        self.take(":")
        if self.take("["):
            values = [self._text()]
            while self.take(",") and not self.sees("]"):
                values.append(self._text())
            self.expect("]", "after the list")
        elif self.token.kind == "number" or self.token.text in ("true", "false"):
            values = [self.next().text]
        else:
            values = [self._text()]
        metadata.setdefault(key, {}).update(dict.fromkeys(value for value in values if value))
        self.take(";")
