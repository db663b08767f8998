# Was ein Notebook von einer Debatte zeigt.

notebook-result = <Ergebnis { $decided }; { $messages } Nachrichten, { $reason }, Sitzung { $session }{ GIVEN($vain) ->
    [yes] ; umsonst von { $runner }: { $vain }
   *[no] {""}
}>
notebook-messages = { $messages } von höchstens { $most } Nachrichten
notebook-last = { $all ->
    [yes] Nachrichten
   *[no] Die letzten { $last } von { $number } Nachrichten
}
notebook-not-priced = { GIVEN($cost) ->
    [yes] { $cost } (nicht alle Preise sind bekannt)
   *[no] ohne Preis
}
notebook-writing = { $who } schreibt
notebook-rule = Regel: { votes-rule }
notebook-session = Sitzung { $name }{ GIVEN($facts) ->
    [yes] {" "}{ $kept ->
        [yes] auf der Festplatte
       *[no] im Speicher
    }, { $facts } Einträge
   *[no] {""}
}
notebook-state = { $state ->
    [not-begun] nicht begonnen
   *[other] { GIVEN($why) ->
        [yes] { $state ->
            [paused] angehalten
            [ended] beendet
           *[unfinished] nicht beendet
        }: { debate-why }
       *[no] { $phase }
    }
}
notebook-asked = { $kind ->
    [first] Erste Abstimmung
    [poll] Umfrage { $number }
    [survey] Befragung { $number }
   *[ballot] { GIVEN($number) ->
        [yes] { $number }. Abstimmung
       *[no] Abstimmung
    }
}
notebook-status = { $status ->
    [active] offen
    [accepted] beschlossen
    [rejected] abgelehnt
    [withdrawn] zurückgezogen
    [modified] ersetzt
    [superseded] überholt
    [merged] vereint
    [struck] gestrichen
   *[other] { $status }
}
notebook-part =
    .none-yet = Noch kein Ergebnis.
    .stopped = Die Debatte wurde vor einer Abstimmung angehalten.
    .ballots = Stimmzettel
notebook-head =
    .member = Mitglied
    .voter = Mitglied
    .choice = Erste Wahl
    .also = Außerdem
    .moved = Anlass
    .because = Begründung
    .text = Vorschlag
    .votes = Stimmen
    .by = Von
    .beside = Außerdem angenommen
    .other = Für einen anderen Text
    .abstained = Enthaltung
    .unreadable = Nicht lesbar
    .missing = Kein Stimmzettel
    .none-won = Keiner der Texte
    .no-vote = keine Stimme
    .no-verdict = Kein Ergebnis
    .no-answer = keine brauchbare Antwort
    .equal = mehrere, gleichrangig
    .no-choice = keine Wahl
    .none = keiner davon
    .table = Auf dem Tisch
    .words = Text
    .for = Dafür
    .against = Dagegen
    .undecided = Unentschieden
    .state = Stand
    .if = wenn ...
    .memory = Gedächtnis
    .decided = Beschluss oder Behauptung
    .summaries = Zusammenfassungen
notebook-memory = { $messages ->
    [one] 1 Nachricht
   *[other] { $messages } Nachrichten
}, { $motions ->
    [one] 1 Antrag
   *[other] { $motions } Anträge
}, { $decisions ->
    [one] 1 Beschluss
   *[other] { $decisions } Beschlüsse
}, { $summaries ->
    [one] 1 Zusammenfassung
   *[other] { $summaries } Zusammenfassungen
}
