"""The moves of a simulated member: what it puts, what it says to what is on the table, and where it stands."""

from __future__ import annotations

from eda.events.records import Proposal
from eda.runners.protocol import Prompt
from eda.runners.simulated.speech import Voice
from eda.runners.simulated.stance import Stance, deed, label_of, read_position
from eda.runners.simulated.words import drawn, english, shuffled, stems
from eda.words import ENGLISH

_REACTIONS, _AMENDABLE = 2, 20
"""The most reactions of a turn, and words of a proposal that is amended: an amendment repeats its whole wording."""
_HALF_HEARTED, _HASTY = 0.3, 0.1
"""The opinion below which a support has a condition; the share of turns in which a majority is called a decision."""
_CLAIM = "[DECISION]"


def moves_of(prompt: Prompt, stance: Stance, voice: Voice, offer: str) -> list[str]:
    """Return the move lines of a turn; `offer` is the proposal that it makes, empty for none."""
    if stance.held is None and offer:  # an own proposal is the first thing that can be held
        stance = Stance({label_of(offer): 0.6}, label_of(offer), None, torn=False)
    moves = [f"[PROPOSE] {offer}"] if offer else []
    if prompt.stage != "opening":
        moves = _claim(prompt, stance, voice) + moves + _denial(prompt, stance, voice)
        moves += _reactions(prompt, stance, voice)
    news = prompt.stage != "discussion" or stance.mover or prompt.agent not in prompt.positions
    if stance.held and not prompt.side and news:
        sides = [stance.held, *([stance.second or ""] if stance.torn else [])]
        names = " and ".join(side if side.casefold() in {"yes", "no"} else f"“{side}”" for side in sides)
        moves.append(f"[POSITION] {stance.grade.capitalize()} {names}, {voice.say('position')}.")
    return moves


def opinion_of(prompt: Prompt, stance: Stance, content: str) -> float:
    """Return the speaker's opinion of a proposal: that of the option it names, and a taste for its wording."""
    low = content.casefold()
    named = [stance.opinions[label] for label in stance.opinions if deed(prompt, label).casefold() in low]
    taste = drawn("taste", prompt.seed, prompt.agent, prompt.question, content) * 0.6 - 0.25
    if prompt.persona is not None:
        about = stems(content)
        taste += 0.2 * any(stems(value) & about for value in prompt.persona.values)
        taste -= 0.2 * any(stems(fear) & about for fear in prompt.persona.fears)
    return (named[0] if named else 0.1) + taste


def offered(prompt: Prompt, stance: Stance, voice: Voice) -> str:
    """Return a proposal that says what no proposal on the table says; empty where the speaker makes none."""
    if any(proposal.proposer == prompt.agent for proposal in prompt.proposals):
        return ""
    lively = drawn("offer", prompt.seed, prompt.agent, prompt.question, prompt.phase, voice.round)
    bold = talkativeness(prompt)
    if prompt.noun == "finding":
        return voice.say("finding") if prompt.stage == "opening" or lively < bold / 4 else ""
    if not prompt.noun and (prompt.options or (stance.held or "").casefold() in {"yes", "no"}):
        wants = not stance.torn and lively <= 0.25 + bold * 0.6
        base = deed(prompt, stance.held) if stance.held else ""
    else:
        full = prompt.stage == "discussion" and len(prompt.proposals) >= 2
        wants = prompt.noun == "idea" or (not full and lively <= 0.35 + bold * 0.5)
        ways = shuffled(english()["ways"], prompt.seed, prompt.question)  # each seat has one of its own
        base = ways[voice.seat % len(ways)]
    new = base and all(base.casefold() not in proposal.content.casefold() for proposal in prompt.proposals)
    return voice.say("propose", base) if wants and new else ""


def talkativeness(prompt: Prompt) -> float:
    """Return how much a member talks, from 0 to 1."""
    return prompt.persona.talkativeness if prompt.persona else 0.5


def kind_of(opinion: float) -> str:
    """Return the reaction that an opinion makes."""
    return "support" if opinion >= 0.12 else "oppose" if opinion <= -0.08 else "neutral"


def _claim(prompt: Prompt, stance: Stance, voice: Voice) -> list[str]:
    """Return the claim that the panel has decided, now and then, where most but not all hold what the speaker does."""
    known = tuple(stance.opinions)
    holding = [stance.held in read_position(text, known) for text in prompt.positions.values()]
    if prompt.stage != "discussion" or prompt.side or stance.torn or not len(holding) > sum(holding) > len(holding) / 2:
        return []
    hasty = drawn("claim", prompt.seed, prompt.agent, prompt.question, voice.round) < _HASTY
    claims = hasty and not any(_CLAIM in line.text for line in prompt.lines)
    return [f"{_CLAIM} {deed(prompt, stance.held or '')}"] if claims else []


def _denial(prompt: Prompt, stance: Stance, voice: Voice) -> list[str]:
    """Return the denial of a claim that the speaker has not answered, where it holds something else."""
    for line in reversed(prompt.lines):
        if line.who == prompt.agent:
            break
        _, claim, outcome = line.text.partition(_CLAIM)
        if claim and outcome.strip() not in (deed(prompt, side) for side in stance.sides if side):
            return [f"[DENY m{line.number}] {voice.say('deny')}"]
    return []


def _reactions(prompt: Prompt, stance: Stance, voice: Voice) -> list[str]:
    """Return at most two moves on proposals of others, what becomes of the speaker's own, and a note."""
    moves: list[str] = []
    amended = any(proposal.proposer == prompt.agent and proposal.amends for proposal in prompt.proposals)
    for proposal in prompt.proposals:
        move = _move_on(proposal, prompt, stance, voice, amends=not amended, reacts=len(moves) < _REACTIONS)
        moves += [move] if move else []
        amended |= move.startswith("[AMEND")
    if not amended and len(moves) < _REACTIONS and not prompt.options:
        moves += _joined(prompt)
    if prompt.stage == "discussion" and voice.turn % 3 == 1 and voice.cited:
        moves.append(f"[NOTE {600 + 50 * (voice.place % 5)}] {': '.join(voice.cited)}")
    return moves


def _move_on(proposal: Proposal, prompt: Prompt, stance: Stance, voice: Voice, *, amends: bool, reacts: bool) -> str:
    """Return the move on one proposal; empty for none. `amends`, `reacts`: whether there is room for such a move."""
    opinion = opinion_of(prompt, stance, proposal.content)
    kind, own = kind_of(opinion), proposal.proposer == prompt.agent
    if own and stance.before and opinion < 0 and prompt.options:
        return f"[WITHDRAW {proposal.id}] {voice.say('withdraw')}"
    before = next((each.reaction for each in proposal.reactions if each.agent == prompt.agent), None)
    if not own and not (reacts and (before is None or (before != kind and stance.mover))):
        return ""
    # Its own is reworded that met opposition, another's that it half likes: once, and if it is short.
    improves = bool(proposal.backers("oppose")) if own else kind == "neutral" and opinion > 0
    if amends and improves and _amendable(proposal, prompt):
        return f"[AMEND {proposal.id}] {voice.say('amend', proposal.content.rstrip('.'))}"
    return "" if own else _reaction(proposal, opinion, voice)


def _reaction(proposal: Proposal, opinion: float, voice: Voice) -> str:
    """Return the move that says what the speaker thinks of another's proposal, with a condition if half-hearted."""
    kind = kind_of(opinion)
    why = "condition" if kind == "support" and opinion < _HALF_HEARTED else kind
    tag = "UNDECIDED" if kind == "neutral" else kind.upper()
    return f"[{tag} {proposal.id}] {voice.say(why)}"


def _amendable(proposal: Proposal, prompt: Prompt) -> bool:
    """Return whether a proposal can be reworded now: it is short and no amendment, in a discussion of no findings."""
    short = proposal.amends is None and len(proposal.content.split()) <= _AMENDABLE
    return short and prompt.stage == "discussion" and prompt.noun != "finding"


def _joined(prompt: Prompt) -> list[str]:
    """Return the amendment that makes one of two proposals which the speaker supports, without their conditions."""
    both = [one for one in prompt.proposals if prompt.agent in one.backers("support") and not one.amends][:2]
    if len(both) < 2 or prompt.stage != "discussion":
        return []
    one, two = both
    first, second = label_of(one.content), label_of(two.content)
    return [ENGLISH.say("simulated-joins", one=one.id, two=two.id, first=first, second=second)]
