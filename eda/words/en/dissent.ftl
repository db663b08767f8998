# What a ballot says that is against the outcome. The deeds of one member stand in a list, in the order of this file.

# $score: 0 to 10. Unapproved: the rule counts approvals. Approves: it puts none of $texts, a list, first.
# First: what its reason is for.
dissent-deed =
    .scored = scores it { NUMBER($score, maximumFractionDigits: 1) } of 10
    .unapproved = does not approve it
    .approves = approves { $texts }
    .none = accepts none of the texts
    .first = puts { $text } first

# $blocked: the ids of what it blocks; empty for the text decided.
dissent-blocks = cannot live with { GIVEN($blocked) ->
    [yes] { $blocked }
   *[no] it
}

# The deeds alone, beside a name.
dissent-deeds = { $deeds }
