# What a ballot says that is against the outcome. The deeds of one member stand in a list, in the order of this file.

# $score: 0 to 10.
dissent-scored = scores it { NUMBER($score, maximumFractionDigits: 1) } of 10

# The rule counts approvals.
dissent-unapproved = does not approve it

# $text: what the ballot puts first.
dissent-first = puts { $text } first

# $blocked: the ids of what it blocks; empty for the text decided.
dissent-blocks = cannot live with { GIVEN($blocked) ->
    [yes] { $blocked }
   *[no] it
}

# The ballot approves some texts and puts none first. $texts: a list.
dissent-approves = approves { $texts }

dissent-none = accepts none of the texts

# All of it. $deeds: a list of the above; may be empty. $reason: the member's words; may be empty.
# $at: the message that has them, m12; empty where the ballot has them.
dissent-member = { $who }{ GIVEN($deeds) ->
    [yes] { " " }{ $deeds }
   *[no] { "" }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) } { GIVEN($at) ->
        [yes] ({ $at })
       *[no] (on the ballot)
    }
   *[no] { "" }
}

# The deeds alone, beside a name.
dissent-deeds = { $deeds }
