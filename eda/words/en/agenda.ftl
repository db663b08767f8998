# Why the file of a format could not be run. $name: of the phase; $kind: of the phase.

agenda-same-name = phase '{ $name }': another phase has this 'name', too
agenda-polls = rule '{ $rule }' needs a poll before and a poll after, and no ballot
# $fault: one of these.
agenda-phase = phase '{ $name }': { $fault }
agenda-first = phase '{ $name }': a phase of kind '{ $kind }' comes before all others
agenda-open-only = '{ $name }' is for a phase of kind 'open', and this is of kind '{ $kind }'
agenda-no-speech = 'instruction' is for phases in which members speak, and this is of kind '{ $kind }'
# $slots: all that there are, in braces, as is $slot.
agenda-slot-unknown = 'instruction' has the unknown slot '{ $slot }'; there are { LIST($slots, by: ", ") }
agenda-slot = 'instruction' has the slot '{ $slot }', and { $lacks ->
    [side] the format has no 'sides'
    [statistics] no phase is of kind 'poll'
   *[blocks] no phase has 'until' = 'unblocked'
}
# $wanted: the kind that may have it.
agenda-until = 'until' = '{ $until }' is for a phase of kind '{ $wanted }', and this is of kind '{ $kind }'
# $names: of the phases before it.
agenda-back-to = 'back_to' = '{ $phase }' is no phase before it; those are { GIVEN($names) ->
    [yes] { LIST($names, by: ", ") }
   *[no] none
}
agenda-in-vain = nobody speaks between '{ $phase }' and here, so going back to it would change nothing
