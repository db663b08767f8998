# Wie das Gedächtnis zu einem Eintrag kam: `ConversationMemory.explain`. Jede Meldung ist eine Zeile.

explain-found = { $id }, Quelle: { $reader }, Sicherheit { $score }
explain-reader = { GIVEN($pattern) ->
    [yes] Muster { $pattern }
   *[no] { $source ->
        [declared] eigene Angabe
        [minutes] Protokoll
        [procedure] Verfahren
       *[other] { $source }
    }
}
explain-amends = ändert { $id }, zugeordnet durch: { GIVEN($link) ->
    [yes] { $link }
   *[no] nichts
}
explain-reaction = m{ $message } { $who }: { $stance ->
    [support] dafür
    [oppose] dagegen
    [conditional] dafür unter einer Bedingung
   *[neutral] unentschieden
}, Quelle: { $reader }, zugeordnet durch: { GIVEN($link) ->
    [yes] { $link }
   *[no] nichts
} ({ $score }){ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}
explain-minuted = von { GIVEN($by) ->
    [yes] { $by }
   *[no] den Protokollen
} { $done ->
    [confirmed] bestätigt
   *[denied] bestritten
}{ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}
explain-exception = Ausnahme { $holds ->
    [yes] trifft zu
   *[no] trifft nicht zu
}: { $text }
explain-joins = verbindet { $id }
explain-changed = { $status ->
    [active] wieder offen
    [modified] ersetzt
    [rejected] abgelehnt
    [accepted] angenommen
    [withdrawn] zurückgezogen
    [superseded] überholt
    [merged] aufgegangen
    [struck] gestrichen
    [not-adopted] nicht beschlossen
   *[not-chosen] nicht gewählt
}{ $why ->
    [again] , noch einmal vorgeschlagen
    [supported-again] , wieder unterstützt von { $of }
    [undone] , da { $of } entfällt
    [disputed] , da { $of } bestritten wurde
    [taken-into] , aufgenommen in { $of }
    [replaced] {" "}durch { $of }
    [another-wording] {" "}durch { $of }, eine andere Fassung davon
    [amended] , da die Änderung { $of } angenommen wurde
    [put-again] , noch einmal vorgeschlagen als { $of }
    [reworded] , anders gefasst als { $of }
    [not-beside] {" "}neben der Antwort
    [stated] , als beschlossen genannt
    [turned-down] , abgelehnt durch { $of }
    [opposed] , auf Widerspruch, und anderes wurde vorgeschlagen
   *[other] {""}
} ({ LIST($at, by: ", ") })
explain-side = m{ $message } { $who }: { $side ->
    [for] dafür
    [back] nimmt es zurück
   *[against] dagegen
}
explain-decision = { $status ->
    [decided] beschlossen
    [claimed] behauptet
    [disputed] bestritten
    [adopted] später beschlossen
    [contradicted] widerlegt
    [superseded] überholt
    [struck] gestrichen
   *[other] { $status }
}{ GIVEN($by) ->
    [yes] {" "}durch { $by }
   *[no] {""}
}{ GIVEN($of) ->
    [yes] , { $about ->
        [yes] über
       *[no] nimmt an:
    } { $of }{ GIVEN($link) ->
        [yes] , zugeordnet durch: { $link }
       *[no] {""}
    }
   *[no] {""}
}
