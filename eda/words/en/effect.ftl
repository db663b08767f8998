# What differs between the first private vote and the last, and one debate as evidence. $basis: poll, ballot.

effect-one-run = One debate, not repeated: nobody can say how often this panel would end here.

# Why votes cannot be compared: a part of a sentence.
effect-why = { $why ->
    [one-poll] only one poll was taken
    [no-first-ballot] no first ballot was taken
   *[not-offered] what was voted on at the end was not offered before
}

effect-nothing = Nothing, as { $why }

# $who: a list of $count names.
effect-changed = { $count ->
    [0] Nobody puts
    [one] { $who } puts
   *[other] { $who } put
} another text first than in the first { $basis ->
    [poll] poll
   *[ballot] ballot
}

# $texts: what won both times. $all: no where only $count votes can be compared.
effect-same = { LIST($texts, by: "; ") } already led in the first private { $basis ->
    [poll] poll
   *[ballot] ballot
}; after the discussion { $all ->
    [yes] nobody voted differently
   *[no] { $count ->
        [one] none of 1 vote differs
       *[other] none of { $count } votes differs
    }
}

# $which: first, last. $votes: effect-votes of each text; may be empty. $won: effect-won.
effect-vote = { $which ->
    [first] First
   *[last] Last
} { $basis ->
    [poll] poll
   *[ballot] ballot
}: { GIVEN($votes) ->
    [yes] { LIST($votes, by: ", ") }
   *[no] no first choice
}; { $won }

# $of: the text of which it is a wording; mostly empty.
effect-votes = { $text }{ GIVEN($of) ->
    [yes] , a wording of { $of }: { $count }
   *[no] {" "}{ $count }
}

# What a vote came to. $texts: a list. $how: level, won, led (a poll decides nothing), named (in a table).
effect-won = { $how ->
    [level] { $texts } were level
    [named] { GIVEN($texts) ->
        [yes] { $texts }
       *[no] nothing
    }
    [led] { GIVEN($texts) ->
        [yes] { $texts } led
       *[no] nothing led
    }
   *[won] { GIVEN($texts) ->
        [yes] { $texts } won
       *[no] nothing won
    }
}

# $compared: how many votes can be compared; 0 where that need not be said.
effect-new = { $count } of { $of } { $count ->
    [one] puts
   *[other] put
} a text first that came up after the first { $basis ->
    [poll] poll
   *[ballot] ballot
}{ $compared ->
    [0] { "" }
    [one] { " " }(only 1 vote can be compared)
   *[other] { " " }(only { $compared } votes can be compared)
}

effect-differ = { $count } of { $of ->
    [one] 1 vote
   *[other] { $of } votes
} { $count ->
    [one] differs
   *[other] differ
}

effect-unchanged = Nobody voted differently

effect-no-choice = no choice

# A vote that differs. $moved: the message that its voter names; may be empty.
effect-voter = { $who } ({ $after ->
    [same] { $before } still first, the rest differs
   *[other] { $before } to { $text }
}{ GIVEN($moved) ->
    [yes] , names { $moved }
   *[no] { "" }
})

effect-as-before = As before: { LIST($who, by: ", ") }

# $also: effect-accepts.
effect-first-as-before = { $who }: first choice as before, { $also }

# What a voter accepts after its first choice now, or did before. $new, $lost: lists; one may be empty.
effect-accepts = { GIVEN($new) ->
    [yes] now accepts { LIST($new, by: ", ") } too{ GIVEN($lost) ->
        [yes] , no longer { LIST($lost, by: ", ") }
       *[no] { "" }
    }
   *[no] no longer accepts { LIST($lost, by: ", ") }
}

effect-reworded = Their first choice in another wording: { LIST($who, by: "; ") }

effect-left = No longer for { $text } as it was given: { LIST($who, by: ", ") }

effect-due = it was asked for and not taken; resuming the session takes it

# Single answers. $tokens: that they took, `1.2k tokens`. $text: what most take; empty where none has the most.
effect-alone = of { $of ->
    [one] 1 single answer
   *[other] { $of } single answers
} at { $tokens }, { GIVEN($text) ->
    [yes] { $count ->
        [one] { $count } takes
       *[other] { $count } take
    } { $text }, { $same ->
        [yes] the panel's outcome too
       *[no] not the panel's outcome
    }
   *[no] no choice has the most
}

# Members who were asked again, alone. $text: what most take; empty where none has the most.
effect-again = asked twice without talk, { $count } of { $of ->
    [one] 1 member
   *[other] { $of } members
} changed the answer, { GIVEN($text) ->
    [yes] most take { $text }, { $same ->
        [yes] the panel's outcome too
       *[no] not the panel's outcome
    }
   *[no] no choice has the most
}

# $shares: effect-share of each member; empty where nobody spoke. $gini: how unequal they are, 0 to 1.
effect-shares = { GIVEN($shares) ->
    [yes] { LIST($shares, by: ", ") } (Gini { NUMBER($gini, minimumFractionDigits: 2, maximumFractionDigits: 2) }; 0 means that all said as much)
   *[no] nobody said anything
}

effect-share = { $who } { NUMBER($share, style: "percent", maximumFractionDigits: 0) }
