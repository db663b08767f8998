"""Asks a model what of a copy without names may still tell who somebody is. What it finds is listed, never acted on."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from eda.debate.asking import ask_for_fields
from eda.debate.prompts.texts import Prompts
from eda.errors import RunnerError
from eda.runners.answers import TellingAnswer
from eda.runners.protocol import Prompt, Runner, closing
from eda.runners.repair import answer_in
from eda.text import quoted

_ROOM = 40_000  # Characters of texts in one call.


async def telling_in(texts: Mapping[str, str], runner: Runner) -> dict[str, list[str]]:
    """Return what a model names that stands in the texts, with the places where it does; the runner is closed then.

    Raises:
        RunnerError: a call failed, or its answer could not be read: what was not looked at is not known.
    """
    prompts, named = Prompts(), list[str]()
    async with closing(runner):
        for nth, part in enumerate(_parts(texts.values()), 1):
            own = prompts.fill("recognised", texts=quoted(part))
            prompt = Prompt(purpose="read", nth=nth, own=own, answer=TellingAnswer)
            answer = await ask_for_fields(runner, prompt, partial(answer_in, TellingAnswer), prompts.corrected)
            if answer.fields is None:
                raise answer.error or RunnerError(answer.why)
            named += answer.fields["telling"]
    told = filter(None, dict.fromkeys(map(str.strip, named)))
    places = {each: [place for place, text in texts.items() if each in text] for each in told}
    return {each: where for each, where in places.items() if where}


def _parts(texts: Iterable[str]) -> Iterator[str]:
    """Yield all texts, each once, in pieces that fit into a call."""
    text = "\n".join(dict.fromkeys(texts))
    yield from (text[start : start + _ROOM] for start in range(0, len(text), _ROOM))
