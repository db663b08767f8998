"""Members named by a model in Markdown are the members."""

from __future__ import annotations

import json

from eda import Reply
from eda.debate.asking import read_bids
from eda.debate.driver import _named as grant_read


def test_a_member_in_bold_is_that_member() -> None:
    """Without it the floor goes to nobody because a small model writes names in bold."""
    answer = {"bids": [{"agent": "**Ann**", "wants": True}, {"agent": "@Bob", "wants": False}]}
    bids = read_bids(Reply(json.dumps(answer)), ["Ann", "Bob"])
    assert bids is not None
    assert [(bid.agent, bid.wants, bid.reason) for bid in bids] == [("Ann", True, ""), ("Bob", False, "")]
    named, wrong = grant_read(Reply('{"agent": "**Ann**", "why": null}'), ["Ann"])
    assert (named, wrong) == ({"agent": "Ann", "wants": True, "reason": ""}, "")
    assert grant_read(Reply("Ann."), ["Ann", "Bob"])[0] == named
    assert grant_read(Reply("Ann or Bob"), ["Ann", "Bob"]) == (None, "'Ann or Bob' is nobody who may speak now")
