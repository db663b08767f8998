"""Folds a model's minutes of a range into memory, from the quotes that they store: older messages are not read again.

Minutes add items, and vouch for those that a pattern found. They replace no item, overrule no declared move, and count
for or against no text. A decision in them is bound only to the item that the model named; in a debate, where its own
words name that too.
"""

from collections.abc import Iterable
from itertools import islice

from eda.events import Minuted, OpenQuestion, Quote, RangeMinutes
from eda.memory.minutes.decisions import claim, claimed_text, claims_denied, dispute, restates
from eda.memory.minutes.items import MAX_RESTATED, DecisionItem, ProposalItem, ReadAct, ReadKind
from eda.memory.minutes.model_minutes import MinutesAnswer, find, one_wording, own_words
from eda.memory.minutes.proposals import SAME as SAME_PROPOSAL, new_item
from eda.memory.minutes.state import State
from eda.memory.summaries.summary_input import figures
from eda.text import bare, clean, likeness, overlap, plain_low, regex, words

CONFIDENCE = 0.8  # Confidence of an item that the minutes add.
QUESTIONS = 20  # Most open questions kept: the newest.
LOOKED_AT = 24  # Newest items that are searched for an earlier statement of the same.
FEWEST_WORDS = 3  # A proposal of fewer content words counts as new, however alike another one is.
_AGREED = regex(r",? (?:that|dass)\b")  # What stands behind it is what was agreed.
PUT_UP = 0.4  # Share of the shorter text's words from which a member means the text that its message puts up.


def take(state: State, minutes: RangeMinutes) -> None:
    """Fold the minutes of a range. Leaves out entries of authors who never spoke."""
    for entry in _known(state, minutes.proposals):
        if not _put_up(state, entry):
            _propose(state, entry)
    for entry in _known(state, minutes.decisions):
        _decide(state, entry, _target_of(state, entry))
    new = [
        OpenQuestion(entry.message, entry.who, clean(entry.quote), unsourced)
        for unsourced, entries in ((False, minutes.questions), (True, minutes.unsourced))
        for entry in _known(state, entries)
    ]
    questions = sorted((*state.questions, *new), key=lambda each: each.message)
    once = {bare(each.text): each for each in reversed(questions)}  # of the same words the first
    state.questions = sorted(once.values(), key=lambda each: (each.message, each.text, each.who))[-QUESTIONS:]
    again = {each.message: each.text for each in new}
    state.answered = [row for row in state.answered if not one_wording(row[0].text, again.get(row[0].message, ""))]
    _close(state, minutes)
    state.conditions += _known(state, minutes.conditions)


def _close(state: State, minutes: RangeMinutes) -> None:
    """Close the questions that messages answer."""
    for answer in _known(state, minutes.answered):
        # It closes what it repeats of the message that it names; with no words of its own the only question.
        named = [
            each
            for each in (*state.questions, *(each for each, _ in state.answered))
            if f"m{each.message}" == answer.to and state.heard_then(answer.message, each.message)
            if each.unsourced or each.who != answer.who  # who asks does not answer it
        ]
        asked = [each for each in named if not (each.unsourced or answer.text)]
        worded = [each for each in named if _repeats(answer, each)]
        for question in worded or (asked if len(asked) == 1 else ()):
            state.questions = [each for each in state.questions if each != question]
            state.answered = [
                *(row for row in state.answered if row[0] != question),
                (question, answer.message),
            ][-QUESTIONS:]


def _repeats(answer: Minuted, question: OpenQuestion) -> bool:
    """Return whether an answer has the words of a question; of a sentence with figures its quote has these, too."""
    sourced = not question.unsourced or figures(question.text) <= figures(answer.quote)
    return sourced and one_wording(question.text, answer.text)


def _propose(state: State, entry: Minuted) -> None:
    """Add a proposal, or join it to an earlier one that says the same, which its own id then stands for too."""
    act = act_of("propose", entry)
    item = new_item(act)
    if (same := state.proposals.get(item.id) or _proposed_before(state, entry)) is not None:
        _restate(state, same, act)
        if same.id != item.id:
            state.join(item.id, same.id)
        return
    state.place_proposal(item)
    state.last_proposal = state.last_proposal or item.id
    state.announce(item)


def _restate(state: State, item: ProposalItem, act: ReadAct) -> None:
    """Add a restatement to an item of another message; vouch for one that a pattern found in the same."""
    vouch(state, item, act)
    known = {item.message, *(quote.message for quote in item.restated)}
    if act.message not in known and len(item.restated) < MAX_RESTATED:
        item.restate(act.quote)
        state.announce(item)


def _put_up(state: State, entry: Minuted) -> bool:
    """Return whether a member puts up much the same by a move of that message: its own words stand."""
    texts = (state.proposal(key) for key in state.by_message.get(entry.message, ()))
    declared = [text for text in texts if text is not None and text.source == "declared"]
    bag = words(entry.text)
    return any(overlap(bag, text.words) >= PUT_UP for text in declared)


def _decide(state: State, entry: Minuted, proposal: ProposalItem | None) -> None:
    """Add or repeat the claim of a decision, in words that speak of one."""
    if not _speaks_of_decision(state, entry.quote):
        return
    act = act_of("claim", entry)
    proposal = claimed_text(state, act, proposal) if proposal and state.genre.kind == "debate" else proposal
    same = decided_before(state, act, entry, proposal)
    if same is not None and (same.by in ("", entry.who) or same.made == entry.message):
        vouch(state, same, act)
        state_again(state, same, act)
    else:
        claim(state, act, "", proposal)
        for denial in [each for each in state.denials if each.message > entry.message]:  # made before this was found
            if dispute(state, claims_denied(state, denial), denial):
                state.denials.remove(denial)


def untrue(state: State, answer: MinutesAnswer, decisions: Iterable[Minuted], spoken: str) -> int:
    """Return how many entries of minutes quote what nobody said, or are decisions in words that speak of none."""
    entries = (*answer.decisions, *answer.questions, *answer.answered, *answer.unsourced)
    invented = sum(find(each.quote, spoken) is None for each in entries)
    return invented + sum(not _speaks_of_decision(state, each.quote) for each in decisions)


def _speaks_of_decision(state: State, quote: str) -> bool:
    """Return whether words that minutes quote for a decision speak of one."""
    if state.genre.kind != "debate":
        return any(hit.kind == "decision" for hit in state.pack.find(quote))
    low, language = plain_low(quote), state.language
    speaks = language.claims_agreement.search(low) or language.says_decided.search(low)
    # "Before" of "we all agree that it is dug before June" hedges nothing.
    agreed = speaks and _AGREED.match(low, speaks.end())
    return speaks is not None and not language.hedges.search(low, 0, agreed.end() if agreed else len(low))


def vouch(state: State, item: ProposalItem | DecisionItem, act: ReadAct) -> None:
    """Take an item that a pattern found for one of the minutes, where they have it in the same message."""
    if item.source == "pattern" and act.message == (item.message if isinstance(item, ProposalItem) else item.made):
        item.change(source="minutes")
        state.announce(item)


def _known(state: State, entries: tuple[Minuted, ...]) -> list[Minuted]:
    """Return the entries whose authors have spoken, in the order of their quotes."""
    return sorted((one for one in entries if one.who in state.agents), key=lambda one: (one.message, one.start))


def act_of(kind: ReadKind, entry: Minuted) -> ReadAct:
    """Return an entry of the minutes as an act."""
    quote = Quote(entry.message, entry.start, entry.start + len(entry.quote), entry.quote)
    text = clean(entry.text if kind == "propose" else "") or clean(entry.quote) or entry.quote
    return ReadAct(
        kind, entry.message, entry.who, text, "", "minutes", quote, f"@{entry.start}", CONFIDENCE, written=False
    )


def _proposed_before(state: State, entry: Minuted) -> ProposalItem | None:
    bag = words(entry.text)
    newest = islice(reversed(state.proposals.values()), LOOKED_AT)
    for item in {item.id: item for item in (*newest, *reversed(state.newest_open()))}.values():
        if item.message == entry.message and one_wording(item.text, entry.text):
            return item
        alike = len(bag) >= FEWEST_WORDS and likeness(item.words, bag) >= SAME_PROPOSAL
        if alike and item.status not in ("rejected", "withdrawn"):
            return item
    return None


def decided_before(state: State, act: ReadAct, entry: Minuted, proposal: ProposalItem | None) -> DecisionItem | None:
    """Return the decision that an entry states again."""
    if (item := state.decisions.get(f"d{act.message}{act.place}")) is not None:
        return item
    for item in islice(reversed(state.decisions.values()), LOOKED_AT):
        worded = item.made == entry.message and item.status != "superseded" and one_wording(item.text, entry.text)
        if worded or restates(state.language, item, entry.text, [proposal.id] if proposal else []):
            return item
    return None


def state_again(state: State, item: DecisionItem, act: ReadAct) -> None:
    """Add a restatement to a decision of another message."""
    if item.source == "procedure" or act.message in item.messages:
        return
    if act.message > item.last:
        item.restate(act.quote)
    if act.agent not in item.opposers:
        item.supporters.setdefault(act.agent, act.message)
    state.announce(item)


def _target_of(state: State, entry: Minuted) -> ProposalItem | None:
    """Return the proposal that a decision accepts, if it still has the minuted words."""
    if entry.to is None or not entry.about:
        return None
    item = state.proposal(state.joined.get(entry.to)) or state.proposals.get(entry.to)
    stands = item is not None and (entry.to in state.joined or bare(own_words(item.record)) == bare(entry.about))
    return item if stands else None
