"""What counts of a tag in any dress, and what its author is told by name of one that does not count."""

from __future__ import annotations

from time import process_time

import pytest
from folded import debated
from in_turn import in_one
from told import Told, persona

from eda.debate.prompts.slots import in_words, uncounted
from eda.events import LineAnswered, MessagePosted, Move, PhaseStarted
from eda.memory.context.acts import act_line
from eda.memory.minutes.declared_moves import read_reply

MEMBERS = (persona("Lena", "librarian"), persona("Ben", "treasurer"), persona("Maya", "reader"))
PUT = (
    ("Lena", "I want Sundays.\n[PROPOSE] Open the library on Sundays."),
    ("Ben", "I want staff.\n[PROPOSE] Hire one more librarian."),
    ("Maya", "I want no cafe.\n[PROPOSE] Close the cafe."),
)
HOURS = ("Keep the hours", "Cut the hours")
NO_SIDE = "does not say what is taken back: write my support, my opposition or my condition"
OTHERWISE = "its own words say otherwise, or leave it open"
INSIDE = "a move begins its line, with its tag in brackets"
COUNTS = [
    (
        "[PROPOSE Longer Fridays]\nThe library stays open until nine on each Friday.",
        "proposes p4.0: The library stays open until nine on each Friday.",
    ),
    (
        "**[PROPOSE Longer Fridays]**\n- Open until nine on each Friday from May\n- one librarian stays",
        "proposes p4.0: Open until nine on each Friday from May; one librarian stays",
    ),
    (
        "[AMEND p2 Half a post]\nHire one more librarian for half of the week.\nThanks!",
        "amends p2.0 as p4.0: Hire one more librarian for half of the week.",
    ),
    (
        "[PROPOSE Open until nine on Fridays]\nI believe that this is all we need in the winter.",
        "proposes p4.0: Open until nine on Fridays",
    ),
    ("[PROPOSE Open until nine on Fridays]\nThat is all.", "proposes p4.0: Open until nine on Fridays"),
    ("[SUPPORT p2] (subject to a fence)", "supports p2.0, on a condition: (subject to a fence)"),
    ("SUPPORT p1 OPPOSE p2 - cheap, late", "supports p1.0\nopposes p2.0: cheap, late"),
    ("SUPPORT p1: those who OPPOSE p2 are late", "supports p1.0: those who OPPOSE p2 are late"),
    ("SUPPORT - p2\nPOSITION - o1", "supports p2.0\nposition: o1"),
    ("[OPPOSE p2] forget it, it is too dear", "opposes p2.0: forget it, it is too dear"),
    ("[OPPOSE p2] hang on to the money", "opposes p2.0: hang on to the money"),
    ("[OPPOSE p2] Quatsch, das hält nie", "opposes p2.0: Quatsch, das hält nie"),
    (
        '[SUPPORT p2] {"reason": "it is time", "condition": "the region pays", "confidence": 0.7}',
        'supports p2.0, on a condition ("if the region pays"): it is time; if the region pays',
    ),
    ('[SUPPORT p2] {"bedingung": "das Land zahlt"}', "supports p2.0, on a condition: if das Land zahlt"),
    ("[POSITION] o1. Lena convinced me.", "position: o1. Lena convinced me."),
    ("p1 is better than p2, and p2 would be fine, too.\n[SUPPORT p1]", "supports p1.0"),
    ("What does p2 cost?\n[SUPPORT p1]", "supports p1.0"),
    ("Ben keeps p2, as m2 says.\n[SUPPORT p1]", "supports p1.0"),
    ("[SUPPORT p2] It is Ben's idea, not mine.", "supports p2.0: It is Ben's idea, not mine."),
    ("Ich bin sicher, dass ich p2 unterstützen kann.\n[SUPPORT p2]", "supports p2.0"),
    ("Ich bin nicht sicher, ob p2 ein Datum braucht.\n[SUPPORT p2]", "supports p2.0"),
    ("Ich bin nicht sicher, ob ich p20 unterstützen kann.\n[SUPPORT p2]", "supports p2.0"),
    ("**[Support: p2]** It helps.", "supports p2.0: It helps."),
    ("SUPPORT p2 - because it helps", "supports p2.0: because it helps"),
    ("[SUPPORT p1, p2] both help", "supports p1.0: both help\nsupports p2.0: both help"),
    ('```json\n{"support":"p2"}\n```', "supports p2.0"),
    ('I like it.\n{"support": "p2"}', "supports p2.0"),
    ("<SUPPORT p2>it helps</SUPPORT>", "supports p2.0: it helps"),
    ("[AGREE p2] it helps", "supports p2.0: it helps"),
    ("[SUPPORT Lena's text]", "supports p1.0"),
    ("[SUPPORT Bens Vorschlag] das hilft", "supports p2.0: das hilft"),
    ("[SUPPORT Bens librarian]", "supports p2.0"),
    ("[SUPPORT p2] if the region pays", "supports p2.0, on a condition: if the region pays"),
    ("> [SUPPORT p2]", "supports p2.0"),
    ("[SUPPORT m2]", "supports p2.0"),
    ("[SUPPORT] p2, it helps", "supports p2.0: it helps"),
    ("(SUPPORT p2) it helps", "supports p2.0: it helps"),
    ("{SUPPORT p2}", "supports p2.0"),
    ("[[SUPPORT p2]]", "supports p2.0"),
    ("[UNTERSTÜTZE p2] hilft", "supports p2.0: hilft"),
    ("[ZUSTIMMUNG p2]", "supports p2.0"),
    ("[ABLEHNUNG p2] zu teuer", "opposes p2.0: zu teuer"),
    ("[DAFÜR p2]", "supports p2.0"),
    ("[RÜCKZUG p3]", "withdraws p3.0"),
    ("[VORSCHLAG] Samstags öffnen", "proposes p4.0: Samstags öffnen"),
    ("[SUPPORT p2] wenn die Region zahlt", "supports p2.0, on a condition: wenn die Region zahlt"),
    ("[SUPPORT P2]", "supports p2.0"),
    ("`[SUPPORT p2]`", "supports p2.0"),
    ("Here is it:\n```\n[SUPPORT p2]\n```", "supports p2.0"),
    ("```\n[SUPPORT p2]\n```", "supports p2.0"),
    ("I like it.\n```\n[SUPPORT p2]\n```", "supports p2.0"),
    ("[WITHDRAWAL p3]", "withdraws p3.0"),
    ("SUPPORT p2] it helps", "supports p2.0: it helps"),
    ("[SUPPORT p2 because it helps]", "supports p2.0: because it helps"),
    ("[SUPPORT p1] [SUPPORT p2]", "supports p1.0\nsupports p2.0"),
    ("[SUPPORT p2 over p1]", "supports p2.0: over p1"),
    ("[SUPPORT p2 not p1]", "supports p2.0: not p1"),
    ("[SUPPORT o1] [OPPOSE o2]", "supports o1\nopposes o2"),
    ("[ENDORSE p2]", "supports p2.0"),
    ("[SECOND p2]", "supports p2.0"),
    ("[ABSTAIN p2]", "is undecided on p2.0"),
    ("[NEUTRAL p2]", "is undecided on p2.0"),
    ("[UNDECIDED p2]", "is undecided on p2.0"),
    ("[BLOCK p2]", "opposes p2.0"),
    ("[REJECT p2] too dear", "opposes p2.0: too dear"),
    ("SUPPORT: p2\nOPPOSE: p1", "supports p2.0\nopposes p1.0"),
    ("| SUPPORT | p2 |", "supports p2.0"),
    ("【SUPPORT p2】", "supports p2.0"),
    ("[ SUPPORT  p2 ]", "supports p2.0"),
    ("[SUPPORT_p2]", "supports p2.0"),
    ("[SUPPORT-p2]", "supports p2.0"),
    ("[SUPPORTS p2]", "supports p2.0"),
    ("SUPPORT p2", "supports p2.0"),
    ("[SUPPORT: Ben]", "supports p2.0"),
    ('[SUPPORT "Hire one more librarian"]', "supports p2.0"),
    ("[SUPPORT p2 p1]", "supports p2.0\nsupports p1.0"),
    ("[POSITION p2]", "position: p2.0"),
    ("[POSITION] p2", "position: p2.0"),
    ("[POSITION] not p2", "position: not p2"),
    ("[PROPOSAL]\nOpen on Mondays.", "proposes p4.0: Open on Mondays."),
    ("[PROPOSE] Open on Mondays. [SUPPORT p4]", "proposes p4.0: Open on Mondays.\nsupports p4.0"),
    ("[PROPOSE: Open on Mondays]", "proposes p4.0: Open on Mondays"),
    ("PROPOSE Open on Mondays", "proposes p4.0: Open on Mondays"),
    ("Propose: Open on Mondays", "proposes p4.0: Open on Mondays"),
    ("[GEGEN p2]", "opposes p2.0"),
    ("[I SUPPORT p2]", "supports p2.0"),
    ("[WE SUPPORT p2]", "supports p2.0"),
    ("[STRONGLY SUPPORT p2]", "supports p2.0"),
    ("[SUPPORT strongly p2]", "supports p2.0"),
    ("[SUPPORT p2 IF the region pays]", "supports p2.0, on a condition: IF the region pays"),
    ("[SUPPORT p2, WENN die Region zahlt]", "supports p2.0, on a condition: WENN die Region zahlt"),
    ("[STRONG SUPPORT] p2", "supports p2.0"),
    ("[+1 p2]", "supports p2.0"),
    ("[FOR p2]", "supports p2.0"),
    ("[YES p2]", "supports p2.0"),
    ("[SUPPORT] [p2]", "supports p2.0"),
    ("[SUPPORT](p2)", "supports p2.0"),
    ("[SUPPORT <p2>]", "supports p2.0"),
    ("[SUPPORT [p2]]", "supports p2.0"),
    ("SUPPORT([p2])", "supports p2.0"),
    ("*SUPPORT p2*", "supports p2.0"),
    ("# SUPPORT p2", "supports p2.0"),
    ("[support p2] it helps", "supports p2.0: it helps"),
    ("[SUPPORT p2]", "supports p2.0"),
    ("[ＳＵＰＰＯＲＴ p2]", "supports p2.0"),
    ("[SUPPORT p02]", "supports p2.0"),
    ('[SUPPORT "Keep the hours"]', "supports o1"),
    ("Maya: [SUPPORT p2]", "supports p2.0"),
    ("I was undecided on p2 and now I support it.\n[SUPPORT p2]", "supports p2.0"),
    ("I am not against p2.\n[SUPPORT p2]", "supports p2.0"),
    ("I would oppose p2 without the cap.\n[SUPPORT p2] it has one", "supports p2.0: it has one"),
    ("No, Ben, I am for p2.\n[SUPPORT p2]", "supports p2.0"),
    ("I support p1 and oppose p2.\n[SUPPORT p1]\n[OPPOSE p2]", "supports p1.0\nopposes p2.0"),
    ("[OPPOSE p2] Yes, it is cheap. It is also late.", "opposes p2.0: Yes, it is cheap. It is also late."),
    ("[SUPPORT p2] No, Lena, it is not dear", "supports p2.0: No, Lena, it is not dear"),
    ("[WITHDRAW p3] not needed any more", "withdraws p3.0: not needed any more"),
    ("[WITHDRAW p3] I cannot take the risk", "withdraws p3.0: I cannot take the risk"),
    ("[SUPPORT p2] it helps [OPPOSE p1] it does not", "supports p2.0: it helps\nopposes p1.0: it does not"),
]
TOLD = [
    (
        "[PROPOSE Longer Fridays\nOpen until nine, each Friday.",
        "[PROPOSE Longer Fridays Open until nine, each Friday.: it was cut off",
    ),
    *((line, "[PROPOSE] p1.0: it has no text") for line in ("Proposal: p1.0", "[PROPOSE] p1.0", "- Vorschlag: p1.0")),
    *(
        (line, f'"{line}": it has no tag, so it is talk')
        for line in (
            "position: o2 - B.",
            "My position is o1.",
            "Support(p2), oppose(p1)",
            "Bei p2 enthalte ich mich.",
            "As to p2: yes, once the quote is under 4k.",
            "condition on p2 dropped, two years it is, sorry for the fuss",
            '<move type="support" id="p2">as long as I never drive</move>',
        )
    ),
    ("Action: SUPPORT\nTarget: p2", '"Target: p2": it has no tag, so it is talk'),
    ("[SUPORT p2]", "[SUPORT p2]: no move has this tag: did you mean SUPPORT?"),
    ("I like it. [SUPPORT p2", "[SUPPORT p2: it was cut off"),
    ("[OPPOSE o3]", "[OPPOSE o3]: o3 does not exist (m3 made p3.0)"),
    ("<support id=p2/>", '"<support id=p2/>": it has no tag, so it is talk'),
    ("[VOTE p2]", "[VOTE p2]: no move has this tag"),
    ("[WITHDRAW p2]", "[WITHDRAW p2]: only Ben can withdraw p2.0"),
    ("I withdraw my support for p2 [SUPPORT p3]", f"[SUPPORT p3]: {INSIDE}"),
    ("Ben wrote [SUPPORT p2] and I do not see it.", f"[SUPPORT p2]: {INSIDE}"),
    ("Ben: [SUPPORT p2]", "lines in the name of Ben: write lines for yourself only"),
    ('"[SUPPORT p2]" is what Ben said.', f"[SUPPORT p2]: {INSIDE}"),
    ("I can't support p2 [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("I can't support p2. [SUPPORT p2]", f"[SUPPORT p2]: {OTHERWISE}"),
    ("I can't support p2.\n[SUPPORT p2]", f"[SUPPORT p2]: {OTHERWISE}"),
    ("[SUPPORT p2] I do not support this.", f"[SUPPORT p2] I do not support this.: {OTHERWISE}"),
    ("I'm not sure I can back this [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("[SUPPORT p9]", "[SUPPORT p9]: p9 does not exist"),
    ("[SUPPORT p1.7]", "[SUPPORT p1.7]: p1.7 does not exist (m1 made p1.0)"),
    ("[SUPPORT] it helps", "[SUPPORT] it helps: it names no text"),
    ("Ich kann p2 nicht unterstützen [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("[SUPPORT p2?]", f"[SUPPORT p2?]: {OTHERWISE}"),
    ("[SUPPORT not p2]", f"[SUPPORT not p2]: {OTHERWISE}"),
    ("[NOT SUPPORT p2]", "[NOT SUPPORT p2]: no move has this tag"),
    ("[DON'T SUPPORT p2]", "[DON'T SUPPORT p2]: no move has this tag"),
    ("[SUPPORT p2][OPPOSE p2]", f"[SUPPORT p2]: {OTHERWISE}\n[OPPOSE p2]: {OTHERWISE}"),
    ("[SUPPORT p2] fine\n[OPPOSE p2] bad", f"[SUPPORT p2] fine: {OTHERWISE}\n[OPPOSE p2] bad: {OTHERWISE}"),
    ("[support: p 2]", "[SUPPORT p 2]: “p 2” names no text"),
    ("[SUPPORT #2]", "[SUPPORT 2]: 2 has no letter: did you mean o2 or p2.0?"),
    ("[SUPPORT proposal 2]", "[SUPPORT proposal 2]: “proposal 2” names no text"),
    ("<b>[SUPPORT p2]</b>", f"[SUPPORT p2]: {INSIDE}"),
    (
        "* **[WIDTHDRAW my opposition to p2]** it is settled",
        "[WIDTHDRAW my opposition to p2] it is settled: no move has this tag: did you mean WITHDRAW?",
    ),
    (
        "[widthdraw my opposition to p2]",
        "[widthdraw my opposition to p2]: no move has this tag: did you mean WITHDRAW?",
    ),
    ("[WITHDRAW my suport of o2]", f"[WITHDRAW my suport of o2]: “my suport of o2” {NO_SIDE}"),
    ("[WITHDRAW my suport of p3]", f"[WITHDRAW my suport of p3]: “my suport of p3” {NO_SIDE}"),
    ("[POSITION] A", "[POSITION] A: “A” names no text: did you mean o1 or o2?"),
    ("[OPOSE p2] too dear", "[OPOSE p2] too dear: no move has this tag: did you mean OPPOSE?"),
    ("[SUPPORT both]", "[SUPPORT both]: “both” names no text"),
    ("[SUPPORT all]", "[SUPPORT all]: “all” names no text"),
    ("[SUPPORT none]", f"[SUPPORT none]: {OTHERWISE}"),
    ("[SUPPORT p2 or p1]", f"[SUPPORT p2 or p1]: {OTHERWISE}"),
    ("[SUPPORT mine]", "[SUPPORT mine]: “mine” names no text"),
    ("[SUPPORT A]", "[SUPPORT A]: “A” names no text"),
    ("[LEAN p2]", "[LEAN p2]: no move has this tag"),
    (
        "[DENY m99] no",
        "[DENY m99] no: m99 holds no claim that something was decided: name the message, as in [DENY m8]",
    ),
    ("Lena [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("As Lena, [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("[Lena SUPPORTS p2]", '"[Lena SUPPORTS p2]": it has no tag, so it is talk'),
    ("[LENA: SUPPORT p2]", "lines in the name of Lena: write lines for yourself only"),
    ("I would write [SUPPORT p2] only if asked.", f"[SUPPORT p2]: {INSIDE}"),
    ("Not [SUPPORT p2].", f"[SUPPORT p2]: {INSIDE}"),
    ("No [SUPPORT p2] from me.", f"[SUPPORT p2]: {INSIDE}"),
    ("I was going to [SUPPORT p2] but no longer do.", f"[SUPPORT p2]: {INSIDE}"),
    ("Kein [SUPPORT p2] von mir.", f"[SUPPORT p2]: {INSIDE}"),
    ("- [x] SUPPORT p2", '"[x] SUPPORT p2": it has no tag; [SUPPORT p2.0] is what counts'),
    ("~~[SUPPORT p2]~~", f"[SUPPORT p2]: {OTHERWISE}"),
    ("[WITHDRAW my suport of p2 wegen Lena", "[WITHDRAW my suport of p2 wegen Lena: it was cut off"),
    ("[WITHDRAW my support of p2", "[WITHDRAW my support of p2: it was cut off"),
    ("[OPPOSE the second one", "[OPPOSE the second one: it was cut off"),
    ("<!-- [SUPPORT p2] -->", f"[SUPPORT p2]: {INSIDE}"),
    ("[SUPPORT p2]: p2 is wrong and I oppose it.", f"[SUPPORT p2] p2 is wrong and I oppose it.: {OTHERWISE}"),
    ("I think we should [SUPPORT p2] it helps.", f"[SUPPORT p2]: {INSIDE}"),
    ("[TAKE BACK p3]", "[TAKE BACK p3]: no move has this tag"),
    ("[UNTERSTÜTZUNG ZURÜCKZIEHEN p2]", "[UNTERSTÜTZUNG ZURÜCKZIEHEN p2]: no move has this tag"),
    ("/support p2", '"/support p2": it has no tag; [SUPPORT p2.0] is what counts'),
    (
        '[SUPPORT "Hire two librarians"]',
        "[SUPPORT Hire two librarians]: “Hire two librarians” names no text: did you mean p1.0 or p2.0?",
    ),
    ("[SUPPORT Zoe's text]", "[SUPPORT Zoe's text]: “Zoe's text” names no text"),
    ("[SUPPORT Bens Garten]", "[SUPPORT Bens Garten]: “Bens Garten” names no text"),
    ("[SUPPORT bens Vorschlag]", "[SUPPORT bens Vorschlag]: “bens Vorschlag” names no text"),
    ("[SUPPORT Bens]", "[SUPPORT Bens]: “Bens” names no text"),
    ("[SUPPORT p1-p3]", f"[SUPPORT p1-p3]: {OTHERWISE}"),
    ("[SUPPORT p2] I can't support this text.", f"[SUPPORT p2] I can't support this text.: {OTHERWISE}"),
    ("[SUPPORT p2] I cannot sign this.", f"[SUPPORT p2] I cannot sign this.: {OTHERWISE}"),
    (
        "[SUPPORT p2] This is a bad idea and I am against it.",
        f"[SUPPORT p2] This is a bad idea and I am against it.: {OTHERWISE}",
    ),
    ("[SUPPORT p2] Ich unterstütze das nicht.", f"[SUPPORT p2] Ich unterstütze das nicht.: {OTHERWISE}"),
    ("[SUPPORT p2] Ich bin dagegen.", f"[SUPPORT p2] Ich bin dagegen.: {OTHERWISE}"),
    ("[SUPPORT p2] No.", f"[SUPPORT p2] No.: {OTHERWISE}"),
    ("[OPPOSE p2] I fully support this.", f"[OPPOSE p2] I fully support this.: {OTHERWISE}"),
    ("[OPPOSE p2] I'm for it.", f"[OPPOSE p2] I'm for it.: {OTHERWISE}"),
    (
        "I am against p2. [SUPPORT p2]",
        f'[SUPPORT p2]: {OTHERWISE}\n"I am against p2.": it has no tag; [OPPOSE p2.0] is what counts',
    ),
    (
        "I oppose p2.\n[SUPPORT p2] ",
        f'[SUPPORT p2]: {OTHERWISE}\n"I oppose p2.": it has no tag; [OPPOSE p2.0] is what counts',
    ),
    (
        "I support p2.\n[OPPOSE p2] ",
        f'[OPPOSE p2]: {OTHERWISE}\n"I support p2.": it has no tag; [SUPPORT p2.0] is what counts',
    ),
    (
        "Ich bin gegen p2. [SUPPORT p2]",
        f'[SUPPORT p2]: {OTHERWISE}\n"Ich bin gegen p2.": it has no tag; [OPPOSE p2.0] is what counts',
    ),
    ("I do not support p2, so [SUPPORT p1]", f"[SUPPORT p1]: {INSIDE}"),
    ("[WITHDRAW support p2]", "[WITHDRAW support p2]: whoever says it does not support it"),
    ("[WITHDRAW my support for p2]", "[WITHDRAW my support for p2]: whoever says it does not support it"),
    ("[WITHDRAW] my support for p2", "[WITHDRAW] my support for p2: whoever says it does not support it"),
    ("[WITHDRAW p3] not yet", f"[WITHDRAW p3] not yet: {OTHERWISE}"),
    ("[WITHDRAW p3] just kidding, it stays", f"[WITHDRAW p3] just kidding, it stays: {OTHERWISE}"),
    ("[WITHDRAW p3] Scherz, es bleibt", f"[WITHDRAW p3] Scherz, es bleibt: {OTHERWISE}"),
    ("[WITHDRAW p3] I will not withdraw it.", f"[WITHDRAW p3] I will not withdraw it.: {OTHERWISE}"),
    ("[POSTION] p2", "[POSTION] p2: no move has this tag: did you mean POSITION?"),
    ("[PROPSE] Open on Mondays.", "[PROPSE] Open on Mondays.: no move has this tag: did you mean PROPOSE?"),
    ("[PROPOSE", "[PROPOSE: it was cut off"),
    ("[SUPPORT p4.0]", "[SUPPORT p4.0]: p4.0 does not exist"),
    ("[VORSHLAG] Montags öffnen", "[VORSHLAG] Montags öffnen: no move has this tag: did you mean PROPOSE?"),
    ("[UNTERSTÜZUNG p2]", "[UNTERSTÜZUNG p2]: no move has this tag: did you mean SUPPORT?"),
    ("[UNTERSTÜTZEN p2]", "[UNTERSTÜTZEN p2]: no move has this tag: did you mean SUPPORT?"),
    ("[STIMME p2 ZU]", "[STIMME p2 ZU]: no move has this tag"),
    ("[ICH UNTERSTÜTZE p2]", "[ICH UNTERSTÜTZE p2]: no move has this tag"),
    (
        "[CONDITIONAL SUPPORT p2] if the region pays",
        "[CONDITIONAL SUPPORT p2] if the region pays: no move has this tag",
    ),
    ("[SUPPORT IF p2] the region pays", f"[SUPPORT IF p2] the region pays: {OTHERWISE}"),
    ("+1 p2", '"+1 p2": it has no tag; [SUPPORT p2.0] is what counts'),
    ("p2: SUPPORT", '"p2: SUPPORT": it has no tag; [SUPPORT p2.0] is what counts'),
    ("p2 - support", '"p2 - support": it has no tag; [SUPPORT p2.0] is what counts'),
    ("p2 [SUPPORT]", f'[SUPPORT]: {INSIDE}\n"p2 [SUPPORT]": it has no tag, so it is talk'),
    ("[p2 SUPPORT]", '"[p2 SUPPORT]": it has no tag; [SUPPORT p2.0] is what counts'),
    ("[p2: SUPPORT]", '"[p2: SUPPORT]": it has no tag; [SUPPORT p2.0] is what counts'),
    ("[SUPPORT p2 but not p1]", f"[SUPPORT p2 but not p1]: {OTHERWISE}"),
    ("[SUPPORT p2](http://x)", '"[SUPPORT p2](http://x)": it has no tag; [SUPPORT p2.0] is what counts'),
    ("“[SUPPORT p2]”", f"[SUPPORT p2]: {INSIDE}"),
    ("«[SUPPORT p2]»", f"[SUPPORT p2]: {INSIDE}"),
    ("[SUPPROT p2]", "[SUPPROT p2]: no move has this tag: did you mean SUPPORT?"),
    ("[SUPPORT р2]", "[SUPPORT р2]: “р2” names no text"),
    ("[SUPPORT pp2]", "[SUPPORT pp2]: “pp2” names no text"),
    ("[SUPPORT 2]", "[SUPPORT 2]: 2 has no letter: did you mean o2 or p2.0?"),
    ("[SUPPORT option 1]", "[SUPPORT option 1]: “option 1” names no text"),
    ("[SUPPORT Option A]", "[SUPPORT Option A]: “Option A” names no text"),
    ("[SUPPORT status quo]", "[SUPPORT status quo]: “status quo” names no text"),
    ("Maya supports p2 [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("On behalf of Lena: [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("Lena asked me to write [SUPPORT p2].", f"[SUPPORT p2]: {INSIDE}"),
    ("(Lena) [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("Ben's tag was [SUPPORT p2].", f"[SUPPORT p2]: {INSIDE}"),
    ("Ben hat [SUPPORT p2] geschrieben.", f"[SUPPORT p2]: {INSIDE}"),
    ("**Ben**: [SUPPORT p2]", "lines in the name of Ben: write lines for yourself only"),
    ("@Ben [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("Ben, [SUPPORT p2]", f"[SUPPORT p2]: {INSIDE}"),
    ("I am not sure I can support p2.\n[SUPPORT p2]", f"[SUPPORT p2]: {OTHERWISE}"),
    ("I am undecided on p2.\n[SUPPORT p2]", f"[SUPPORT p2]: {OTHERWISE}"),
    ("[OPPOSE p2] Ich habe nichts dagegen.", f"[OPPOSE p2] Ich habe nichts dagegen.: {OTHERWISE}"),
    (
        '{"type": "support", "id": "p2.0", "reason": "I do not support this"}',
        f"[SUPPORT p2.0] I do not support this: {OTHERWISE}",
    ),
    ("[SUPPORT p2] not", f"[SUPPORT p2] not: {OTHERWISE}"),
    ("[OPPOSE p2] lol no wait, ignore that", f"[OPPOSE p2] lol no wait, ignore that: {OTHERWISE}"),
    ("[OPPOSE p2] ach nee, doch nicht", f"[OPPOSE p2] ach nee, doch nicht: {OTHERWISE}"),
    ("[SUPPORT p2]? Eher nicht.", f"[SUPPORT p2] ? Eher nicht.: {OTHERWISE}"),
    ("[WITHDRAW p3] nee Quatsch, bleibt", f"[WITHDRAW p3] nee Quatsch, bleibt: {OTHERWISE}"),
    ("[/SUPPORT p2.0]", '"[/SUPPORT p2.0]": it has no tag, so it is talk'),
    ("As for p2: no thanks.", '"As for p2: no thanks.": it has no tag; [OPPOSE p2.0] is what counts'),
    ("+1 to Ben's idea", '"+1 to Ben\'s idea": it has no tag, so it is talk'),
    ("Option 2 (Cut the hours) it is.", '"Option 2 (Cut the hours) it is.": it has no tag, so it is talk'),
    (
        "I'm in on p2 but kids come free, deal?",
        '"I\'m in on p2 but kids come free, deal?": it has no tag, so it is talk',
    ),
    ("[SUPPORT p2] (Ben's move, not mine)", f"[SUPPORT p2] (Ben's move, not mine): {OTHERWISE}"),
    ("[OPPOSE p2] Bens Stimme, nicht meine", f"[OPPOSE p2] Bens Stimme, nicht meine: {OTHERWISE}"),
    ("Ich bin nicht sicher, ob ich p2 unterstuetzen kann\n[SUPPORT p2]", f"[SUPPORT p2]: {OTHERWISE}"),
    ("Ich weiß nicht, ob ich p2 zustimmen soll.\n[SUPPORT p2]", f"[SUPPORT p2]: {OTHERWISE}"),
]


def said(*texts: str) -> tuple[list[str], list[str]]:
    """What counts of Maya's last message, and what she is told in her next prompt."""
    told = Told(talk=PUT, members=MEMBERS, options=HOURS, question="Which hours?")
    told.tell(PhaseStarted(phase="discussion", why="done"))
    roles = {member.title: member.role for member in MEMBERS}
    for number, text in enumerate(texts, 4):
        read = read_reply(text, "Maya", roles)._asdict()
        told.tell(MessagePosted(number=number, who="Maya", text=text, **read))
    acts = [act_line(act) for act in told.memory.acts(told.progress.messages) if act.counted]
    return acts, [*uncounted(MEMBERS[2], told.progress, told.memory)[1]]


@in_one(("text", "acts"), COUNTS)
def test_a_tag_counts_in_any_dress_and_nothing_is_told(text: str, acts: str) -> None:
    assert said(text) == (acts.split("\n"), [])


@in_one(("text", "faults"), TOLD)
def test_what_does_not_count_is_told_to_its_author_by_name(text: str, faults: str) -> None:
    """ "[SUPPORT not p2]", "I can't support p2. [SUPPORT p2]" and "[SUPPORT p1 or p2]" counted as supports."""
    assert said(text) == ([], faults.split("\n"))


@pytest.mark.parametrize(
    "position",
    [
        "o1, unless Ben pays",
        "p1.0 or p2.0",
        "o1 > o2",
        "Option 1 (Keep the hours)",
        "o2, außer es regnet",
        "Tee, es sei denn, es regnet",
    ],
)
def test_a_position_that_counts_for_no_text_is_told_to_its_author(position: str) -> None:
    """One "unless Ben pays" was counted as a plain position on o1."""
    acts, told = said(f"[POSITION] {position}")
    assert acts == [f"position: {position}"]
    assert told == [f"[POSITION] {position}: it is shown as your words and counts for no text: an id by itself does"]


@pytest.mark.parametrize(
    "condition", ["Condition for my own vote: Ben pays.", "This stands or falls with a second key."]
)
def test_a_condition_below_the_text_that_one_puts_is_no_part_of_it_and_its_author_is_told(condition: str) -> None:
    acts, told = said(f"[AMEND p3] Close the cafe at six.\n{condition}")
    assert acts == ["amends p3.0 as p4.0: Close the cafe at six."]
    assert told == [f'"{condition}": it has no tag, so it is talk']
    assert said(f"We talked.\n{condition}")[1] == []


def test_a_reason_that_has_the_title_of_the_text_that_it_supports_takes_nothing_back() -> None:
    """ "A meter ends this without a favour" was told: "[WITHDRAW my support on o2] is what counts"."""
    memory = debated(
        ("Ada", "So.\n\n[PROPOSE Meters] We put a meter on each tap."),
        ("Ben", "A meter ends this without a favour to anybody.\n[SUPPORT p1.0] it is fair"),
    )
    assert list(in_words("Ben", 2, memory)) == []


def test_a_side_taken_back_in_the_sentence_of_a_buried_tag_is_told_beside_it() -> None:
    """Its author was told of the tag alone, and stood for the text to the end."""
    acts, told = said("[SUPPORT p2] yes", "I withdraw my support for p2 [SUPPORT p3]")
    assert (acts, len(told), told[0][:14]) == ([], 2, "[SUPPORT p3]: ")
    assert told[1].endswith("[WITHDRAW my support on p2.0] is what counts")


def test_words_that_replace_a_position_on_a_text_are_told_to_their_author() -> None:
    """ "[POSITION] I stay with the loan instruments" took its author from the text that it meant, and told nobody."""
    why = "it is shown as your words and counts for no text: an id by itself does"
    assert said("[POSITION] p2.0", "[POSITION] I stay with one more")[1] == [f"[POSITION] I stay with one more: {why}"]
    assert said("[POSITION] I wait", "[POSITION] I stay with one more")[1] == []


@pytest.mark.parametrize(
    ("below", "told"),
    [
        ("Scratch my yes, please.", True),
        ("Ach, mein Ja zu p2 nehme ich zurück.", True),
        ("Thanks, and see you on Friday.", False),
        ("[OPPOSE p1] forget it, p2.0 is enough", False),
    ],
)
def test_what_a_message_takes_back_below_its_move_is_told(below: str, *, told: bool) -> None:
    """A support stood in full to the vote above "Scratch my yes, please.", and its author was told nothing."""
    acts, faults = said(f"[SUPPORT p2] it is time\n\n{below}")
    assert acts[0] == "supports p2.0: it is time"
    assert any(below in each for each in faults) is told


def test_a_tag_amid_a_line_is_not_told_as_no_tag_once_its_author_was_asked() -> None:
    """ "Yours ever, Agatha [SUPPORT o3]": it has no tag" was told of a line with one, once its answer was denied."""
    told = Told(talk=PUT, members=MEMBERS, options=HOURS, question="Which hours?")
    text, on = "I am for it once it is paid.\n\nYours ever, Maya [SUPPORT p2]", Move("support", "staff", "p2.0")
    told.tell(PhaseStarted(phase="discussion", why="done"))
    told.tell(MessagePosted(number=4, who="Maya", text=text, **read_reply(text, "Maya")._asdict()))
    told.tell(LineAnswered(who="Maya", message=4, answer="asked", denied=(on,)))
    lines = uncounted(MEMBERS[2], told.progress, told.memory)[1]
    assert lines == (f"[SUPPORT p2.0] staff: {OTHERWISE}",)


@pytest.mark.parametrize("unit", ["[PROPOSE A]\n", "Scratch my yes. "])
def test_what_a_looping_message_is_told_takes_time_by_its_length(unit: str) -> None:
    """Each sentence was held against the whole message: one of 50,000 letters held a debate up for seconds."""
    begun = process_time()
    said(f"[SUPPORT p2] it is time\n\n{unit * (40_000 // len(unit))}")
    assert process_time() - begun < 2
