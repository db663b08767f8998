# What was decided, who is against it, and how firm it is. Each message is a sentence of its own.

-verdict-wordings = counting all its wordings

# How it was decided. $rule: the name of the rule, as the session has it. $tie: yes where a lot broke a tie.
verdict-by = { $rule ->
    [plurality] by plurality
    [majority] by majority
    [unanimity] by unanimity
    [consent] by consent
    [approval] by approval
    [score] by score
   *[other] by the rule { votes-rule }
}{ $tie ->
    [yes] , a tie broken by lot
   *[no] { "" }
}

# A list was voted on.
verdict-adopted = { $count ->
    [0] The panel adopted nothing
   *[other] Adopted: { LIST($texts, by: "; ") }
}.
# Of what was adopted. $but: who refuses it, of a list. $whole: its words; empty where $text are its words.
verdict-item = { $text }, { $votes }{ GIVEN($but) ->
    [yes] {" "}(not { LIST($but, by: ", ") })
   *[no] {""}
}{ GIVEN($whole) ->
    [yes] : { TEXT($whole) }
   *[no] {""}
}

# A motion won, and none of its texts was accepted. $text: the motion.
verdict-unworded = No text was decided: { $text } won { verdict-by }, but no wording of it has the votes that a text needs.

# $why: votes-lacking, or what the count noted.
verdict-none = No verdict: { $why }.
# $texts: what each of the $count votes accepts, though it did not win.
verdict-all = All { $count } who voted accept { $texts }.

# Follows what was decided. $unreadable, $missing: whose ballots could not be read, or did not come; $count: how many they
# are. $texts: by id what they could decide instead, or change of a list; $none: yes where they could undo the verdict.
verdict-open = Not certain: { GIVEN($unreadable) ->
    [yes] { GIVEN($missing) ->
        [yes] the ballots of { $unreadable } could not be read and none came from { $missing }
       *[no] { $count ->
            [one] the ballot
           *[other] the ballots
        } of { $unreadable } could not be read
    }
   *[no] no ballot came from { $missing }
}, and { $count ->
    [one] it
   *[other] they
} could change the outcome{ GIVEN($texts) ->
    [yes] { " " }({ LIST($texts, by: ", ") }{ $none ->
        [yes] , or no verdict
       *[no] { "" }
    })
   *[no] { " " }(no verdict)
}.

# $text: what was given with the question.
verdict-wording = It is a wording of { $text }.

# $text: more ballots prefer it to the text decided.
verdict-rival = More votes prefer { $text } to it, one against one.

# $text: its title or id; empty for "it". $clause: the words that state the condition. $at: the message, m12; $asked: yes where
# its author declared it when it was asked after that.
# $doubt: yes where they may state one, or not.
verdict-condition = { $who } supported { GIVEN($text) ->
    [yes] { $text }
   *[no] it
}{ $doubt ->
    [yes] , perhaps
   *[no] {""}
} on a condition: { QUOTED($clause) } ({ act-told }).

# Who spoke against a text; $accepts: yes where its ballot accepts it. $reason: its words; may be empty.
verdict-torn = { $who } { $accepts ->
    [yes] accepts { GIVEN($text) ->
        [yes] { $text }
       *[no] it
    } on the ballot, but spoke against it
   *[no] spoke against { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
} ({ act-told }).

# $others: yes where some put another text first.
verdict-unopposed = Nobody { $others ->
    [yes] refuses
   *[no] voted against
} { GIVEN($text) ->
    [yes] { $text }
   *[no] it
}.

# $who: a list of $count names. $text: what they put first. $why: as one wrote it on the ballot.
verdict-first = { $count ->
    [one] { $who } puts { $text } first{ GIVEN($why) ->
        [yes] : { QUOTED($why) } (ballot).
       *[no] .
    }
   *[other] { $who } put { $text } first.
}

# How many votes would have to be different. $to: another-winner, no-verdict, another-outcome. $wordings: yes where votes for other wordings count.
verdict-least = { $count } changed { $count ->
    [one] vote
   *[other] votes
} would have made { $to ->
    [no-verdict] no verdict
    [another-winner] another winner
   *[another-outcome] another outcome
}{ $wordings ->
    [yes] , { -verdict-wordings }
   *[no] { "" }
}{ $tie ->
    [yes] , with the same lots
   *[no] { "" }
}.

# What stands before a text beside the verdict. $kind: adopted, also, part (of the text with the id $of), refused,
# beside (nothing was decided), rival, blocked (before who cannot live with $of).
verdict-label = { $kind ->
    [verdict] verdict
    [for] for
    [against] against
    [beside-another] for it beside another
    [elsewhere] for another text
    [text] text
    [adopted] adopted
    [also] also adopted
    [part] taken into { $of }
    [beside] wanted beside an answer
    [rival] rival
    [blocked] blocked
    [votes] votes
    [ranked] ranked
    [tie] tie
    [story] how
    [followed] since
    [minds] would persuade
    [open] open
    [promised] promised
    [looked] looked at
    [hinges] hinges on
    [sure] how sure
   *[refused] not adopted
}

# The answer in one line. $text: the title and id of the text decided. $majority: no where no majority is behind it; $known:
# yes where ballots say who accepts what.
verdict-answer = { $text } { $majority ->
    [yes] won{ $rule ->
        [majority] { $tie ->
            [yes] , a tie broken by lot
           *[no] { "" }
        }
       *[other] { " " }{ verdict-by }
    }
   *[no] won { verdict-by }, but no majority { $known ->
        [yes] accepts it
       *[no] put it first
    }
}.

# $who: a list of names.
verdict-opposed = { $kind ->
    [against] Against: { $who }
    [beside-another] Against it as the answer, for it beside another: { $who }
   *[elsewhere] For another text: { $who }
}.

# $text: more voters accept it than the text decided.
verdict-more = More accept { $text } than the text decided: { $count } of { $of }.

# What the question asks for. $texts: yes where a text of the panel can win as well.
verdict-kind = { $kind ->
    [yes-no] yes or no
    [options] { $texts ->
        [yes] one of the options, or a text of the panel
       *[no] one of the options
    }
    [one] one answer
   *[list] a list
}

# $text: what an earlier vote of the same debate had decided.
verdict-replaces = It replaces an earlier decision: { $text }.

# Two texts of a list that were both adopted. $who: whose ballots say that one rules the other out.
verdict-apart = A contradiction: { LIST($texts, by: " and ") } were both adopted, and by the word of { LIST($who, by: ", ") } the one rules the other out.
