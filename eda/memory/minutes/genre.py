"""What kind of talk the minutes are taken of, and what counts in it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Genre:
    """What counts in one kind of talk. It may change as the talk shows its form."""

    recorded: bool = False
    """What is stated as decided holds unless it is denied, and a remark may answer what was said just before. Elsewhere
    only a ballot decides, and a remark must name, quote or describe what it answers."""
    own: bool = True
    """Speakers say what they think themselves. Otherwise they argue a side that they were given."""
    firm: bool = False
    """Members declare moves, so that free talk counts only where it is sure."""
    spoken: bool = True
    """Turns of speech propose and decide. Where proposals are voted on in writing, they do not."""
    titled: bool = False
    """Proposals have a title (`PROPOSED:`). A text without one is no proposal."""

    def with_moves(self) -> Genre:
        """Return the genre of the same talk once somebody has declared a move."""
        return self if self.firm else replace(self, firm=True)

    def with_votes(self, *, titled: bool) -> Genre:
        """Return the genre of the same talk once proposals are voted on in writing; a debate has ballots for that."""
        return replace(self, spoken=False, titled=self.titled or titled) if self.recorded else self


DEBATE = Genre()
"""Members deliberate, and vote in ballots."""
ARGUED = Genre(own=False)
"""The same, where each argues a side that it was given."""
TRANSCRIPT = Genre(recorded=True)
"""A recorded conversation: written minutes, a meeting or a chat."""
