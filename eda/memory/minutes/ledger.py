"""The ledger: applies acts, from whichever reader. It alone decides what an act is about and what follows from it.

`Ledger` is that of a debate; `eda.transcripts.ledger` has that of recorded talk.
"""

from collections.abc import Iterable
from dataclasses import replace

from eda.events import MessagePosted, Quote, Reaction, StatusChange, Unread
from eda.memory.minutes import proposals
from eda.memory.minutes.decisions import claim, claims_denied, claims_in_tags, dispute, messages_named
from eda.memory.minutes.declared_moves import read_reply
from eda.memory.minutes.items import STANCES, ProposalItem, ReadAct, acts_of_moves
from eda.memory.minutes.move_words import tag_reader
from eda.memory.minutes.otherwise import says_otherwise
from eda.memory.minutes.positions import declare_position, text_held
from eda.memory.minutes.remark_words import IDS
from eda.memory.minutes.resolve import Resolved, names_own, resolve
from eda.memory.minutes.rulings import take_back
from eda.memory.minutes.state import MOST_UNRESOLVED, State
from eda.memory.patterns.conditions import begins_with_condition, leaves_condition, read_condition
from eda.text import lower, mask_quotes, normalise, plain_low, regex, sentences

_SIDES = frozenset({"support", "oppose", "position"})
# Lines of code behind an empty line, a tag in brackets, and what parts the end of a reason from the words before it.
_INDENTED, _TAG = regex(r"(?<=\n\n)(?:(?: {4}|\t)[^\n]*\n?)+"), regex(r"\[[^\[\]]*\]")
_TURNS, _DOUBTING = regex(r"^|[,;:.!?–—-]\s+"), 400  # and characters of that end
_ONLY_IDS = regex(r"\W*(?:[op]\d+(?:[.@]\d+)?\W*)*", "I")  # are no text of one's own


class Ledger:
    """Applies the acts of a message to the minutes of a debate, in which only a ballot decides."""

    def __init__(self, state: State, message: MessagePosted, asked: int = 0) -> None:
        """Begin with a message; `asked` is the last one heard where its author is asked what it declares."""
        self.state, self.message, self.asked = state, message, asked

    def hear(self) -> None:
        """Apply all that the message does."""
        self.declare()
        unclaimed, others = self.message.unclaimed, self.message.puppets
        for act in acts_of_moves(self.message, unclaimed) if unclaimed else ():
            self.state.leave(act, Unread("another's name" if others else "quotation", who=others))
        self.hear_talk()

    def declare(self) -> None:
        """Apply the moves of the message; a text comes first that another of them names."""
        # Those come last that may name texts of their own message.
        for act in sorted(acts_of_moves(self.message, self.message.moves), key=names_own):
            if act.kind == "position" and (why := declare_position(self.state, self.message, act)):
                self.state.leave(act, why)
            self.apply(act)

    def hear_talk(self) -> None:
        """Apply what the talk beside the moves does: it may claim that something was decided."""
        for act in claims_in_tags(self.state.language, self.message) if "[" in self.message.read.own else ():
            self.apply(act)

    def apply(self, act: ReadAct) -> None:
        """Apply one act. Positions, questions and notes change no item here."""
        does = {
            "propose": self._propose,
            "amend": self._amend,
            **dict.fromkeys(STANCES, self._react),
            "withdraw": self._withdraw,
            "claim": lambda act: claim(self.state, act, ""),
            "deny": self._deny,
        }.get(act.kind)
        if does is not None:
            does(act)

    def _deny(self, act: ReadAct) -> None:
        """Deny claims; what a message says that claims nothing so far is denied once the minutes find that it does."""
        if dispute(self.state, claims_denied(self.state, act), act):
            return
        if any(0 < number < act.message for number in messages_named(act.target)):
            self.state.denials = [*self.state.denials, act][-MOST_UNRESOLVED:]
        else:
            named = act.target.strip()
            meant = f"m{named}" * bool(
                named.isdecimal() and claims_denied(self.state, replace(act, target=f"m{named}"))
            )
            self.state.leave(act, Unread("no letter", named, ids=(meant,)) if meant else Unread("no claim", named))

    # ------------------------------------------------------------ proposals

    def _propose(self, act: ReadAct, about: Resolved | None = None) -> None:
        """Put a declared text. One that stands already is joined; one that its author closed is open again."""
        if _ONLY_IDS.fullmatch(act.text):
            self.state.leave(act, Unread("empty"))
            return
        item, same = proposals.new_item(act), self.state.same_text(act.text)
        olds = about.items if about else ()
        if same is not None and self._joins(act, same):
            item = same
        else:
            amended = [old.id for old in (*olds, *((same,) if same else ()))]
            item.amends, item.joins = amended[0] if amended else None, tuple(amended[1:])
            if not item.title and len(olds) == 1 and (olds[0].by, olds[0].status) == (act.agent, "active"):
                item.title, item.titled = olds[0].title, olds[0].titled  # the older text is closed: one text has it
            self._link(item)
            proposals.put(self.state, item)
        for old in olds:  # a part that comes from another motion can still be wanted by itself
            of_first = self.state.root(old) == self.state.root(olds[0])
            if of_first and old.by == act.agent and old.status == "active" and old.id != item.id:
                change = StatusChange("modified", (act.message,), "taken into" if item.joins else "replaced", item.id)
                proposals.close(self.state, old, change)

    def _joins(self, act: ReadAct, same: ProposalItem) -> bool:
        """Return whether a text is one that is there: its author says it again, another supports it while it stands."""
        if same.by == act.agent:
            self._say_again(same, act)
        elif same.status in ("active", "accepted", *proposals.SETTLED):
            self._supported_again(act, same)
            self._record(act, same, "quotation", 1.0)
        else:
            return False
        self.state.join(f"p{act.message}{act.place}", same.id)
        return True

    def _say_again(self, item: ProposalItem, act: ReadAct) -> None:
        item.restate(act.quote)
        if item.status in ("active", "accepted"):
            self.state.announce(item)
        else:
            proposals.reopen(self.state, item, (act.message,), "again")

    def _supported_again(self, act: ReadAct, item: ProposalItem) -> None:
        """Open a text again that a ballot passed over, where a member declares support for it."""
        if item.status in proposals.SETTLED and act.stance == "support":
            proposals.reopen(self.state, item, (act.message,), "supported again", act.agent)

    def _link(self, item: ProposalItem) -> None:
        """Note on the texts that an item amends that it does."""
        for key in (item.amends, *item.joins):
            if (old := self.state.proposal(key)) is not None:
                old.change(amended_by=item.id)

    def _amend(self, act: ReadAct) -> None:
        """Put another version of the texts that an act names. An amendment of nothing is a proposal without lineage."""
        about = resolve(self.state, act)
        if about.why and act.text and not names_own(act):
            self.state.leave(act, *about.why, stands=not about.items)
        self._propose(act, about)

    def _withdraw(self, act: ReadAct) -> None:
        """Withdraw a text, a claim, or where one stands on a text. Only its author can."""
        slips, named = map(tag_reader(self.state.language).slip, IDS.split(lower(act.target))[0].split()), act.target
        denied = self._struck("withdraw", act) or begins_with_condition(act.text, sure=self.asked > 0)
        if denied or (not act.of and IDS.search(lower(named)) and not _SIDES.isdisjoint(slips)):
            self.state.leave(act, Unread("said otherwise") if denied else Unread("no side", named))
            return
        if self._takes_side_back(act):
            return
        about = resolve(self.state, act)
        claims = claims_denied(self.state, act) if self._means_claim(act, about) else []
        if dispute(self.state, [claim for claim in claims if claim.by == act.agent], act):
            return
        for item in about.items:
            if item.by == act.agent:
                proposals.close(self.state, item, StatusChange("withdrawn", (act.message,)))
            else:
                self.state.leave(act, Unread("not its author", who=(item.by,) if item.by else (), ids=(item.id,)))
        if about.why:
            self.state.leave(act, *about.why)

    def _takes_side_back(self, act: ReadAct) -> bool:
        """Take back the agent's own condition, opposition or support; return False if the act names none of these."""
        about = resolve(self.state, replace(act, kind="neutral"))
        side, agent = {"opposition": "oppose"}.get(act.of, act.of), self.state.agents[act.agent]
        side = side or self._side_named(act, about)
        if not side:
            return False
        meant = self._stands_on(act, side, about)
        if not meant or (not about.items and len(meant) > 1):
            self.state.leave(
                act, *(about.why or [Unread("not held", side) if about.items else Unread("names nothing")])
            )
        elif side == "condition":
            own = [on.condition for item, on in meant if item in about.items]  # else one that has gone on
            # The reason states none, and may tell what a text has now: "p3.0 waits until the fund has voted".
            lift = replace(act, kind="support", of="condition", quote=replace(act.quote, text=""))
            for item in (item for item, on in meant if not own or on.condition in own):
                self._record(lift, item, about.how, about.score)
        else:
            for item, last in meant:
                if self._in_words(f"not {side}", act, item)[0]:
                    self.state.leave(act, Unread("said otherwise", ids=(item.id,)))
                    continue
                why = act.text * bool(act.target)
                item.standing.setdefault(act.agent, last)
                take_back(self.state, item, act, why)
                if agent.last and text_held(self.state, agent.last) is item:
                    agent.positions[-1] = replace(agent.last, left=act.message)
                    agent.holds, agent.since = (), act.message
                # An author is for its text unless it says otherwise.
                if (item.by, side) == (act.agent, "support"):
                    item.standing[act.agent] = replace(act, kind="neutral").reaction(
                        item.id, item.message, about.how, 1.0
                    )
                back = replace(last, message=act.message, why=why, undone=True, asked=self.asked)
                item.change(history=[*item.history, last, back])
        return True

    def _stands_on(self, act: ReadAct, side: str, about: Resolved) -> list[tuple[ProposalItem, Reaction]]:
        """Return the texts among those named, or else among all, on which the agent has the side, and how it stands."""
        texts = self._wordings(about.items, act.agent if side == "condition" else "")
        return [
            (item, on)
            for item in texts or (*self.state.given.values(), *self.state.newest_open())
            if (on := item.standing.get(act.agent) or (texts and self._held(act, item)))
            and side in ("condition" if on.conditional else "", on.reaction)
        ]

    def _held(self, act: ReadAct, item: ProposalItem) -> Reaction | None:
        """Return the support of an act's agent for its own open text, or for its last position; else None."""
        last, own = self.state.agents[act.agent].last, item.by == act.agent and item.status == "active"
        at = item.message if own else last.message if last and text_held(self.state, last) is item else None
        if at is None:
            return None
        return Reaction(at, act.agent, "support", item.id, None, Quote(at, 0, 0, ""), act.source, link="position")

    def _wordings(self, named: Iterable[ProposalItem], agent: str) -> list[ProposalItem]:
        """Return texts with those that they replaced or, for a condition of an agent, join.

        It stands on those as well to which that may have gone on.
        """
        texts, known = [*named], self.state.proposals.values()
        for old in reversed(known):
            replaced = old.status == "modified" and self.state.proposal(old.changes[-1].of) in texts
            joined = agent and any(old.id in (new.amends, *new.joins) for new in texts if new.joins)
            texts += [old] if replaced or joined else []
        given = {on.condition for old in texts if (on := old.standing.get(agent)) and on.conditional}
        doubted = (new for new in known if (on := new.standing.get(agent)) and on.doubt and on.condition in given)
        return [*texts, *(new for new in doubted if new not in texts and self.state.proposal(new.amends) in texts)]

    def _side_named(self, act: ReadAct, about: Resolved) -> str:
        """Return what a declared withdrawal takes back by its words: `condition`, `oppose`, `support` or nothing."""
        words = act.target if any(item.by == act.agent for item in about.items) else f"{act.target} {act.text}"
        named = self.state.language.side_taken_back.search(lower(words))
        return (named and named.lastgroup) or ""

    def _means_claim(self, act: ReadAct, about: Resolved) -> bool:
        """True if a withdrawal names no text, and its agent claimed something after the texts that it could mean."""
        if act.target.strip() or (about.items and about.how != "authorship"):
            return not about.items
        claims = [item.last for item in self.state.newest_decisions() if item.by == act.agent]
        texts = [item.message for item in self.state.newest_open() if item.by == act.agent]
        return bool(claims) and max(claims) > max(texts, default=0)

    # ------------------------------------------------------------ reactions

    def _react(self, act: ReadAct) -> None:
        about = resolve(self.state, act)
        for item in about.items:
            otherwise, condition = self._in_words(act.kind, act, item)
            if otherwise:
                self.state.leave(act, Unread("said otherwise", ids=(item.id,)))
                continue
            self._supported_again(act, item)
            self._record(replace(act, condition=condition), item, about.how, about.score)
        # An author supports its texts anyway.
        if about.why and not (act.kind == "support" and act.message in self.state.by_message and names_own(act)):
            self.state.leave(act, *about.why)

    def _in_words(self, kind: str, act: ReadAct, item: ProposalItem) -> tuple[bool, str]:
        """Return whether another tag, or the words, of an act's message deny its side; and the condition in words."""
        acts = acts_of_moves(self.message, self.message.moves)
        others = (each for each in acts if each.kind in STANCES and each.kind != kind)
        both = kind == act.kind and any(item in resolve(self.state, each).items for each in others)
        if both or self._struck(kind, act):
            return True, ""
        # "Lena: only if it is paid" is her condition.
        notes = (e.text for e in acts if e.kind == "note" and e.text.partition(":")[0] not in self.state.agents)
        rows = {
            each.id: {"id": each.id, "by": each.by, "title": each.title, "text": each.text, "at": each.message}
            for each in (item, *self.state.given.values(), *self.state.newest_open())
        }
        return says_otherwise(
            kind,
            item.id,
            act.text,
            self._own("\n\n".join((self.message.read.text, *notes))),
            rows,
            self.state.language,
            only=len({each.target for each in acts if each.kind in ("support", "propose", "amend")}) == 1,
            below=self._own(self.message.text[self.message.cut[-1][1] :] if self.message.cut else ""),
        )

    def _own(self, talk: str) -> str:
        """Return talk without the words of others."""
        return str(self.state.language.reported.sub("", mask_quotes(normalise(talk))))

    def _struck(self, kind: str, act: ReadAct) -> bool:
        """Return whether the reason of an act denies its tag, or a sentence below it strikes it."""
        return (
            int(act.place[1:]) < self._above_strike()
            or self.state.language.denies(kind, act.text)
            or self._corrects(act)
        )

    def _above_strike(self) -> int:
        """Return how many moves of the message stand above the last sentence in it that strikes what stands above."""
        message, language = self.message, self.state.language
        sides = all(move.kind != "withdraw" for move in message.moves)
        starts = (*(start for start, _ in message.cut[1:]), len(message.text))
        for (_, end), start in reversed([*zip(message.cut, starts, strict=False)]):
            below = self._own(_INDENTED.sub("", message.text[end:start])).replace(";", ".")
            said = [below[slice(*span)].strip() for span in sentences(below)]
            acts = "\n".join(message.text[slice(*span)] for span in message.cut if span[1] <= end)
            if any(language.strikes(each, sides=sides) or self._puts_instead(each, acts) for each in said):
                return len(
                    message.moves
                    if start == len(message.text)
                    else read_reply(message.text[:end], message.who, dict.fromkeys(message.puppets, "")).moves
                )
        return 0

    def _puts_instead(self, sentence: str, acts: str) -> bool:
        """Return whether a sentence corrects the id in the lines of the moves above it: it names another one."""
        ids = IDS.findall(lower(sentence)) if self.state.language.corrects.match(plain_low(sentence)) else []
        return bool(ids) and ids[0].removesuffix(".0") not in {
            each.removesuffix(".0") for each in IDS.findall(lower(acts))
        }

    def _corrects(self, act: ReadAct) -> bool:
        """Return whether the reason of an act strikes its tag, or has one of its kind for another text.

        So does a tag of another side on its own.
        """
        end = _TAG.sub("", act.text[-_DOUBTING:])
        struck = any(self.state.language.strikes(end[turn.end() :]) for turn in _TURNS.finditer(end))
        reader, on = tag_reader(self.state.language), {*IDS.findall(lower(act.target))}
        tags = (tag for written in reader.buried(f"- {act.text}") for tag in reader.tags(written))
        named = ((tag.kind, on.issuperset(IDS.findall(lower(tag.inside)))) for tag in tags)
        sides = {*STANCES} & {act.kind} and {*STANCES} - {act.kind}
        return struck or any(kind in sides if same else kind == act.kind for kind, same in named)

    def _record(
        self, act: ReadAct, item: ProposalItem | None, link: str, score: float, answered: int | None = None
    ) -> Reaction:
        """Record a reaction and return it. One to a proposal replaces the agent's earlier one."""
        on = item.id if item else None, item.message or None if item else answered
        reaction = replace(act.reaction(*on, link, score), asked=self.asked)
        older = self.state.proposal(item.amends) if item and act.agent not in item.standing else None
        stood = older.standing.get(act.agent) if older and older.status == "modified" else None
        reaction = _on_terms(reaction, act, stood) if act.kind in ("support", "oppose") else reaction
        self.state.reactions.append(reaction)
        if item is not None:
            item.react(reaction)
        self.state.announce(reaction)
        return reaction


def _on_terms(support: Reaction, act: ReadAct, stood: Reaction | None) -> Reaction:
    """Return a support with its condition: by its form, its words, those of the older wording, or those beside it.

    An opposition with words that end it counts as any other, and has them.
    """
    if act.terms:
        return replace(support, conditional=act.terms == "if", condition=act.text * (act.terms == "if"))
    read = read_condition(act.quote.text, support.reaction)
    if act.kind == "oppose":
        return replace(support, condition=read.told if read.conditional and read.sure else act.condition)
    if read.conditional or (read.conditional is None and act.source == "declared"):
        doubt = not read.sure and act.source == "declared"  # its author is asked
        return replace(support, conditional=True, condition=read.told, doubt=doubt)
    left = stood.condition if stood and stood.conditional and leaves_condition(act.text) else act.condition
    return replace(support, conditional=True, condition=left, doubt=True) if left else support
