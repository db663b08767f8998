# What a persona made from a template, and a panel picked without a model, say of themselves.

# $trade: the description that was given.
casting-speaks = Speaks as { $trade }. Seat when that work knows what the others suppose.
# Why a persona is picked. $value and $fear: the first that it names; empty where it lacks one. $moved: the first that
# moves it; may be empty.
casting-why = { GIVEN($value) ->
    [yes] looks for { $value }, fears { $fear }
   *[no] { $role }
}{ GIVEN($moved) ->
    [yes] ; moved by { $moved }
   *[no] {""}
}
casting-picked = Picked by the words of: { $question }
