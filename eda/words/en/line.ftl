# What a person is told of a line that they typed: how it was read, and what they can answer.

# $acts: of `line-act`.
line-counted = Counted: { LIST($acts, by: "; ") }
# $terms: `if` of a support that may have the condition; empty of other acts.
line-offered = Did you mean: { LIST($acts, by: "; ") }?{ GIVEN($terms) ->
    [yes] {" "}(No means: without a condition)
   *[no] {""}
}
# Before `line-offered`, of an earlier line that is still not answered.
line-still = Of { $message } nothing counts yet.
# At the vote, of such a line. $offered: as it was put.
line-uncounted = { $message } counts for nobody in this vote: you said neither yes nor no to “{ $offered }”. Your ballot says what you want.
# $faults: what of a line was not counted, and why.
line-lost = Not counted: { LIST($faults, by: "; ") }
# Words that a model read as a condition, as one. $words: of the line.
line-if = if { $words }
# $texts: the words of a line that were not read beside what was.
line-unread = Not read: { LIST($texts, by: ", ") }
# $why: as a session has it, with - for blanks. $texts: of `line-text`, those that it could mean, $count of them.
line-asked = { $why ->
    [no-opposition] You have no opposition to { LIST($texts, by: " or ") } on record
    [no-support] You have no support of { LIST($texts, by: " or ") } on record
    [no-condition] You have no condition on { LIST($texts, by: " or ") } on record
    [ended] No longer on the table: { LIST($texts, by: "; ") }
   *[other] Not counted yet: { $why ->
        [which-text] { $count ->
            [0] it is not clear which text you mean
            [one] it is not clear what you say of { LIST($texts, by: "") }
           *[other] it is not clear which text you mean: { LIST($texts, by: " or ") }
        }
        [not-its-author] only its author withdraws { LIST($texts, by: ", ") }
        [no-such-text] nothing that you name, by an id or in words, is a text on the table
        [part] it may be for a part of a text only
        [condition] it is not clear on what condition
       *[words] it is not clear whether you are for or against
    }. Name the text by its id, and say whether you are for or against.
}
# $texts: of `line-text`, those that it names, $count of them; $id: of the first.
line-talk = { $count ->
    [0] Heard as talk
   *[other] Heard as talk: nothing was counted on { LIST($texts, by: " or ") }. To take a side, say “for { $id }” or “against { $id }”.
}
# A model is asked first.
line-waits = Heard; what it states is being read
# $says: what a typed line goes on to say behind a no; may be empty.
line-not-meant = { GIVEN($says) ->
    [yes] Taken as your no to: { LIST($acts, by: "; ") }
   *[no] Not counted: { LIST($acts, by: "; ") }
}
# Of what was offered with a condition that its author denies.
line-in-full = Counted without a condition: { LIST($acts, by: "; ") }
# $acts: what was offered, and is not in what a yes was for.
line-left = Not counted yet: { LIST($acts, by: "; ") }. Did you mean that too?
line-taken-back = Taken back: { LIST($acts, by: "; ") }

# $kind: of a move. $of: of a side that is taken back. $text: of `line-text`; empty of a new one. $words: of a text that is put. $condition: may be empty.
line-act = { $kind ->
    [support] you support { $text }{ line-terms }
    [oppose] you oppose { $text }
    [neutral] you are undecided on { $text }
    [propose] you propose “{ $words }”
    [amend] you amend { $text }: “{ $words }”
    [withdraw] you withdraw { $text }
    [take-back] { $of ->
        [condition] you take back your condition on { $text }
        [opposition] you no longer oppose { $text }
        [support] you no longer support { $text }
       *[other] you no longer hold what you held on { $text }
    }
    [position] you hold { GIVEN($text) ->
        [yes] { $text }
       *[no] “{ $words }”
    }
    [note] a note
   *[deny] you deny { $text }
}

# $doubt: whether the condition of a support is in doubt.
line-terms = { $doubt ->
    [yes] , perhaps on a condition{ GIVEN($condition) ->
        [yes] {" "}({ QUOTED($condition) })
       *[no] {""}
    }
   *[no] { GIVEN($condition) ->
        [yes] , on the condition { QUOTED($condition) }
       *[no] {""}
    }
}
# Behind what counts so. $id: of the text.
line-doubt = To say which: “for { $id } without a condition”, or “for { $id } if ...”
# The same as what was taken back.
line-undone = { $kind ->
    [support] your support of { $text }{ line-terms }
    [oppose] your opposition to { $text }
    [neutral] that you are undecided on { $text }
    [propose] your proposal “{ $words }”
    [amend] your wording of { $text }: “{ $words }”
    [withdraw] that you withdraw { $text }
    [take-back] { $of ->
        [condition] the end of your condition on { $text }
        [opposition] the end of your opposition to { $text }
       *[support] the end of your support of { $text }
    }
    [position] your position { GIVEN($text) ->
        [yes] { $text }
       *[no] “{ $words }”
    }
    [note] your note
   *[deny] your denial of { $text }
}
line-text = { GIVEN($title) ->
    [yes] { QUOTED($title) } ({ $id })
   *[no] { $id }
}

# How a person at a terminal answers; $answers: yes-no or back.
line-how = { $answers ->
    [yes-no] (yes or no)
   *[back] (/back takes it back)
}
# The button at a page; $answer: yes, no or back.
line-button = { $answer ->
    [yes] Yes
    [no] No
   *[back] Take back
}
