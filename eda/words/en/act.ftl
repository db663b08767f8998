# What a member did in a message, beside the names of moves; and why a move counts for nobody. Prompts have it, too.

# $kind: as a session has it, with - for blanks. $on, $id: ids of texts, claims or evidence; $texts: of several. $end: what
# became of the text in $on. $condition: no, told where the reason says it, clause, doubt. $clause: empty where it is the reason.
# $source: of evidence. $who: names.
# $of: opposition or support, of a take-back.
act-does = { $kind ->
    [propose] proposes { $id }
    [propose-again] proposes { $on } again
    [reopen] opens { $on } again
    [amend] amends { $on }{ GIVEN($id) ->
        [yes] {" "}as { $id }
       *[no] {""}
    }
    [join] joins { LIST($texts, by: " and ") } as { $id }
    [withdraw] withdraws { $on }
    [support] supports { $on }{ act-older }{ act-condition }
    [oppose] opposes { $on }{ act-older }{ act-condition }
    [neutral] is undecided on { $on }{ act-older }
    [take-back] takes back { $of ->
        [opposition] its opposition to { $on }
        [support] its support of { $on }
       *[other] what it said of { $on }
    }
    [lift] takes back its condition on { $on }{ GIVEN($end) ->
        [yes] { act-older }
       *[no] , and supports it
    }
    [claim] claims, not voted on
    [decide] decides
    [retract] takes back its claim of { $on }
    [deny] denies { GIVEN($on) ->
        [yes] { $on }
       *[no] the claim
    }
    [deny-claim] denies the claim of { $on }
    [position] position
    [note] notes
    [cite] cites { $on }, { $source }
    [cite-nothing] cites { $on }, which nobody has found
    [misquote] { GIVEN($who) ->
        [yes] not so in { $on }, by { LIST($who, by: ", ") }: "{ $source }"
       *[no] { $on } does not say "{ $source }"
    }
    [json] (JSON was left out)
    [answer] answers, when asked, what is not read and counts for nobody: { QUOTED($source) }
    [others-lines] (lines in the name of { LIST($who, by: ", ") } were left out)
   *[in-words] in words,
}
act-older = { GIVEN($end) ->
    [yes] {" "}(the older text, { $end })
   *[no] {""}
}
act-condition = { $condition ->
    [told] , on a condition
    [clause] , on a condition ("{ $clause }")
    [doubt] , perhaps on a condition{ GIVEN($clause) ->
        [yes] {" "}("{ $clause }")
       *[no] {""}
    }
   *[no] {""}
}
act-position = { $id }, which replaces { $on }
act-asked = (declared when asked)
# $at: the message that declares it, or about or after which its author declared it when asked ($asked).
act-told = { $asked ->
    [about] { $at }; declared when asked
    [after] declared when asked after { $at }
   *[no] { $at }
}
act-since = since { $at }{ $asked ->
    [yes] , declared when asked
   *[no] {""}
}
act-uncounted = (not counted){ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}

# Several reasons why a move counts for nobody.
act-reasons = { LIST($reasons, by: " and ") }

# What became of a text that is open no more. $by: the text that took its place, or a person; may be empty.
act-end = { $end ->
    [struck] struck by { $by }
    [taken-into] taken into { $by }
    [modified] replaced{ GIVEN($by) ->
        [yes] {" "}by { $by }
       *[no] {""}
    }
    [rejected] turned down
    [accepted] adopted
    [not-beside] not adopted beside the answer
    [withdrawn] withdrawn
    [superseded] superseded
    [merged] merged
    [not-adopted] not adopted
    [active] active
   *[not-chosen] not chosen
}

# What its author is told of a message. $tag: as it was written; $why: of `act-reasons`.
act-others-lines = lines in the name of { LIST($who, by: " ") }: write lines for yourself only
act-no-json = not all of the JSON was read{ GIVEN($what) ->
    [yes] , not { $what }
   *[no] {""}
}: write each move on a line of its own, with its tag
act-stands-anew = your text stands as a new proposal

# $kind: as a session has it, with - for blanks. $words: what the move names; may be empty. $ids: of texts; $who:
# members; $number: of these ids, or of members with several texts. $made: what message $message made, `p1.0, now p3.0`.
act-unread = { $kind ->
    [taken-back] its author took back what it said of { $words }, after m{ $message }
    [no-such-tag] no move has this tag{ GIVEN($ids) ->
        [yes] : did you mean { LIST($ids, by: " or ") }?
       *[no] {""}
    }
    [no-such-member] no other member is called “{ $words }”, or more than one is
    [cut-off] it was cut off
    [too-many] it is beyond the eighth move
    [no-tag] a move begins its line, with its tag in brackets
    [said-otherwise] its own words say otherwise, or leave it open
    [not-taken-back] no sentence of its messages takes it back in so many words
    [no-letter] { $words } has no letter: did you mean { LIST($ids, by: " or ") }?
    [names-nothing] it names no text
    [no-side] “{ $words }” does not say what is taken back: write my support, my opposition or my condition
    [not-held] { $words ->
        [condition] no condition of whoever says it stands on it
        [oppose] whoever says it does not oppose it
       *[support] whoever says it does not support it
    }
    [no-such-text] “{ $words }” names no text{ GIVEN($ids) ->
        [yes] : did you mean { LIST($ids, by: " or ") }?
       *[no] {""}
    }
    [several] { $words } could be any of several
    [any-of] { GIVEN($ids) ->
        [yes] it could be any of { LIST($ids, by: ", ") }
       *[no] it names no text
    }
    [not-heard-yet] { $words } was not to be read yet
    [one-of-a-sentence] its sentence names several texts, and does not say of which it speaks
    [no-open-text] { LIST($who, by: " and ") } has no open text
    [no-text-that-stands] “{ $words }” names no text that stands
    [other-words] { $words } stands no more in the words of then
    [empty] it has no text
    [anothers-name] below a line in { LIST($who, by: " or ") }'s name, so it is not known whose it is
    [quotation] in a quotation or code, with other text in it or announced before it, so it is not known whose it is
    [no-such-id] { $words } does not exist{ GIVEN($made) ->
        [yes] {" "}(m{ $message } made { LIST($made, by: " and ") })
       *[no] {""}
    }
    [part] { LIST($ids, by: " and ") } { $number ->
        [one] says
       *[other] say
    } more than that
    [several-open-texts] { LIST($who, by: " and ") } { $number ->
        [one] has
       *[other] have
    } several open texts{ GIVEN($ids) ->
        [yes] : { LIST($ids, by: ", ") }
       *[no] {""}
    }
    [no-claim] { GIVEN($words) ->
        [yes] { $words }
       *[no] it
    } holds no claim that something was decided: name the message, as in [DENY m8]
   *[not-its-author] { GIVEN($who) ->
        [yes] only { LIST($who, by: " or ") } can withdraw { LIST($ids, by: ", ") }
       *[no] { LIST($ids, by: ", ") } was given with the question, and nobody can withdraw it
    }
}

# $end: what became of a text, as act-end and so on. $ids: the open texts of its motion.
act-became = { $end }, which was { $then }
act-lives-on = { $end } (its motion lives on as { $ids })

# Who put an item in other words, or struck it.
act-corrected = { $struck ->
    [yes] struck
   *[no] corrected
} by { $by }

