"""The cues of a message of recorded talk: what its form, its words and the turns around it say. None is of a topic."""

from eda.events import MessagePosted
from eda.memory.minutes.state import RecentMessage, Scene, State
from eda.memory.patterns import Language
from eda.text import names, regex

NEAR = 4  # Newest open proposals whose authors a message may name.
_TOKEN = regex(r"[a-z]+(?:'[a-z]+)?")
_FIGURE = regex(r"\d")
SHORT = 40  # Words up to which single words are cues; in longer messages nearly every one occurs.
_LENGTHS = ((1, "words-1"), (3, "words-3"), (7, "words-7"), (15, "words-15"), (40, "words-40"), (90, "words-90"))
_PACES = ((9.0, "talk-terse"), (20.0, "talk-brief"), (45.0, "talk-mid"))
PROSE = 20.0  # Words a message above which talk is prose.


def cues_of(state: State, message: MessagePosted, plain: str, options: tuple[str, ...]) -> list[str]:
    """Return the cues of a message that is not remembered yet, whose text begins `plain` and names some options."""
    scene, who = state.scene, message.who
    low = plain.lower()
    size = plain.count(" ") + 1 if plain else 0
    pace = paced(scene, size)
    cues = ["any"]
    cues.append(next((name for limit, name in _LENGTHS if size <= limit), "words-many"))
    cues.append(next((name for limit, name in _PACES if pace <= limit), "talk-long"))
    if size <= SHORT:
        cues += _word_cues(low, state.language)
    tail = plain.rstrip(" \"')*_")
    punctuation = {
        "asks": tail.endswith("?"),
        "asks-within": "?" in plain and not tail.endswith("?"),
        "no-stop": tail[-1:].isalnum(),
        "small-start": plain[:1].islower(),
        "figures": _FIGURE.search(plain),
        "quotes": '"' in plain,
    }
    cues += [cue for cue, holds in punctuation.items() if holds]
    cues += _turn_cues(scene, who, message.number)
    open_by = [item.by for item in state.newest_open(NEAR)]
    cues += ["names-proposer"] * any(name != who and names(low, name) for name in open_by) if open_by else ["none-open"]
    cues += ["chair"] * bool(who == scene.convener or state.language.is_chair(who))
    cues += ["first-turn"] * (state.agents[who].message_count == 1)
    if state.options.options:
        cues += _option_cues(state, message, options, size)
    return cues


def paced(scene: Scene, size: int) -> float:
    """Return the running mean of words a message after a message of `size` words."""
    return scene.pace + (size - scene.pace) / min(scene.count + 1, 20)


def reach(scene: Scene) -> float:
    """Return the messages over which a reaction is taken to answer the newest message."""
    return 10.0 if scene.pace > PROSE else 6.0


def register_of(state: State, size: int) -> str:
    """Return the kind of talk with a message of `size` words: one of `findings.REGISTERS`."""
    if paced(state.scene, size) > PROSE:
        return "prose"
    return "choice" if state.options.options else "terse"


def remember(scene: Scene, message: RecentMessage, size: int) -> None:
    """Add a message of `size` words to those that surround the next one."""
    scene.pace = paced(scene, size)
    scene.count += 1
    scene.convener = scene.convener or message.who
    scene.recent.append(message)


def _turn_cues(scene: Scene, who: str, number: int) -> list[str]:
    """Return what the turns before say: who had the last one, and how far back the last proposal is."""
    if not scene.recent:
        return ["opens"]
    cues = ["goes-on"] if scene.recent[-1].who == who else ["was-asked"] * bool(scene.recent[-1].asks)
    proposal = next((message for message in reversed(scene.recent) if message.proposes), None)
    if proposal is not None:
        gap = number - proposal.number
        cues.append(f"{'own' if proposal.who == who else 'other'}-proposal-{gap if gap < 4 else 'past'}")
    return cues


def _option_cues(state: State, message: MessagePosted, options: tuple[str, ...], size: int) -> list[str]:
    """Return what the options say that a message names."""
    if not options:
        return ["option-none"]
    cues = ["option-one" if len(options) == 1 else "option-more"]
    cues += ["option-only"] * bool(state.options.only(message.talk, options)) + ["option-short"] * (size < 12)
    cues.append("option-held" if options == state.agents[message.who].holds else "option-new")
    last = next((each.options for each in reversed(state.scene.recent) if each.options), None)
    return cues if last is None else [*cues, "option-echo" if last == options else "option-other"]


def _word_cues(low: str, language: Language) -> list[str]:
    """Return the cue words of a text in lower case, and whether it begins with one."""
    tokens = _TOKEN.findall(low)
    if not tokens:
        return []
    cues = [f"has-{word}" for word in language.cue_words.intersection(tokens)]
    cues.append(f"begins-{tokens[0]}" if tokens[0] in language.cue_words else "begins-otherwise")
    return cues
