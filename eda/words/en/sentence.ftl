# The fact of the record that contradicts a sentence. $who: members, a list; may be empty. $text, $of: ids; may be empty.
# $message, $number: figures. $deed: what a member did to a text.
sentence-why = { $kind ->
    [author] m{ $message } is by { LIST($who, by: ", ") }
    [mover] { $text } is by { LIST($who, by: ", ") } (m{ $message })
    [deed] { LIST($who, by: ", ") } { sentence-deed } { $text } (m{ $message })
    [no-deed] { GIVEN($who) ->
        [yes] { LIST($who, by: ", ") } never
       *[no] nobody ever
    } { sentence-deed } { $text }
    [origin] { $text } comes from { GIVEN($of) ->
        [yes] { LIST($of, by: ", ") }
       *[no] no other text
    }
    [ballot] { GIVEN($who) ->
        [yes] on the ballot only { LIST($who, by: ", ") } did so
       *[no] on no ballot
    }
    [votes] { GIVEN($who) ->
        [yes] { LIST($who, by: ", ") } of { $number } accept { $text }
       *[no] nobody of { $number } accepts { $text }
    }
    [moved] { LIST($who, by: ", ") } names { $message ->
        [0] no message
       *[other] m{ $message }
    } as what moved the vote
    [order] { $text } stands at m{ $message }, and { LIST($of, by: ", ") } at m{ $number }
    [outcome] { GIVEN($text) ->
        [yes] the vote decided { $text }
       *[no] no vote decided anything
    }
    [words] the record does not have { QUOTED($text) }
    [quote] m{ $message } does not say so
    [unsaid] nothing beside it says what it states{ GIVEN($of) ->
        [yes] {" "}of { LIST($of, by: ", ") }
       *[no] {""}
    }
    [claim] claimed to be decided, and nobody voted on it (m{ $message })
    [denied] m{ $message } was denied by { LIST($who, by: ", ") }
    [dissent] no ballot of { LIST($who, by: ", ") } refuses what was decided
    [beyond] { sentence-beyond }
    [given-up] { LIST($who, by: ", ") } { $deed ->
        [condition] set no such condition any more in m{ $message }
       *[other] gave that up in m{ $message }
    }
    [taken-back] { LIST($who, by: ", ") } took back what m{ $message } said
    [other-text] it is about { $text }, which was not decided
    [no-act] nothing that { LIST($who, by: ", ") } declares in m{ $message } is for it
    [no-question] m{ $message } asks nothing by it
    [no-backer] { LIST($who, by: ", ") } accepts nothing that was decided
   *[no-such] there is no { $text }
}
# $number: the most words that it may have, where it has more; else 0.
sentence-beyond = { $number ->
    [0] not all of it stands in these words in what was decided
   *[other] it has more than { $number } words
}
sentence-deed = { $deed ->
    [put] put
    [support] supported
    [support-if] supported, on a condition,
    [support-perhaps] supported, perhaps on a condition,
    [oppose] opposed
    [neutral] was undecided on
    [withdraw] withdrew
    [take-back] took back what it said of
    [take-back-opposition] took back its opposition to
    [take-back-support] took back its support of
    [lift] took back its condition on
    [vote] voted on
    [block] blocked
    [amend] amended
   *[join] joined
}

# A sentence that goes, with why. $why: several of the above.
sentence-false = { LIST($why, by: "; ") }: { $sentence }

# Of a summary: how many of its sentences went.
sentence-dropped = { $count ->
    [one] one statement did not agree with the record
   *[other] { $count } statements did not agree with the record
}
