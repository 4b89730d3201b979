"""The review inbox in words, each entry with the commands that act on it."""

import shlex
from collections.abc import Iterator

from graph.review_views import Decided, Dismissed, Inbox, InboxEntry, Merged, ProposalView
from graph.views import MemoryView
from graph.wiki_links import link_targets
from server.cli import texts

_CONTENT_SHOWN = 100


def inbox(answer: Inbox, options: str) -> str:
    """Return a page of the inbox; `options` are what the commands must be given beside."""
    told = [f"{count} {why.value.replace('_', ' ')}" for why, count in answer.counts.items() if count]
    lines = [f"Waiting for a look: {', '.join(told)}." if told else "Nothing waits for a look."]
    lines += [f"({notice})" for notice in answer.notices]
    for entry in answer.entries:
        lines += ["", f"{entry.why.value.replace('_', ' ')}: {entry.said}"]
        lines += [f"  {_shown(one)}" for one in (entry.memory, entry.other) if one is not None]
        if entry.proposal is not None and entry.proposal.draft is not None:
            lines.append(f"  proposed: {_short(entry.proposal.draft.content)}")
        lines += [f"    archmem {command}{options}" for command in _commands(entry)]
    return "\n".join(lines)


def dismissed(answer: Dismissed) -> str:
    """Return what is not shown again."""
    other = f" with {answer.other!r}" if answer.other else ""
    return f"dismissed as {answer.why}{other} until {answer.until}: {texts.memory(answer.memory)}"


def merged(answer: Merged) -> str:
    """Return what several memories are now."""
    return "\n".join(
        [f"merged into {texts.memory(answer.memory)}", *(f"  supersedes {name}" for name in answer.superseded)]
    )


def proposed(answer: ProposalView) -> str:
    """Return a proposal that waits now."""
    return f"proposed to {answer.kind} {answer.memory}; it waits in the inbox as {answer.id}"


def decided(answer: Decided) -> str:
    """Return what became of a proposal."""
    return f"{answer.proposal.outcome} {answer.proposal.id}: {texts.memory(answer.memory)}"


def _commands(entry: InboxEntry) -> Iterator[str]:
    """Yield the command of each action that fits; `TEXT` is what is to be written."""
    name, other = entry.memory.id, entry.other.id if entry.other else ""
    proposal = entry.proposal.id if entry.proposal else ""
    title = shlex.quote(link_targets(entry.link)[-1]) if entry.link else ""
    aside = f" --other {shlex.quote(other or entry.link)}" if other or entry.link else ""
    commands = {
        "confirm": f"confirm {name}",
        "supersede": f"supersede {name} TEXT",
        "merge": f"merge {name} {other} --into {name}",
        "archive": f"archive {other or name}",
        "accept": f"inbox accept {proposal}",
        "reject": f"inbox reject {proposal}",
        "remember": f"remember TEXT --title {title}",
        "dismiss": f"inbox dismiss {name} --why {entry.why}{aside}",
    }
    return (commands[action] for action in entry.actions)


def _shown(memory: MemoryView) -> str:
    return f"{texts.memory(memory)}: {_short(memory.content)}"


def _short(content: str) -> str:
    line = " ".join(content.split())
    return line if len(line) <= _CONTENT_SHOWN else f"{line[:_CONTENT_SHOWN]}…"
