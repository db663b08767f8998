# Was eine Persona aus einer Vorlage und ein ohne Modell ausgewähltes Gremium von sich sagen.

casting-speaks = Spricht als { $trade }. Geeignet, wenn man in diesem Beruf weiß, was die anderen nur vermuten.
casting-why = { GIVEN($value) ->
    [yes] sucht { $value }, fürchtet { $fear }
   *[no] { $role }
}{ GIVEN($moved) ->
    [yes] ; lässt sich bewegen durch { $moved }
   *[no] {""}
}
casting-picked = Ausgewählt nach den Worten der Frage: { $question }
