# Was ein Notebook von einer Debatte zeigt.

notebook-result = <Ergebnis { $decided }; { $messages } Nachrichten, { $reason }, Sitzung { $session }{ GIVEN($vain) ->
    [yes] ; umsonst von { $runner }: { $vain }
   *[no] {""}
}>
notebook-messages = { $messages } von höchstens { $most } Nachrichten
notebook-last = Die letzten { $last } von { $number } Nachrichten
notebook-not-priced = { GIVEN($cost) ->
    [yes] { $cost } (nicht alle Preise sind bekannt)
   *[no] ohne Preis
}
