"""Previews the next prompt of a member."""

from eda.debate.floor.stop import first_voters
from eda.debate.person import member_called
from eda.debate.prompts.builder import PromptBuilder
from eda.debate.prompts.member_view import seen_by
from eda.debate.replay import read_back
from eda.debate.verdict import answer_of, given_to, offered_to, paper_of, polled_now, slate_now
from eda.session import Session


def speaker_prompt(session: Session, agent: str) -> str:
    """Return the prompt that `agent` would be given next, for its speech or vote.

    Raises:
        UnknownNameError: nobody of that name sits on the panel.
    """
    progress, memory = read_back(session)
    persona = member_called(progress.panel, agent)
    if progress.does.asks == "nothing":
        progress.phase = progress.agenda.taken_up_at  # what a session that is taken up again begins with
    briefing = seen_by(PromptBuilder(session.started(), memory, progress), persona.title)
    progress, memory = briefing.state, briefing.memory
    if progress.does.asks == "first-ballot" or persona.title in first_voters(progress):
        return briefing.vote(persona, given_to(progress), first=True, answer=answer_of(progress)).text
    if progress.does.ballots:
        texts = paper_of(progress.ballots[0]).texts if progress.ballots else slate_now(progress, memory).texts
        offered = offered_to(persona.title, texts, progress, memory)
        return briefing.vote(persona, offered, answer=answer_of(progress)).text
    if progress.does.asks == "poll":
        return briefing.poll(persona, polled_now(progress, memory)).text
    holds_floor = progress.grant is not None and progress.grant.agent == persona.title
    return briefing.speak(persona, progress.grant if holds_floor else None).text
