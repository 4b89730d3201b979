"""Which tools an agent is offered: eight, all, or those that are named."""

DEFAULT = (
    "recall",
    "remember",
    "confirm_memory",
    "start_work_session",
    "finish_work_session",
    "find_elements",
    "impact_of",
    "knowledge_map",
)
OPTIONAL = (
    "plan_work",
    "heartbeat",
    "work_sessions",
    "drift_status",
    "supersede_memory",
    "archive_memory",
    "memory_history",
    "review_inbox",
    "merge_memories",
)
_SETS = {"default": DEFAULT, "all": (*DEFAULT, *OPTIONAL)}


def chosen(text: str) -> tuple[str, ...]:
    """Return the tools that a setting names, in the order of the catalogue; raise ValueError with every unknown one.

    The setting is a list with commas of tools, `default` and `all`; an empty one is `default`.
    """
    names = [name for part in text.split(",") if (name := part.strip())] or ["default"]
    unknown = [name for name in names if name not in _SETS and name not in _SETS["all"]]
    if unknown:
        known = ", ".join(("default", *_SETS["all"]))
        raise ValueError(f"no such tool: {', '.join(unknown)}; there are all, {known}")
    wanted = {tool for name in names for tool in _SETS.get(name, (name,))}
    return tuple(tool for tool in _SETS["all"] if tool in wanted)
