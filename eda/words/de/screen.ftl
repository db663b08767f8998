# Was in einer Debatte geschieht, auf dem Bildschirm.

screen-floor = { $who } hat das Wort · { $reason }
screen-seat = { $change ->
    [left] { $who } hat den Tisch verlassen
    [muted] { $who } darf nicht sprechen
    [back] { $who } ist zurück am Tisch
    [unmuted] { $who } darf wieder sprechen
    [added] { $who } kommt zum Gremium dazu
    [sat] { $who } nimmt Platz
    [replaced] { $persona } übernimmt den Platz von { $who }
   *[removed] { $who } verlässt das Gremium
}{ GIVEN($by) ->
    [yes] {" "}(durch { $by })
   *[no] {""}
}
screen-comment = ungefragte Bemerkung: { $who } zu { $on ->
    [verdict] dem Ergebnis
   *[other] { $on }
}
screen-goes-on = die Debatte geht weiter{ GIVEN($runner) ->
    [yes] {" "}mit { $runner }
   *[no] {""}
}
screen-unfinished = noch kein Ergebnis: { $state }
screen-table = auf dem Tisch{ $rest ->
    [0] {""}
   *[other] {" "}· { $rest } weitere: { LIST($ids, by: ", ") }
}
screen-poll = { $kind ->
    [invalid] gab keine brauchbare Antwort
    [beliefs] glaubt { LIST($beliefs, by: ", ") }
   *[choice] hält { GIVEN($choice) ->
        [yes] { $choice }
       *[no] nichts davon
    }{ GIVEN($sure) ->
        [yes] , zu { $sure } sicher
       *[no] {""}
    }{ GIVEN($at) ->
        [yes] ; bewogen durch { $at }
       *[no] {""}
    }{ GIVEN($change) ->
        [yes] ; was das ändern würde: { $change }
       *[no] {""}
    }
}
