# Die Tabelle, wer wofür stand.

stances-head = { $part ->
    [first] Vor dem Gespräch
    [poll] Umfrage { $number }
    [talk] Im Gespräch
    [vote] Die Abstimmung
    [last] Letzte Abstimmung
   *[earlier] Abstimmung { $number }
}

stances-span = { LIST($messages, by: " bis ") }

stances-lifted = zurückgenommen in { $message }

stances-vote = { $vote ->
    [nothing] für keinen Text gestimmt
    [none] { dissent-deed.none }
    [equal] { $text } (gleichrangig)
   *[text] { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
}
