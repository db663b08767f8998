"""Compares messages by meaning, where the extra `embeddings` is installed. Never uses the network.

Each message gets the mean of the static vectors of its word pieces. Model: WordLlama l2_supercat, 256 dimensions
(https://github.com/dleemiller/WordLlama, MIT). Only the two data files in its wheel are read; its code is not run.
"""

from __future__ import annotations

import importlib.util
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

from eda.memory.recall.index import NEAR, worth
from eda.words import ENGLISH

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float32]

_WEIGHTS = Path("weights", "l2_supercat_256.safetensors")
_TENSOR = "embedding.weight"
_PIECES = Path("tokenizers", "l2_supercat_tokenizer_config.json")
_MOST_CHARACTERS = 4_000  # Characters read of a text: the rest of a longer one does not change what it is about.
_AT_ONCE = 4_096  # Vectors widened from int8 at a time: 4 MB.
_OTHERS = 10  # Most results of a search that neither have a word of the query nor are beside a message that has one.
_LOOKED_AT = 1_000  # Nearest messages that are filtered.
_ALIKE = 0.3  # Least cosine of a message without a word of the query. Unrelated texts stay below 0.1.


class Embedder(Protocol):
    """Turns texts into vectors; the vector of a text does not depend on the others."""

    def vectors(self, texts: Sequence[str]) -> Matrix:
        """Return a row for each text, not of unit length; zeros for a text without words."""


def find() -> Embedder | None:
    """Return the installed embedder; None without the extra, or where it is damaged. Loaded once."""
    embedder = _look()
    return None if isinstance(embedder, str) else embedder


def broken() -> str:
    """Return why an installed extra cannot be used; empty where it can, or is not installed."""
    embedder = _look()
    return embedder if isinstance(embedder, str) else ""


class Meanings:
    """The vectors of one conversation's messages, 260 bytes each, by message number from 1."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._codes = bytearray()  # Rows of int8.
        self._scales = array("f")  # The factor of each row.

    @property
    def count(self) -> int:
        """The number of the last message added."""
        return len(self._scales)

    def extend(self, texts: Sequence[str]) -> None:
        """Add the next messages."""
        import numpy as np

        rows = self._embedder.vectors(texts)
        scales = np.abs(rows).max(axis=1) / 127
        whole = rows / np.where(scales > 0, scales, 1)[:, None]
        self._codes += np.round(whole).astype(np.int8).tobytes()
        self._scales.extend(scales.tolist())

    def about(
        self, query: str, messages: Iterable[int], wanted: Callable[[int], bool], lengths: Sequence[int]
    ) -> dict[int, float]:
        """Return the similarity of `messages` and of some wanted others to the query, each with its neighbours.

        A similarity is from 0 to 1. A neighbour n messages away counts `NEAR[n - 1]` as much, and each message counts
        by its words, of which `lengths` has the number. All messages are compared, which takes about 2 µs each.
        """
        import numpy as np

        target = self._embedder.vectors([query])[0]
        size = float(np.linalg.norm(target))
        if not size or not self.count:
            return dict.fromkeys(messages, 0.0)
        target = target / size
        numbers = sorted({*messages, *self._others(target, wanted, lengths)})
        middle = np.array(numbers, dtype=np.int64)
        near = self._weighted(middle, lengths)
        for away, share in enumerate(NEAR, 1):
            near += share * (self._weighted(middle - away, lengths) + self._weighted(middle + away, lengths))
        sizes = np.linalg.norm(near, axis=1)
        cosines = (near @ target / np.where(sizes > 0, sizes, 1)).tolist()
        return {n: max(cosine, 0.0) * worth(lengths[n]) for n, cosine in zip(numbers, cosines, strict=True)}

    def _others(self, target: Matrix, wanted: Callable[[int], bool], lengths: Sequence[int]) -> list[int]:
        """Return the `_OTHERS` wanted messages that are nearest to the query by themselves."""
        import numpy as np

        codes = self._rows()
        cosines = np.empty(self.count, dtype=np.float32)
        for start in range(0, self.count, _AT_ONCE):
            wide = codes[start : start + _AT_ONCE].astype(np.float32)
            sizes = np.sqrt(np.einsum("ij,ij->i", wide, wide))
            cosines[start : start + _AT_ONCE] = wide @ target / np.where(sizes > 0, sizes, 1)
        nearest = np.argsort(-cosines, kind="stable")[:_LOOKED_AT].tolist()
        alike = [(float(cosines[row]), row + 1) for row in nearest if cosines[row] >= _ALIKE and wanted(row + 1)]
        return [n for _, n in sorted(alike, key=lambda each: (-each[0] * worth(lengths[each[1]]), each[1]))[:_OTHERS]]

    def _weighted(self, numbers: NDArray[np.int64], lengths: Sequence[int]) -> Matrix:
        """Return the vectors of messages times their words; zeros outside the conversation."""
        import numpy as np

        inside = np.clip(numbers, 1, self.count)
        scales = np.frombuffer(self._scales, dtype=np.float32)[inside - 1]
        weights = np.array([lengths[n] for n in inside.tolist()], dtype=np.float32) * scales * (inside == numbers)
        weighted: Matrix = self._rows()[inside - 1].astype(np.float32) * weights[:, None].astype(np.float32)
        return weighted

    def _rows(self) -> NDArray[np.int8]:
        import numpy as np

        return np.frombuffer(self._codes, dtype=np.int8).reshape(self.count, -1)


class _WordVectors:
    def __init__(self, folder: Path) -> None:
        from safetensors.numpy import load_file
        from tokenizers import Tokenizer

        self._weights: NDArray[np.float16] = load_file(str(folder / _WEIGHTS))[_TENSOR]
        self._pieces: Any = Tokenizer.from_file(str(folder / _PIECES))
        self._pieces.no_padding()
        self._pieces.no_truncation()

    def vectors(self, texts: Sequence[str]) -> Matrix:
        import numpy as np

        rows = np.zeros((len(texts), self._weights.shape[1]), dtype=np.float32)
        for row, text in enumerate(texts):
            # One at a time: a batch would start threads, and the library then warns of every fork.
            clean = text[:_MOST_CHARACTERS].encode("utf-8", "replace").decode()
            ids = self._pieces.encode(clean, add_special_tokens=False).ids
            if ids:
                rows[row] = self._weights[ids].astype(np.float32).mean(axis=0)
        return rows


@cache
def _look() -> Embedder | str | None:
    """Return the embedder, why it does not work, or None where it is not installed."""
    try:
        package = importlib.util.find_spec("wordllama")
    except (ImportError, ValueError):
        return None
    if package is None or not package.submodule_search_locations:
        return None
    try:
        embedder = _WordVectors(Path(package.submodule_search_locations[0]))
        embedder.vectors(["probe"])
    except Exception as error:  # noqa: BLE001 - whatever is damaged, search goes on by words
        return ENGLISH.say("recall-damaged", kind=type(error).__name__, why=str(error))
    return embedder
