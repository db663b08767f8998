# Was in einer Debatte geschieht: Teile von Zeilen, ohne Punkt.

debate-ended = { $why ->
    [person] jemand hat das Gespräch beendet
    [verdict] es gibt ein Ergebnis
    [lap] noch einmal
    [talk] jemand sprach, also stimmen alle noch einmal ab
    [errors] zu viele Beiträge schlugen fehl
    [time] die Zeit ist um
    [tokens] das Budget an Tokens ist verbraucht
    [money] das Budget ist ausgegeben
    [messages] die Nachrichten für die Aussprache sind verbraucht
    [done] die Tagesordnung ist abgearbeitet
    [consensus] das Gremium ist sich einig
    [silence] niemand wollte mehr sprechen
    [circle] die Debatte drehte sich im Kreis
   *[other] { $phrase }
}{ $voted ->
    [yes] ; dann stimmte das Gremium ab
   *[no] { "" }
}

debate-skipped = { LIST($phases, by: ", ") } entfiel, denn mindestens die Hälfte der Nachrichten gehört der Aussprache

debate-delayed = { $seconds ->
    [0] { "" }
   *[other] noch einmal in { NUMBER($seconds, maximumFractionDigits: 0) } s:{ " " }
}{ $why } ({ GIVEN($who) ->
    [yes] { $who }
   *[no] die Maschine
}, { $purpose }, Versuch { $nth })

debate-live = ab dem Aufruf { $purpose } von { GIVEN($who) ->
    [yes] { $who }
   *[no] der Maschine
} nach { $at }: { $why }

debate-looked-up = { $who } schlägt „{ $words }“ nach: { GIVEN($passages) ->
    [yes] { LIST($passages, by: ", ") }
   *[no] nichts gefunden
}

debate-called = { $who } ruft { $tool } { $arguments } auf: { GIVEN($error) ->
    [yes] { $error }
   *[no] { GIVEN($passages) ->
        [yes] { LIST($passages, by: ", ") }
       *[no] nichts gefunden
    }
} ({ NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s)
debate-parent = { $session }{ GIVEN($at) ->
    [yes] {" "}ab { $at }
   *[no] {""}
}{ GIVEN($changed) ->
    [yes] {" "}({ $changed })
   *[no] {""}
}
