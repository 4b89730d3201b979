"""Which leaf of a syntax tree names a definition, how far that goes, and which names stand around it."""

import re
from typing import TYPE_CHECKING

from drift.syntax import text_of

if TYPE_CHECKING:
    from drift.grammars import Node

SPLIT = re.compile(r"::|->|[.#]")
_NAME_FIELD = ("name",)
_DEFINING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        """
        function_definition class_definition function_declaration generator_function_declaration class_declaration
        abstract_class_declaration method_definition method_signature abstract_method_signature function_signature
        public_field_definition interface_declaration property_signature type_alias_declaration enum_declaration
        enum_assignment enum_body variable_declarator internal_module module class method_declaration type_spec
        type_alias const_spec var_spec method_elem record_declaration annotation_type_declaration
        constructor_declaration enum_constant function_item function_signature_item struct_item enum_item trait_item
        union_item const_item static_item type_item mod_item macro_definition enum_variant struct_specifier
        class_specifier enum_specifier union_specifier preproc_def preproc_function_def namespace_definition
        alias_declaration enumerator concept_definition struct_declaration property_declaration
        enum_member_declaration delegate_declaration namespace_declaration event_declaration trait_declaration
        enum_case property_element object_declaration companion_object method singleton_method
        annotation_type_element_declaration
        """.split(),
        _NAME_FIELD,
    ),
    "function_definition": ("name", "declarator"),
    "field_declaration": ("name", "declarator"),
    "field_definition": ("property", "name"),
    "declaration": ("declarator",),
    "type_definition": ("declarator",),
    "assignment": ("left",),
    "assignment_expression": ("left",),
    "type_alias_statement": ("left",),
    "pair": ("key",),
    "const_element": ("",),
    "enum_entry": ("",),
    "class_parameter": ("",),
    "type_alias_kotlin": ("type",),
}
_FIRST_CHILD = frozenset({"const_element", "enum_entry", "class_parameter", "property_declaration"})
_WRAPPERS = frozenset(
    """
    pointer_declarator function_declarator array_declarator reference_declarator parenthesized_declarator
    init_declarator qualified_identifier variable_name variable_declaration type
    """.split()
)
_MEMBERS = {"attribute": "attribute", "member_expression": "property", "field_expression": "field"}
_FUNCTIONS = frozenset(
    """
    function_definition function_declaration generator_function_declaration method_definition method_declaration
    function_item arrow_function function_expression constructor_declaration method singleton_method lambda
    """.split()
)


def defined_by(leaf: "Node") -> "Node | None":
    """Return the node that the leaf is the name of; None when it only uses the name."""
    node = leaf
    while (parent := node.parent) is not None:
        if parent.type in _DEFINING and _names(parent, node):
            return parent
        member = _MEMBERS.get(parent.type)
        if (member and parent.child_by_field_name(member) == node) or (
            parent.type in _WRAPPERS and _is_head(parent, node)
        ):
            node = parent
            continue
        return None
    return None


def extent(leaf: "Node", node: "Node") -> "Node":
    """Return all that belongs to a definition: its decorators, or of an enumeration the one name."""
    if node.type == "enum_body":
        return leaf
    return node.parent if node.parent is not None and node.parent.type == "decorated_definition" else node


def _names(parent: "Node", node: "Node") -> bool:
    if parent.type == "pair" and node.type == "string":
        return False
    if any(
        child == node for field in _DEFINING[parent.type] if field for child in parent.children_by_field_name(field)
    ):
        return True
    return (
        parent.type in _FIRST_CHILD
        and next((c for c in parent.named_children if "modifier" not in c.type), None) == node
    )


def _is_head(parent: "Node", node: "Node") -> bool:
    for part in ("declarator", "name"):
        head = parent.child_by_field_name(part)
        if head is not None:
            return head == node
    return bool(parent.named_children) and parent.named_children[0] == node


def scopes(leaf: "Node", node: "Node") -> tuple[str, ...]:
    """Return the names around a definition, outermost first."""
    found: list[str] = []
    qualified = leaf.parent
    if qualified is not None and qualified.type == "qualified_identifier":
        scope = qualified.child_by_field_name("scope")
        found.extend(reversed(SPLIT.split(text_of(scope)) if scope else ()))
    owner = leaf.parent if leaf.parent is not None and leaf.parent.type in _MEMBERS else None
    holder = owner.named_children[0] if owner is not None else None
    if holder is not None and text_of(holder) not in ("self", "this", "cls"):
        found.extend(part for part in reversed(SPLIT.split(text_of(holder))) if part not in ("prototype", "exports"))
    receiver = node.child_by_field_name("receiver")
    if receiver is not None:
        types = re.findall(r"\w+", re.sub(r"\[.*\]", "", text_of(receiver)))
        found.extend(types[-1:])
    around = node.parent
    while around is not None:
        is_own_method = holder is not None and around.type in _FUNCTIONS
        name = "" if is_own_method else _scope_name(around)
        if name:
            found.append(name)
        around = around.parent
    return tuple(reversed(found))


def _scope_name(node: "Node") -> str:
    if node.type == "impl_item":
        kind = node.child_by_field_name("type")
        return re.split(r"[<\s]", text_of(kind))[0].split("::")[-1] if kind else ""
    if node.type not in _DEFINING or node.type in ("enum_body", "pair"):
        return ""
    named = node.child_by_field_name("name") or (
        node.child_by_field_name("left") if node.type in ("assignment", "assignment_expression") else None
    )
    return text_of(named) if named is not None else ""


def is_local(leaf: "Node", node: "Node") -> bool:
    """Say whether a definition lasts no longer than a call: a variable of a function."""
    if leaf.parent is not None and leaf.parent.type in _MEMBERS:
        return False
    if node.type not in ("assignment", "variable_declarator", "var_spec", "const_spec", "declaration", "pair"):
        return False
    around = node.parent
    while around is not None:
        if around.type in _FUNCTIONS:
            return True
        around = around.parent
    return False
