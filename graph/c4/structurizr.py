"""Reads the model part of a Structurizr DSL workspace into a draft, line by line as the official parser does."""

import re
from collections.abc import Callable

from graph.c4.archetypes import DEPLOYMENT_KEYWORDS, GROUP, RELATIONSHIP, Archetype, Archetypes
from graph.c4.bodies import add_property, change, change_archetype
from graph.c4.defining import define
from graph.c4.draft import Draft, DraftElement, DraftGroup, DraftRelationship
from graph.c4.expressions import choose
from graph.c4.findings import Findings
from graph.c4.frames import Block, Frame, relationships_frame
from graph.c4.including import ModelFiles, resolve
from graph.c4.lines import Line
from graph.c4.relating import Relating
from graph.c4.statements import Statement, statements
from graph.c4.workspace_json import read_workspace_json

_IDENTIFIER = re.compile(r"\w[\w-]*")
_WITHOUT_MEANING_HERE = frozenset(
    ("!docs", "!impliedrelationships", "impliedrelationships", "perspectives", "views", "configuration", "description")
)
_FINDS = {"!element": "", "!relationship": "", "!ref": "!element or !relationship", "!extend": "!element"}
_DEEPEST = 500
_CHOOSES = {"!elements": DraftElement, "!relationships": DraftRelationship}
_DEPLOYMENT_NAMES = ("deploymentnode://", "infrastructurenode://", "containerinstance://", "softwaresysteminstance://")


class WorkspaceReader:
    """Reads one workspace with what it includes and extends; relationships that are only implied are not made."""

    def __init__(self, files: ModelFiles, findings: Findings) -> None:
        self._files = files
        self._findings = findings
        self.draft = Draft()
        self._archetypes = Archetypes()
        self._constants: dict[str, str] = {}
        self._relating = Relating(self.draft, self._archetypes, findings)
        self._stack: list[Frame] = []
        self._comments: list[str] = []
        self._has_workspace = False
        self._has_model = False
        self._refused = False
        self._extending = False
        self._handlers: dict[Block, Callable[[Statement, Frame], None]] = {
            Block.WORKSPACE: self._in_workspace,
            Block.MODEL: self._in_model,
            Block.ELEMENT: self._in_model,
            Block.RELATIONSHIP: self._in_model,
            Block.ITEMS: self._in_model,
            Block.PROPERTIES: self._in_properties,
            Block.ARCHETYPES: self._in_archetypes,
            Block.ARCHETYPE: self._in_archetype,
            Block.DEPLOYMENT: self._in_deployment,
            Block.SKIPPED: self._in_skipped,
            Block.SCRIPT: self._in_skipped,
        }

    def read(self, path: str) -> Draft:
        """Read the workspace that this file begins; what is wrong with it is in the findings."""
        self._workspace_file(path, f"{path}:1")
        self._relating.finish()
        return self.draft

    def _workspace_file(self, path: str, where: str) -> None:
        self._file(path, where)
        if self._refused:
            return
        if not self._has_workspace:
            self._findings.fault(f"{path}:1", "there is no `workspace` and no `model` in it")
        for where in self._comments:
            self._findings.fault(where, "this comment is never closed")
        for frame in self._stack:
            # With the model closed, only views or styles lack a brace: nothing that is read here.
            harmless = self._has_model and all(f.block in (Block.WORKSPACE, Block.SKIPPED) for f in self._stack)
            (self._findings.warn if harmless else self._findings.fault)(frame.where, "this `{` is never closed")

    def _file(self, path: str, where: str) -> None:
        lines = self._files.lines(path, where)
        self._files.open.append(path)
        for line in lines:
            if self._refused:
                break
            self._line(line)
        self._files.open.pop()

    def _line(self, line: Line) -> None:
        text = line.text.strip()
        block = self._stack[-1].block if self._stack else None
        if block is Block.SCRIPT and not self._comments:
            if text == "}":
                self._stack.pop()
        elif self._comments or text.startswith("/*"):
            self._comment(line, text)
        else:
            if line.unclosed and self._stack:
                self._findings.fault(line.where, "this text block is never closed")
            warn = Findings().warn if block is Block.SKIPPED else self._findings.warn
            for statement in statements(line, self._constants, warn):
                self._statement(statement)

    def _comment(self, line: Line, text: str) -> None:
        """Open a comment where a line begins with `/*`, inside another too; close one where a line ends with `*/`."""
        if not text.startswith("/*"):
            if text.endswith("*/"):
                self._comments.pop()
        elif not text.endswith("*/"):
            self._comments.append(line.where)

    def _statement(self, statement: Statement) -> None:
        keyword = statement.keyword
        frame = self._stack[-1] if self._stack else None
        if statement.closes:
            self._close(statement)
        elif keyword in ("!const", "!var", "!constant"):
            if keyword == "!constant":
                self._outdated(statement, "!const")
            self._constants[statement.word(1)] = statement.word(2)
        elif keyword == "!include":
            self._include(statement, frame)
        elif keyword in ("!script", "!plugin"):
            self._warn(statement, f"{keyword} is never run; the model is incomplete")
            self._open(statement, Frame(Block.SCRIPT, statement.line.where))
        elif frame is None:
            self._outside(statement)
        elif not statement.words and frame.block not in (Block.SKIPPED, Block.DEPLOYMENT):
            self._findings.fault(statement.line.where, "`{` must end the line of the statement that it belongs to")
            self._open(statement, Frame(Block.SKIPPED, statement.line.where))
        else:
            self._handlers[frame.block](statement, frame)

    # -- blocks ---------------------------------------------------------------------------------------------------

    def _open(self, statement: Statement, frame: Frame) -> None:
        if not statement.opens:
            return
        if len(self._stack) == _DEEPEST:
            self._findings.fault(statement.line.where, f"more than {_DEEPEST} blocks inside each other")
        self._refused |= len(self._stack) >= _DEEPEST
        self._stack.append(frame)

    def _skip(self, statement: Statement, block: Block = Block.SKIPPED) -> None:
        self._open(statement, Frame(block, statement.line.where))

    def _close(self, statement: Statement) -> None:
        if self._stack:
            self._stack.pop()
        else:
            self._findings.fault(statement.line.where, "this `}` closes nothing")

    def _warn(self, statement: Statement, what: str) -> None:
        self._findings.warn(statement.line.where, what)

    def _left_out(self, where: str, what: str) -> None:
        self._findings.warn(where, f"{what}; the model is incomplete")

    def _outdated(self, statement: Statement, instead: str) -> None:
        self._warn(
            statement, f"{statement.keyword} is gone from the language (now {instead}); it was read all the same"
        )

    def _include(self, statement: Statement, frame: Frame | None) -> None:
        if frame is not None and frame.block is Block.SKIPPED:
            return  # of views and styles nothing is read
        for path in self._files.named_by(statement.word(1), statement.line):
            self._file(path, statement.line.where)

    def _in_skipped(self, statement: Statement, frame: Frame) -> None:
        self._skip(statement, frame.block)

    def _in_deployment(self, statement: Statement, frame: Frame) -> None:
        if statement.keyword in _FINDS or statement.keyword in _CHOOSES:
            self._find(statement, frame)  # what it changes may be part of the model itself
            return
        if statement.identifier:
            self.draft.not_modelled.add(statement.identifier.lower())
        self._skip(statement, Block.DEPLOYMENT)

    # -- workspace ------------------------------------------------------------------------------------------------

    def _outside(self, statement: Statement) -> None:
        where = statement.line.where
        if statement.keyword == "workspace" and not self._has_workspace:
            self._has_workspace = True
            if statement.word(1).lower() == "extends" and len(statement.words) == 3:
                self._extend(statement)
            else:
                self.draft.name = statement.word(1, self.draft.name)
            self._stack.append(Frame(Block.WORKSPACE, where))
        elif statement.keyword == "workspace":
            self._findings.fault(where, "a second workspace in one model")
            self._skip(statement)
        elif statement.keyword == "model" and statement.opens and not self._has_workspace:
            self._warn(statement, "there is no workspace around the model; other tools refuse it")
            self._has_workspace = self._has_model = True
            self._stack.append(Frame(Block.MODEL, where))
        elif self._has_workspace:
            self._warn(statement, "this stands after the end of the workspace; it was left out")
            self._skip(statement)
        else:
            self._findings.fault(where, "neither `workspace` nor `model` begins here: this is no Structurizr DSL model")
            self._refused = True

    def _extend(self, statement: Statement) -> None:
        outer = (self._stack, self._has_workspace, self._has_model)
        for path in self._files.named_by(statement.word(2), statement.line):
            self._stack, self._has_workspace, self._has_model = [], False, False
            if path.lower().endswith(".json"):
                read_workspace_json(self.draft, self._files, path, self._findings, report=self._left_out)
            else:
                self._workspace_file(path, statement.line.where)
        self._stack, self._has_workspace, self._has_model = outer
        self._extending = True

    def _in_workspace(self, statement: Statement, frame: Frame) -> None:
        keyword, where = statement.keyword, statement.line.where
        if keyword == "model":
            if self._has_model:
                self._warn(statement, "a second model block; it was read into the same model")
            self._has_model = True
            self._open(statement, Frame(Block.MODEL, where))
        elif keyword == "name":
            self.draft.name = statement.word(1)
        elif keyword == "properties":
            self._open(statement, Frame(Block.PROPERTIES, where))
        elif not self._is_directive(statement, frame):
            self._unknown(statement)

    def _is_directive(self, statement: Statement, frame: Frame) -> bool:
        keyword = statement.keyword
        if keyword == "!identifiers":
            self.draft.hierarchical = statement.word(1).lower() == "hierarchical"
        elif keyword in ("!adrs", "!decisions"):
            folder = resolve(statement.line.file, statement.word(1))
            if folder is None:
                self._warn(statement, f"{statement.word(1)} is outside the repository; it was not read")
            else:
                self.draft.decision_folders.append((statement.line, folder, frame.element))
            self._skip(statement)
        elif keyword in _WITHOUT_MEANING_HERE:
            if keyword.endswith("impliedrelationships"):
                self.draft.implied = statement.word(1).lower() != "false"
            self._skip(statement)
        else:
            return False
        return True

    def _unknown(self, statement: Statement) -> None:
        self._warn(statement, f"unknown statement {statement.words[0][:60]!r}; it was left out")
        self._skip(statement)

    # -- model ----------------------------------------------------------------------------------------------------

    def _in_model(self, statement: Statement, frame: Frame) -> None:
        keyword, where = statement.keyword, statement.line.where
        if self._relating.is_relationship(statement, frame):
            made = self._relating.relate(statement, frame)
            if len(made) == 1:
                self._register(statement, made[0])
            self._open(statement, relationships_frame(where, frame, made))
        elif keyword in _FINDS or keyword in _CHOOSES:
            self._find(statement, frame)
        elif (archetype := self._archetypes.get(keyword)) is not None and archetype.keyword != RELATIONSHIP:
            if archetype.keyword == GROUP:
                self._group(statement, frame)
            elif archetype.keyword in DEPLOYMENT_KEYWORDS:
                self.draft.not_modelled.add(statement.identifier.lower())
                self._skip(statement, Block.DEPLOYMENT)
            else:
                self._element(statement, frame, archetype)
        elif keyword == "enterprise" and frame.block is Block.MODEL:
            self._warn(statement, "enterprise is gone from the language (now group); what it encloses was read")
            self.draft.enterprise = True
            self._open(statement, Frame(Block.MODEL, where, group=frame.group, in_enterprise=True))
        elif keyword == "archetypes":
            self._open(statement, Frame(Block.ARCHETYPES, where))
        elif keyword == "properties":
            maps = [item.properties for item in frame.items] or [self.draft.properties]
            self._open(statement, Frame(Block.PROPERTIES, where, properties=maps))
        elif keyword == "!components":
            self._warn(statement, "!components needs compiled classes; the components that it finds are left out")
            self._skip(statement)
        elif keyword in ("views", "configuration") and statement.opens:
            self._findings.fault(where, f"`{keyword}` inside the model: a `}}` is missing before it")
            del self._stack[1:]
            self._skip(statement)
        elif not change(statement, frame) and not self._is_directive(statement, frame):
            self._unknown(statement)

    def _element(self, statement: Statement, frame: Frame, archetype: Archetype) -> None:
        element = define(statement, frame, archetype, self.draft, self._findings, again=self._extending)
        if element is None:
            self._skip(statement)
            return
        self._register(statement, element)
        self._open(statement, Frame(Block.ELEMENT, statement.line.where, element=element, items=[element]))

    def _register(
        self, statement: Statement, item: DraftElement | DraftRelationship | DraftGroup, in_: Frame | None = None
    ) -> None:
        identifier = statement.identifier
        if identifier and not _IDENTIFIER.fullmatch(identifier):
            self._warn(statement, f"{identifier!r} is no identifier to other tools")
        if not self.draft.register(identifier, item, in_.element if in_ else None):
            self._findings.fault(statement.line.where, f"the identifier {identifier!r} is in use already")

    def _group(self, statement: Statement, frame: Frame) -> None:
        separator = self.draft.properties.get("structurizr.groupSeparator") or "/"
        outer = frame.group.name if frame.group else ""
        name = f"{outer}{separator}{statement.word(1)}" if outer else statement.word(1)
        if statement.opens and statement.word(1) and frame.block in (Block.MODEL, Block.ELEMENT):
            group = DraftGroup(name, frame.group)
            self._register(statement, group, frame)
            where = statement.line.where
            self._open(statement, Frame(frame.block, where, frame.element, group, in_enterprise=frame.in_enterprise))
        elif frame.element is not None and not frame.group and not statement.opens:
            inner = frame.element.group
            frame.element.group = f"{inner}{separator}{name}" if inner else name
        else:
            self._warn(statement, "a group without a name or `{`, or where none can be; it was left out")
            self._skip(statement)

    def _find(self, statement: Statement, frame: Frame) -> None:
        keyword, wanted, where = statement.keyword, statement.word(1), statement.line.where
        if instead := _FINDS.get(keyword):
            self._outdated(statement, instead)
        if wanted.lower().startswith(_DEPLOYMENT_NAMES) or wanted.split(".")[0].lower() in self.draft.not_modelled:
            self._skip(statement, Block.DEPLOYMENT)
            return
        in_deployment = frame.block is Block.DEPLOYMENT
        if kind := _CHOOSES.get(keyword):
            items = [item for item in choose(self.draft, wanted, frame.element) or () if isinstance(item, kind)]
            if not items:
                if not in_deployment:
                    self._warn(statement, f"{keyword} {wanted[:60]!r} finds nothing declared here; it was left out")
                self._skip(statement, frame.block if in_deployment else Block.SKIPPED)
                return
            self._open(statement, Frame(Block.ITEMS, where, element=frame.element, items=list(items)))
            return
        found = self.draft.find_canonical(wanted) if "://" in wanted else self.draft.find(wanted, frame.element)
        if isinstance(found, DraftElement):
            if frame.group:
                found.group = frame.group.name
            self._open(statement, Frame(Block.ELEMENT, where, element=found, items=[found]))
        elif isinstance(found, DraftRelationship):
            self._open(statement, relationships_frame(where, frame, [found]))
        elif in_deployment:
            self._skip(statement, Block.DEPLOYMENT)
        else:
            self._warn(statement, f"{keyword} {wanted[:60]!r} finds nothing; it was left out")
            self._skip(statement)
        if found is not None and statement.identifier:
            self._register(statement, found)

    # -- what stands in smaller blocks ------------------------------------------------------------------------------

    def _in_properties(self, statement: Statement, frame: Frame) -> None:
        if not add_property(statement, frame):
            self._warn(statement, "a property is a name and a value; it was left out")
            self._skip(statement)

    def _in_archetypes(self, statement: Statement, _: Frame) -> None:
        archetype = self._archetypes.define(statement.identifier, statement.words[0])
        if archetype is None:
            self._unknown(statement)
        else:
            self._open(statement, Frame(Block.ARCHETYPE, statement.line.where, archetype=archetype))

    def _in_archetype(self, statement: Statement, frame: Frame) -> None:
        if statement.keyword == "properties" and frame.archetype:
            maps = [frame.archetype.properties]
            self._open(statement, Frame(Block.PROPERTIES, statement.line.where, properties=maps))
        elif not change_archetype(statement, frame) and not self._is_directive(statement, frame):
            self._unknown(statement)
