# Was eine abgespielte Aufzeichnung von sich sagt, und von einer Debatte, die anders verläuft als sie.

recorded-call = Aufruf { $purpose } von { GIVEN($agent) ->
    [yes] { $agent }
   *[no] der Maschine
} nach m{ $last }, Nummer { $nth }
recorded-changed = die Anfrage hat sich seit der Aufzeichnung geändert ({ $call }):
recorded-about = { $models ->
    [yes] eine Aufzeichnung von Sprachmodellen, abgespielt; kein Modell wird gefragt
   *[no] { GIVEN($spec) ->
        [yes] eine Aufzeichnung von `{ $spec }`, abgespielt
       *[no] eine Aufzeichnung, abgespielt
    }
}
recorded-instead = nach m{ $last } enthält sie: { LIST($calls, by: ", ") }
recorded-last = ihr letzter Aufruf steht nach m{ $last }
