# Was in einer Debatte geschieht, auf dem Bildschirm eines Terminals.

screen-floor = { $who } hat das Wort · { $reason }
screen-seat = { $change ->
    [left] { $who } hat den Tisch verlassen
    [muted] { $who } ist stummgeschaltet
    [back] { $who } sitzt wieder am Tisch
    [unmuted] { $who } darf wieder sprechen
    [added] { $who } kommt ins Gremium
    [sat] { $who } nimmt Platz
    [replaced] { $persona } nimmt den Platz von { $who } ein
   *[removed] { $who } verlässt das Gremium
}{ GIVEN($by) ->
    [yes] {" "}(durch { $by })
   *[no] {""}
}
screen-comment = ungefragter Kommentar: { $who } { $on ->
    [verdict] zum Ergebnis
   *[other] zu { $on }
}
screen-goes-on = die Debatte geht weiter{ GIVEN($runner) ->
    [yes] {" "}mit { $runner }
   *[no] {""}
}
screen-verdict = Ergebnis damals: { $outcome }
screen-unfinished = noch kein Ergebnis: { $state ->
    [paused] die Debatte ist unterbrochen
    [unfinished] die Debatte ist nicht beendet
   *[other] { $state }
}
screen-table = auf dem Tisch{ $rest ->
    [0] {""}
    [one] {" "}· 1 weiterer Text: { LIST($ids, by: ", ") }
   *[other] {" "}· { $rest } weitere Texte: { LIST($ids, by: ", ") }
}
screen-poll = { $kind ->
    [invalid] gab keine brauchbare Antwort
    [beliefs] gibt als Wahrscheinlichkeit an: { LIST($beliefs, by: ", ") }
   *[choice] vertritt { GIVEN($choice) ->
        [yes] { $choice }
       *[no] keine der Möglichkeiten
    }{ GIVEN($sure) ->
        [yes] , zu { $sure } sicher
       *[no] {""}
    }{ GIVEN($at) ->
        [yes] ; Anlass: { $at }
       *[no] {""}
    }{ GIVEN($change) ->
        [yes] ; was umstimmen würde: { $change }
       *[no] {""}
    }
}
