# What a ballot says that is against the outcome. The deeds of one member stand in a list, in the order of this file.

# $score: 0 to 10.
dissent-scored = scores it { NUMBER($score, maximumFractionDigits: 1) } of 10

# The rule counts approvals.
dissent-unapproved = does not approve it

# $blocked: the ids of what it blocks; empty for the text decided.
dissent-blocks = cannot live with { GIVEN($blocked) ->
    [yes] { $blocked }
   *[no] it
}

# The ballot approves some texts and puts none first. $texts: a list.
dissent-approves = approves { $texts }

dissent-none = accepts none of the texts

# The deeds alone, beside a name.
dissent-deeds = { $deeds }
