"""Builds prompts. What all members share comes first and only grows; what differs comes last."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

from pydantic import BaseModel

from eda.debate.prompts.ballot_prompt import (
    TERMS,
    acts_schema,
    ballot_schema,
    ballot_slots,
    bids_schema,
    blocked,
    blocks_of,
    by_ids,
    poll_schema,
    statistics_of,
)
from eda.debate.prompts.lookups import Lookups
from eda.debate.prompts.prefix import (
    SharedPrefix,
    growing,
    hears_all,
    introduced,
    is_held,
    sketch,
    summary_prompt,
)
from eda.debate.prompts.slots import (
    Hears,
    absent,
    argued,
    asked_in,
    earlier_answer,
    heard,
    opened_with,
    phase_line,
    side_of,
    sides_told,
    to_deny,
    told_before,
    turns_left,
    uncounted,
)
from eda.debate.prompts.texts import Prompts, filled, traits_of
from eda.debate.state import DebateState
from eda.debate.terms import TOLD_ONCE, Occasion, told
from eda.debate.verdict import deciding_rule, yes_no_of
from eda.events import AnswerKind, BallotText, FloorGranted, Line, ModeratorSpoke, Move, Proposal, SessionStarted
from eda.memory import ConversationMemory
from eda.memory.context.sections import Context, Section, in_parts
from eda.memory.minutes.proposals import third_person
from eda.memory.repetition import READ
from eda.memory.summaries.summary_input import SummaryInput
from eda.memory.summariser import Refused
from eda.panels.agenda import Stage
from eda.panels.persona import Persona
from eda.panels.settings import Poll
from eda.runners import answers
from eda.runners.protocol import Prompt, Purpose
from eda.text import Read, quoted
from eda.voting import shown_order
from eda.words import ENGLISH

_Words = Callable[[Context], tuple[tuple[str, ...], str]]  # Returns the parts for all who are asked, and the own one.


def _paragraphs(*parts: str) -> str:
    return "\n\n".join(filter(None, parts))


class PromptBuilder:
    """Makes prompts from state and memory: the same facts give the same prompt."""

    def __init__(self, started: SessionStarted, memory: ConversationMemory, state: DebateState) -> None:
        self.started, self.memory, self.state = started, memory, state
        self._prompts = Prompts(started.prompts, traits_of(started), started.settings.language)
        self.fill = self._fill = self._prompts.fill
        self.known = SharedPrefix(started, self._fill)
        self.corrected, self.yes_no = self._prompts.corrected, yes_no_of(started)
        self.lookups = Lookups(self.known.reading, memory, self._fill, started.tools)
        self.views: dict[str, PromptBuilder] = {}  # Of members that do not hear all, by title.

    def speak(self, persona: Persona, grant: FloorGranted | None = None, hears: Hears = hears_all) -> Prompt:
        """Return the prompt for a turn of speech; without a `grant` all members are asked at the same time.

        What the member wrote to get the floor is left out: it must not bind what it says.
        """
        news, turn = partial(self._news, persona), partial(self._turn, persona)
        return self._whole("speak", persona, turn, hears, news=news, together=grant is None)

    def _news(self, persona: Persona) -> str:
        """Return what a speaker is told of the moment, before what it is asked."""
        return _paragraphs(
            absent(self.state),
            self._lost(persona, "unread"),
            opened_with(persona.title, self.state, self.memory) if self._stage == "closing" else "",
            told(self.state, self.memory, self._fill),
            asked_in(persona.title, self.state, self.memory),
        )

    def _lost(self, persona: Persona, text: str) -> str:
        """Return what of the member's messages may not count as meant, of the last in the text of that name."""
        number, unread = uncounted(persona, self.state, self.memory, own=text != "unread")
        unclear = [
            ENGLISH.say("prompt-unclear", id=str(e.to), at=f"m{e.message}", doubt=e.doubt, words=e.condition)
            for e in self.memory.unclear_supports(persona.title)
            if text != "unread" or e.message == number or number <= self.memory.state.minuted
        ]
        lost = self._prompts.listed(text, unread, number=str(number))
        return _paragraphs(lost, self._prompts.listed("unclear", unclear))

    def _turn(self, persona: Persona) -> str:
        """Return what a speaker is asked; late in a discussion for one text that most could sign, too."""
        state = self.state
        said = [self._fill("silence")] if state.asked else []
        for why in ("unheard", "unsourced", "together") if state.does.open else ():
            if state.moderated.get(why, (0,))[0] == state.round:
                # Once something of it was heard, it need not be said again.
                now = self._fill(why, what=TOLD_ONCE[why](self.memory, state) if why in TOLD_ONCE else "")
                said += [now] * (state.moderated.get(why) == (state.round, now))
        told = "\n\n".join(f"The moderator has said: {each}" for each in said)
        return _paragraphs(self._task(persona), told, turns_left(state, yours=True), self.lookups.offer)

    def repeated(self, who: str, talk: Read, moves: tuple[Move, ...]) -> int | None:
        """Return the message that a reply repeats without a new move; closing words may restate, but not copy."""
        repeats = self.memory.parts.repetition
        number = repeats.copied(talk) if self._stage == "closing" else repeats.repeated(who, talk)
        if number is None or repeats.adds(who, moves, self.memory.on_the_table, self.memory.last_position(who)):
            return None
        return number

    def again(self, prompt: Prompt, number: int) -> Prompt:
        """Return the prompt once more, with the message `number` that the first reply repeated."""
        line = self.memory.parts.messages.line(number)
        return prompt.once_more(
            self._fill("speak-again", number=str(number), who=quoted(line.who), text=quoted(line.text[:READ]))
        )

    def moderator(self, why: Occasion, **slots: str) -> ModeratorSpoke:
        """Return what the moderator says on an occasion, by the text of that name."""
        return ModeratorSpoke(text=self._fill(why, **slots), why=why)

    def shown(self, persona: Persona, texts: tuple[BallotText, ...], by: object) -> tuple[BallotText, ...]:
        """Return the texts in the order in which the member sees them, with letters where a runner `by` shows some."""
        told = {"lettered": getattr(by, "letters", False)}
        return tuple(t.model_copy(update=told) for t in shown_order(texts, self.started.seed, persona.title))

    def vote(
        self,
        persona: Persona,
        texts: tuple[BallotText, ...],
        hears: Hears = hears_all,
        *,
        first: bool = False,
        answer: AnswerKind = "one",
    ) -> Prompt:
        """Return the prompt for a vote on `texts`; the `first` is cast before anybody has spoken."""
        rule, task = deciding_rule(self.state), self.state.agenda.ballot_text
        slots = ballot_slots(self.shown(persona, texts, None), rule, task, first=first, answer=answer)
        rules, instruction = self._prompts.halves("ballot", **slots)
        opened = "" if first else opened_with(persona.title, self.state, self.memory)
        instruction = _paragraphs(opened, told(self.state, self.memory, self._fill, texts), instruction)
        form = answers.ScoredAnswer if rule.counts == "scores" else answers.BallotAnswer
        strict = ballot_schema(texts, rule.counts, first=first, answer=answer)
        of: dict[str, Any] = {"rules": rules, "texts": texts, "answer": form, "strict": strict, "together": True}
        return self._whole("ballot", persona, partial(str, instruction), hears, **of)

    def poll(
        self, persona: Persona, texts: tuple[BallotText, ...], hears: Hears = hears_all, survey: Poll | None = None
    ) -> Prompt:
        """Return the prompt that asks a member privately what it holds; a `survey` has the same words each time."""
        earlier = {"earlier": "", "moved": ""} if survey else earlier_answer(persona.title, self.state)
        beliefs = survey is not None and survey.ask == "beliefs"
        name, answer = ("beliefs", answers.BeliefsAnswer) if beliefs else ("poll", answers.PollAnswer)
        told = partial(self._fill, name, choices=by_ids(self.shown(persona, texts, None)), **earlier)
        strict = None if beliefs else poll_schema(texts, moved=bool(earlier["moved"]))
        return self._whole("poll", persona, told, hears, texts=texts, answer=answer, together=True, strict=strict)

    def terms(self, persona: Persona, text: Proposal, hears: Hears = hears_all) -> Prompt:
        """Return the prompt that asks a member what would bring it in for a text."""
        task = partial(self._fill, "terms", id=text.id, text=quoted(text.content))
        form: dict[str, Any] = {"answer": answers.TermsAnswer, "strict": TERMS}
        return self._whole("terms", persona, task, hears, about=text.content, together=True, **form)

    def declare(self, persona: Persona, texts: Mapping[str, str], hears: Hears = hears_all) -> Prompt:
        """Return the prompt that asks a member what its messages declare, or its last one in vain, on open `texts`."""
        why = self._lost(persona, "declare-lost") or self._fill("declare-silent")
        listed = "\n".join(f"{key}: {quoted(text)}" for key, text in texts.items()) or "none yet"
        denied = to_deny(persona.title, why.partition("\n")[2], self.memory, hears)
        strict, deny = acts_schema(answers.DeclaredAct, [*texts, *denied]), f", deny (on {' or '.join(denied)})"
        task = partial(self._fill, "declare", why=why.strip(), texts=listed, deny=deny * bool(denied))
        return self._whole("declare", persona, task, hears, answer=answers.DeclaredActs, strict=strict)

    @property
    def _stage(self) -> Stage:
        return self.started.agenda.stages[self.state.phase]

    def _task(self, persona: Persona) -> str:
        """Return what the phase asks of a speaker."""
        at = self.state.at
        if at is None or not at.instruction:
            return self._fill(f"speak-{self._stage}")
        polled, blocks = statistics_of(self.state.polled), blocks_of(self.state.ballots)
        slots = {"side": argued(persona, self.state), "statistics": polled, "blocks": blocks}
        return filled(at.instruction.strip(), slots)

    @property
    def _asks(self) -> str:
        """What the phase asks of a speaker, as prompts for bids and the moderator say it."""
        at = self.state.at
        text = (at.instruction if at else "") or self._fill(f"speak-{self._stage}")
        line = phase_line(self.state.phase, text) + blocked(text, self.state.ballots)
        return f"\n{line}\n" if line else ""

    def bid(self, whom: Persona | Sequence[Persona], hears: Hears = hears_all) -> Prompt:
        """Return the prompt that asks one member for its bid, or several in one call."""
        if isinstance(whom, Persona):
            argues = argued(whom, self.state)
            side = f"You argue: {argues}.\n" if argues else ""
            side += f"{told}\n" if (told := told_before(whom, self.state)) else ""
            cares = f"{self._asked_as(whom)}\n" if self.state.agenda.anonymous else ""
            facts = {"persona": whom, "answer": answers.BidAnswer, "strict": bids_schema()}
            return self._asked("bid", facts, hears, side=side, title=whom.title, cares=cares)
        sketches = "\n".join(map(self._asked_as, whom))
        serves = (len(self.members) + 1) // 2 if self.state.settings.bids == "list" else 1
        strict = bids_schema([member.title for member in self.members if not member.person])
        facts = {"asked": tuple(whom), "serves": serves, "answer": answers.BidsAnswer, "strict": strict}
        return self._asked("bids", facts, hears, asked=sketches)

    def _asked_as(self, member: Persona) -> str:
        """Return whom a prompt asks for a bid: by name where all know what it stands for."""
        hidden = self.state.agenda.anonymous
        return sketch(member, argued(member, self.state), named=False) if hidden else f"- {quoted(member.title)}"

    def moderate(self, members: tuple[str, ...]) -> Prompt:
        """Return the prompt that has the moderator give the floor to one of `members`."""
        spoke = self.state.spoke_at
        said = {
            title: f"spoke last in m{spoke[title]}" if title in spoke else "has not spoken yet" for title in members
        }
        listed = "\n".join(f"- {title} ({when})" for title, when in said.items())
        return self._asked("moderate", {"members": members, "answer": answers.ModerateAnswer}, members=listed)

    def ask(self, persona: Persona, who: str, question: str) -> Prompt:
        """Return the prompt for a question aside by `who`: the context of a speech, and their last exchanges."""
        talk = self.memory.parts.side_talk.exchanges(persona.title, who, self.state.settings.side_exchanges)
        lines = "\n".join(f"{third_person(line.who)}: {quoted(line.text)}" for line in talk)
        before = f"\nYour talk so far:\n{lines}\n" if talk else ""
        told = partial(self._fill, "ask", who=third_person(who), question=quoted(question), before=before)
        return self._whole("ask", persona, told, about=question)

    def _asked(
        self,
        name: Literal["bid", "bids", "moderate"],
        facts: Mapping[str, Any],
        hears: Hears = hears_all,
        **slots: str,
    ) -> Prompt:
        """Return the prompt for a bid or the moderator: what all share, then the text of that name, filled."""

        def words(context: Context) -> tuple[tuple[str, ...], str]:
            nudge = f"\nModerator: {self._fill('silence')}\n" if self.state.silent else ""
            turns = _paragraphs(told(self.state, self.memory, self._fill), turns_left(self.state))
            asks = self._fill(name, nudge=nudge, turns=turns, phase=self._asks, **slots)
            return (), _paragraphs(*in_parts(context.section("table")), asks)

        return self._prompt("moderate" if name == "moderate" else "bid", self._context(None, hears), words, **facts)

    def _prompt(
        self, purpose: Purpose, context: Context, words: _Words, persona: Persona | None = None, **facts: Any
    ) -> Prompt:
        """Return a prompt: its words, and the `facts` that stand beside them.

        The words are what all calls share, in parts to which others are added, and what `words` makes of the context.
        """
        question = self.known.question(self.members, self.sides)
        begins = (*question, *in_parts(context.section("summaries")))
        held, own = words(context)
        titles = tuple(member.title for member in self.members)
        given = {"options": self.started.options, "members": titles, **facts}
        if self.state.settings.ballots != "schema" and (given.get("strict") or purpose == "poll"):
            given["strict"] = {}
        return Prompt(
            purpose=purpose,
            agent=persona.title if persona else "",
            last=self.state.heard,
            nth=self.state.calls.next(purpose, persona.title if persona else ""),
            seed=self.started.seed,
            phase=self.state.phase,
            stage=self._stage,
            side=side_of(persona, self.state) if persona else "",
            noun=self.state.agenda.noun,
            day=self.started.day,
            terms=bool(self.state.settings.terms),
            system=self.known.house,
            question=self.started.question,
            persona=persona,
            documents=self.started.documents,
            proposals=self.memory.on_the_table,
            positions={who: last for who in titles if (last := self.memory.last_position(who))},
            lines=context.lines,
            shared=(*begins, *growing(context)),
            ends=(len(question), len(begins)),
            held=held,
            own=own,
            **given,
        )

    def _context(self, who: str | None, hears: Hears, about: str | None = None) -> Context:
        """Return the full context, without messages that the member has not heard."""
        context = self.memory.full_context(who, about=about, growing=True)
        if hears is hears_all:
            return context
        lines = tuple(line for line in context.lines if hears(line.number))
        sections = (heard(section, hears) for section in context.sections)
        return replace(context, lines=lines, sections=tuple(section for section in sections if section.lines))

    def summarise(self, source: SummaryInput, attempt: int, refused: Refused | None = None) -> Prompt:
        """Return the prompt for a summary of a range, after a draft that was refused with that draft."""
        nth = self.state.calls.next("summarise", "") + attempt - 1  # earlier tries are stored with the summary
        prompt = summary_prompt(self.started, self._fill, source, nth, attempt, refused)
        if source.due.level > 1:
            return prompt
        begins = self.known.question(self.members, self.sides) if self.started.question else ()
        shared = (*begins, *source.shown)
        return replace(prompt, system=self.known.house if begins else "", shared=shared, ends=(len(begins),))

    def report(self, options: Sequence[str], answer: type[BaseModel], words: Callable[[Sequence[Line]], str]) -> Prompt:
        """Return the prompt of the report: what all calls share, then what `words` makes of the messages in it."""
        context, facts = self._context(None, hears_all), {"options": tuple(options), "answer": answer}
        return self._prompt("report", context, lambda context: ((), words(context.lines)), None, **facts)

    def _whole(
        self,
        purpose: Literal["speak", "ballot", "poll", "ask", "declare", "terms"],
        persona: Persona,
        instruction: Callable[[], str],
        hears: Hears = hears_all,
        *,
        rules: str = "",
        news: Callable[[], str] = str,
        texts: tuple[BallotText, ...] = (),
        answer: type[BaseModel] | None = None,
        strict: Mapping[str, Any] | None = None,
        about: str | None = None,
        together: bool = False,
    ) -> Prompt:
        """Return a whole prompt: house rules, what all share, memory, who the member is, the instruction.

        If all are asked `together`, their memory sections are the same except each one's position. So they stand in
        `held`, where the first call writes them into the cache and the others read them, with the `rules` for all. The
        member is told who it is, the `news`, and last the `instruction`.
        """
        options = tuple(text.text for text in texts) or self.started.options
        asked = {"texts": texts, "options": options, "answer": answer, "strict": strict, "about": about or ""}
        task, stage, last = instruction(), self._stage, self.state.heard

        def words(context: Context) -> tuple[tuple[str, ...], str]:
            sections = [
                self._beside(each, context, texts) for each in context.sections if is_held(each, purpose, stage, last)
            ]
            own = [section.text for section in sections if section.name == "position" or not together]
            common = [section.text for section in sections if section.name != "position" and together]
            if read := self.read(context, about if purpose == "ask" else None):
                (common if together else own).insert(0, read)
            who = introduced(persona, self._fill, public=not self.state.agenda.anonymous)
            told = (who, told_before(persona, self.state), sides_told(persona, self.state), news(), task)
            return (*common, *filter(None, [rules])), _paragraphs(*own, *told)

        aside = about if purpose == "ask" else None  # the panel's own questions share the panel's transcript
        return self._prompt(purpose, self._context(persona.title, hears, aside), words, persona, task=task, **asked)

    def _beside(self, section: Section, context: Context, texts: Sequence[BallotText]) -> Section:
        """Return a section of a prompt below which stand the `texts` of a vote: the table without what they tell."""
        if section.name != "table" or not texts:
            return section
        told_from, below = context.lines[0].number if context.lines else 0, frozenset(text.id for text in texts)
        return self.memory.table(self.memory.parts.full_budget // 4, told_from, below)

    def read(self, context: Context, about: str | None = None) -> str:
        """Return passages of context files too long to be shown, about a question or the last messages."""
        last = [line.text for line in context.lines[-3:]]
        return self.known.reading.passages("\n".join((self.started.question, *([about] if about else last))))

    @property
    def members(self) -> tuple[Persona, ...]:
        """Who sits now, in seat order, without persons who have left."""
        return tuple(self.state.personas[title] for title in self.state.voters) or self.started.members

    @property
    def sides(self) -> tuple[str, ...]:
        """The side that each of them argues."""
        return tuple([argued(member, self.state) if self.state.agenda.sides else "" for member in self.members])
