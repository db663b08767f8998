# What ballots say and come to. Sentences end with a full stop; the other messages stand in lists and brackets.

-votes-wordings = counting all its wordings

# A text with its id and its author; both may be empty. $kind: none for the item of none, else text.
votes-text = { $kind ->
    [none] none of these
   *[text] { TEXT($text) }{ GIVEN($id) ->
        [yes] { " " }({ $id }{ GIVEN($by) ->
            [yes] , by { $by })
           *[no] )
        }
       *[no] { GIVEN($by) ->
            [yes] { " " }(by { $by })
           *[no] { "" }
        }
    }
}

# Somebody's words.
votes-quote = { QUOTED($words) }

# Why nothing won. $rule: the name of the rule, with - for /.
votes-lacking = no choice has { $rule ->
    [majority] more than half of the votes
    [supermajority-2-3] two thirds of the votes
    [supermajority-3-4] three quarters of the votes
    [unanimity] all votes
   *[other] what the rule { $rule } asks for
}

# How many accept a text, or want it beside the answer. $does: accept, want. $exact: how many the very text.
# $worded: no where none of its wordings was accepted. $part: yes where it is also a part of the text decided.
votes-wanted = { $count } of { $of } { $does ->
    [accept] { $count ->
        [one] accepts
       *[other] accept
    }
   *[want] { $count ->
        [one] wants
       *[other] want
    }
} { $wordings ->
    [no] it
   *[yes] a wording of it
}{ $worded ->
    [no] , but no single wording was accepted
   *[yes] { $wordings ->
        [yes] , { $exact } of them this one
       *[no] { "" }
    }
}{ $part ->
    [yes] ; it is also a part of what was decided
   *[no] { "" }
}
    .sentence = { votes-wanted }.

# Reasons that refuse what their ballots accept. $who: a list. $to: what these votes decide: nothing, no-wording,
# no-verdict, or text, whose id is $text.
votes-doubted = { $count ->
    [one] The reason of { $who } refuses it
   *[other] The reasons of { $who } refuse it
}{ $to ->
    [nothing] { "" }
    [no-wording] ; without { $count ->
        [one] that vote
       *[other] those votes
    } no wording of it would stand
    [no-verdict] ; without { $count ->
        [one] that vote
       *[other] those votes
    } there would be no verdict
   *[text] ; without { $count ->
        [one] that vote
       *[other] those votes
    } { $text } would be decided
}.

# First choices. $equal: how many of them rank another text as equal. $others: how many put another wording of it first. $parts: a text that it takes in. $wordings: yes where $count has these, too.
votes-first = { $count } of { $of } { $count ->
    [one] puts
   *[other] put
} it first{ $equal ->
    [0] { "" }
   *[other] {" "}({ $equal } as equal with another)
}{ $others ->
    [0] { "" }
   *[other] , { $others } another wording of it
}{ $parts ->
    [0] { "" }
   *[other] , { $parts } a text that went into it
}{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}.

# What a rule counts. $kind: votes, approvals, scores, points, last-round, duels, below, gain (a share, 0 to 1).
votes-figure = { $kind ->
    [approvals] approved by { $figure }
    [scores] { NUMBER($figure, maximumFractionDigits: 1) } of 10 on average
    [points] { $figure ->
        [one] 1 point
       *[other] { $figure } points
    }
    [last-round] { $figure ->
        [one] 1 vote in its last round
       *[other] { $figure } votes in its last round
    }
    [duels] { $figure ->
        [one] 1 duel won
       *[other] { $figure } duels won
    }
    [below] { $figure ->
        [one] 1 option below it
       *[other] { $figure } options below it
    }
    [gain] { NUMBER($figure, style: "percent", maximumFractionDigits: 0) } of the panel gained
   *[votes] { $figure ->
        [one] 1 vote
       *[other] { $figure } votes
    }
}{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}

# The head of the column with these figures.
votes-figure-head = { $kind ->
    [approvals] Approvals
    [scores] Mean score
    [points] Points
    [last-round] Votes in its last round
    [duels] Duels won
    [below] Options below it
    [gain] Share gained
   *[votes] Votes
}

# The same of the text decided, as a sentence.
votes-of-rule = { $kind ->
    [approvals] { $figure ->
        [one] 1 approves it
       *[other] { $figure } approve it
    }
    [scores] Its mean score is { NUMBER($figure, maximumFractionDigits: 1) } of 10
    [duels] { $figure ->
        [one] It won 1 duel
       *[other] It won { $figure } duels
    }
    [below] { $figure ->
        [one] It stands above 1 option
       *[other] It stands above { $figure } options
    }
    [gain] It gained { NUMBER($figure, style: "percent", maximumFractionDigits: 0) } of the panel
    [last-round] { $figure ->
        [one] It has 1 vote in its last round
       *[other] It has { $figure } votes in its last round
    }
    [points] { $figure ->
        [one] It has 1 point
       *[other] It has { $figure } points
    }
   *[votes] { $figure ->
        [one] It has 1 vote
       *[other] It has { $figure } votes
    }
}{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}.

# $judge: the member who decides.
votes-judge = { $judge } decides.

# Under consent. $worded: no where a motion has several texts and none of them stands.
votes-unblocked = { $worded ->
    [yes] Nobody blocks it.
   *[no] One of its wordings is blocked by nobody.
}

# A choice where nothing won. $text: named with its id.
votes-for = { NUMBER($count, maximumFractionDigits: 2) } for { $text }{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}
    .sentence = { votes-for }.

votes-cast = { $count } of { $of } voted.

# $who: a list of $count names. $answer: yes where other texts were adopted beside the answer.
votes-none = { $count ->
    [one] { $who } accepts none of the texts
   *[other] { $who } accept none of the texts
}{ $answer ->
    [yes] { " " }as the answer
   *[no] { "" }
}.

# Of whom there is no vote.
votes-unused =
    .abstained = { $who } abstained.
    .unreadable = { $count ->
        [one] The ballot of { $who }
       *[other] The ballots of { $who }
    } could not be read.
    .missing = No ballot came from { $who }.

# Where nothing was decided. $first: how many put it first.
votes-accepted = { $count } of { $of } accept { $text }, which { $first } put first.

# A ballot, in sentences without a subject. $texts: ids or words, the first choice first.
# $first: yes where only the first is told.
votes-ballot-accepts = { $first ->
    [yes] Puts { $texts } first.
   *[no] Accepts { LIST($texts, by: ", ") }.
}
# Texts of one rank, $count of them.
votes-ballot-rank = { $texts }{ $count ->
    [one] { "" }
   *[other] {" "}(as equal)
}

# $otherwise: none, abstained, unreadable, missing.
votes-ballot-otherwise = { $otherwise ->
    [none] Accepts none of the texts.
    [abstained] Abstained.
    [unreadable] Could not be read.
   *[missing] No ballot came.
}

# What it adopts beside the answer. $texts: ids or words, each with votes-part where it is one.
votes-ballot-also = Would also adopt { LIST($texts, by: ", ") }.

votes-part = { $text } (part of { $of })

votes-ballot-blocks = Blocks { LIST($texts, by: ", ") }.

votes-ballot-scores = Scores what was decided { NUMBER($score, maximumFractionDigits: 1) } of 10.

# $sure: 0 to 1, as stated on the ballot.
votes-ballot-sure = { NUMBER($sure, style: "percent", maximumFractionDigits: 0) } sure.

# $at: the message, m12.
votes-ballot-moved = Names { $at } as what moved them.

# What the record has of its reason. $told: `m5 says: ...`.
votes-ballot-beside = Of its reason: { $told }.

# A cell of that column.
votes-figure-cell = { $kind ->
    [scores] { NUMBER($figure, minimumFractionDigits: 2, maximumFractionDigits: 2) }
    [gain] { NUMBER($figure, style: "percent", maximumFractionDigits: 0) }
   *[other] { NUMBER($figure, maximumFractionDigits: 2) }
}

# What the rule does. $rule: its name, with - for /. $line: its own line.
votes-line = { $rule ->
   *[other] { $line }
}

# What a text is to others of its motion. $option: the given option that it rewords; may be empty.
# $kind: wording, original, part, taken-into, takes-in, none. $of: ids of $count texts.
votes-kin = { GIVEN($option) ->
    [yes] a wording of { $option }{ $kind ->
        [none] { "" }
       *[other] ,{ " " }
    }
   *[no] { "" }
}{ $kind ->
    [wording] another wording of { $of }
    [original] of which { $of } { $count ->
        [one] is another wording
       *[other] are other wordings
    }
    [part] part of { $of }
    [taken-into] taken into { $of }
    [takes-in] which takes in { $of }
   *[none] { "" }
}

# How many held a choice in the first poll, and hold it now.
# Who puts several texts first, a list of $count names.
votes-equal = { $who } { $count ->
    [one] puts
   *[other] put
} several texts first, as equal
    .sentence = { votes-equal }.

votes-moved = from { $before } to { $after }

# Rows and heads of tables of votes.
votes-label =
    .none = None of these
    .abstained = Abstained
    .unreadable = Unreadable
    .missing = No ballot

# The name of a decision rule.
votes-rule = { $rule ->
    [supermajority-2-3] supermajority-2/3
    [supermajority-3-4] supermajority-3/4
   *[other] { $rule }
}
