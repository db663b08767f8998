"""What would bring in those who are not for the leading text: asked once a discussion, late, before it is over."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from eda.debate.floor.stop import room
from eda.debate.state import DebateState
from eda.events.records import Motion, Proposal
from eda.memory import ConversationMemory
from eda.memory.minutes.motions import backers
from eda.runners.answers import TermsAnswer
from eda.runners.protocol import Reply
from eda.runners.repair import fields_of, validated
from eda.text import quoted


def leading(motions: Sequence[Motion]) -> Proposal | None:
    """Return the open text with the most members behind it, of equals the newest; None where no text was taken up."""
    live = [each.live for each in motions if each.live and each.taken_up and each.live.status == "active"]
    return max(live, key=lambda text: (len(backers(text)), text.message), default=None)


def due(state: DebateState, memory: ConversationMemory, *, ends: bool = False) -> tuple[Proposal, list[str]] | None:
    """Return the leading text and who is to be asked about it now; None where nobody is.

    Those are asked who sit here, are no persons, and are not for the text as it stands. A pause between their answers
    leaves out the others, who are asked on resume. It is time once two thirds of the discussion are over, or the talk
    `ends` before that with messages left.
    """
    agenda, settings = state.agenda, state.settings
    fixed = agenda.choices == "options" or settings.fixed_options or not agenda.has_ballot
    answered = [each for each in state.terms if each.after == state.messages]
    left = room(state)
    late = left > 0 and (ends or 2 * left <= state.said)
    if not settings.terms or fixed or not late or (state.terms and not answered):
        return None
    text = leading(memory.motions)
    if text is None:
        return None
    done = {*backers(text), *(each.who for each in answered)}
    asked = [who for who in state.active if who not in done and not state.is_person(who)]
    return (text, asked) if asked else None


def read_terms(reply: Reply) -> tuple[dict[str, object] | None, str]:
    """Return the fields of a `TermsNamed` that a reply gives, and what is wrong with it."""
    fields, wrong = fields_of(TermsAnswer, reply)
    answer, fault = (None, wrong) if fields is None else validated(TermsAnswer, fields)
    if answer is None:
        return None, wrong or fault or "the answer does not say what would bring you in"
    changes = answer["takes"] == "with a change"
    if changes and not answer["change"]:
        return None, "the answer names no change"
    return {"takes": answer["takes"], "change": answer["change"] if changes else ""}, ""


def told(state: DebateState, fill: Callable[..., str]) -> str:
    """Return what the members who were asked have answered, as prompts tell it; empty where nobody was understood."""
    lines = [f"- {quoted(each.who)}: {quoted(each.change) or each.takes}" for each in state.terms if each.takes]
    number, key = (str(state.terms[-1].after), state.terms[-1].on) if lines else ("", "")
    return fill("terms-told", number=number, id=key, answers="\n".join(lines)).strip() if lines else ""
