# What `eda decisions` and the page say of decisions.

# Words of a question that say nothing of its subject: grammar, and words with which people ask what was decided.
decisions-asking = a about after again agree agreed agreement all also an and any are as at be because been before being but by can come came conclude concluded could decide decided decision decisions did do does end ended ever for from get had has have how i if in into is it its last me more my no not of on or our outcome out over panel please question say said settle settled shall should so tell than that the their them then there these they this those to up us verdict was we went were what when where whether which who why will with would you your

decisions-none-won = No verdict
decisions-due = look again: due since { DATETIME($day, dateStyle: "long") }
# $side: for or against it; $count: how many of them; $who: their names.
decisions-votes = { $side ->
    [for] for
   *[against] against
} { $count }: { LIST($who, by: ", ") }
decisions-minds = would change it: { $who }: { QUOTED($text) }
# $what: what was changed, see `stress-arm`.
decisions-hinges = hinges on: { $what }
decisions-experiment = fork of { $parent }: an experiment
decisions-none = no decisions in { $where }{ GIVEN($query) ->
    [yes] {" "}on { QUOTED($query) }; every word said: eda recall --all { $query }
   *[no] ; make one: eda debate "Should we ...?"
}
decisions-noted = noted for { $session }
