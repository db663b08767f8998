"""Words of the example's page and report, and the share of sequences of twelve words that stand there before.

`python benchmarks/page_words.py [FOLDER]`: the folder of a session that has a report. Left out are the transcript, what
only a screen reader is told, the contents and the buttons.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

EXAMPLE = Path(__file__).resolve().parent.parent / "sessions/example"
LENGTH = 12
ONE_PAGE = ("", "verdict", "followed", "story", "minds", "hinges", "open", "promised", "sure")
"""The parts that are read in a minute; "" is what stands above them. Of a fold only its label is part of it."""
INLINE = {"a", "b", "bdi", "del", "i", "ins", "q", "small", "span"}
"""Tags that part no words: `(<a>m16</a>)` is one."""
HIDDEN = {"head", "script", "style", "svg", "nav", "button"}


class Page(HTMLParser):
    """Reads the words of a page by its sections; those of a fold apart."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: dict[tuple[str, bool], str] = {}
        self._section, self._open = "", list[tuple[str, bool, bool]]()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note whether a tag hides, or folds, what stands in it."""
        given = dict(attrs)
        kinds = (given.get("class") or "").split()
        hides = tag in HIDDEN or given.get("aria-hidden") == "true" or {"skip", "contents"} & {*kinds}
        self._section = given.get("id") or "" if tag == "section" else self._section
        self._told("" if tag in INLINE else " ")
        self._open.append((tag, bool(hides), tag == "details"))

    def handle_endtag(self, tag: str) -> None:
        """Leave a tag, and what was left open in it."""
        tags = [name for name, *_ in self._open]
        if tag in tags:
            del self._open[len(tags) - 1 - tags[::-1].index(tag) :]
        self._told("" if tag in INLINE else " ")

    def handle_data(self, data: str) -> None:
        """Note what is shown."""
        self._told(data)

    @property
    def parts(self) -> dict[tuple[str, bool], list[str]]:
        """The words by section; True of what a fold hides."""
        return {key: text.split() for key, text in self.texts.items()}

    def _told(self, data: str) -> None:
        if not any(hides for _, hides, _ in self._open):
            folds = [nth for nth, (*_, fold) in enumerate(self._open) if fold]
            label = len(folds) == 1 and any(tag == "summary" for tag, *_ in self._open[folds[0] :])
            fold = bool(folds) and not label  # the label of a fold is seen before it is opened
            key = self._section, fold
            self.texts[key] = self.texts.get(key, "") + data


def repeated(words: list[str]) -> float:
    """Return the share of sequences that stood before."""
    plain = re.findall(r"\w+", " ".join(words).lower())
    runs = Counter(tuple(plain[at : at + LENGTH]) for at in range(len(plain) - LENGTH + 1))
    return sum(count - 1 for count in runs.values()) / max(1, runs.total())


def main() -> None:
    """Print the figures."""
    folder = Path(sys.argv[1]) if sys.argv[1:] else EXAMPLE
    report = (folder / "report.md").read_text("utf-8").partition("\n## Transcript")[0]
    words = re.sub(r"[#*>|`~_-]+", " ", report).split()
    print(f"report: {len(words)} words, {repeated(words):.3f} repeated")
    page = Page()
    page.feed((folder / "report.html").read_text("utf-8"))
    told = {key: texts for key, texts in page.parts.items() if key[0] != "transcript"}
    size = {name: len(told.get((name, False), ())) for name in ONE_PAGE}
    print(f"page: {repeated([word for texts in told.values() for word in texts]):.3f} repeated")
    print(
        f"to the end of the whole text: {size[''] + size['verdict']} words; with every section of the one page:",
        end=" ",
    )
    print(f"{sum(size.values())} ({', '.join(f'{name} {count}' for name, count in size.items() if name and count)})")


if __name__ == "__main__":
    main()
