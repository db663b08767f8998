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
screen-goes-on = die Debatte geht weiter{ GIVEN($runner) ->
    [yes] {" "}mit { $runner }
   *[no] {""}
}
screen-verdict = Ergebnis damals: { $outcome }
screen-unfinished = noch kein Ergebnis: { $state ->
    [paused] die Debatte ist angehalten
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
       *[no] keine der Optionen
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

screen-label =
    .error = Fehler
    .hint = Tipp
    .left-out = ausgelassen
    .remark = Hinweis
    .warning = Warnung
    .written = geschrieben
    .act = Erklärung
    .bids = Meldungen
    .claim = Behauptung
    .context = Unterlage
    .correction = Berichtigung
    .decision = Beschluss
    .ended = beendet
    .failed = Fehler
    .first-vote = erste Stimme
    .floor = Wort
    .from = aus
    .go-on = weiter
    .live = neu gefragt
    .looked-up = nachgeschlagen
    .moderator = Gesprächsleitung
    .note = Notiz
    .option = Option
    .panel = Gremium
    .passed = ausgesetzt
    .phase = Phase
    .poll = Umfrage
    .proposal = Text
    .question = Frage
    .reaction = Haltung
    .resumed = fortgesetzt
    .runner = Modelle
    .saved = gespeichert
    .session = Sitzung
    .setting = Einstellung
    .summary = Zusammenfassung
    .table = Tisch
    .terms = Bedingung
    .to-you = an Sie
    .took = Aufwand
    .vote = Stimme
    .waiting = wartet
screen-asks-for = gesucht: { $asks }
screen-voted = { $came ->
    [unreadable] der Stimmzettel von { $who } war nicht lesbar
    [missing] von { $who } kam kein Stimmzettel
   *[voted] { $who } hat abgestimmt
}
screen-bids = { $how ->
    [nobody] Meldungen: niemand will das Wort
    [asking] Meldungen: { LIST($bids, by: ", ") }
    [passing] ohne Meldung: { LIST($bids, by: ", ") }
   *[lost] nicht in der Antwort: { LIST($bids, by: ", ") }
}
screen-to = an { LIST($who, by: ", ") }
screen-on = zu { $at }
screen-no-words = (ohne Worte)
screen-again = { $of ->
    [round] Runde
   *[lap] Durchgang
} { $number }
screen-became = { $id } ist { $status ->
    [active] offen
    [modified] ersetzt
    [withdrawn] zurückgezogen
    [accepted] beschlossen
    [rejected] abgelehnt
    [struck] gestrichen
    [superseded] überholt
    [merged] vereint
    [not-chosen] nicht gewählt
    [not-adopted] nicht angenommen
   *[other] { $status }
}
screen-puts = { GIVEN($on) ->
    [yes] ändert { $on }
   *[no] schlägt vor
}
screen-setting = { $kind ->
    [max_messages] Höchstzahl der Nachrichten
    [max_cost] Höchstbetrag
    [max_tokens] Höchstzahl der Tokens
    [max_seconds] Höchstdauer in Sekunden
    [language] Sprache
    [floor] Redeordnung
    [rule] Regel
    [quorum] Quorum
    [consensus] Konsens
    [summary_every] Nachrichten je Zusammenfassung
    [poll_every] Nachrichten zwischen Umfragen
   *[other] { $kind }
}: { $was }, jetzt { $now }
screen-value = { $whether ->
    [yes] { $set ->
        [yes] ja
       *[no] nein
    }
   *[no] { GIVEN($value) ->
        [yes] { $value }
       *[no] keine
    }
}
screen-aside = nebenbei: { $who } an { $to }
screen-after = { $phrase }, nach { $at }
screen-summed-up = { $first } bis { $last } zusammengefasst, { $model ->
    [yes] { $by }
   *[no] in Auszügen
}
screen-claim = { $at }{ GIVEN($on) ->
    [yes] {" "}zu { $on }
   *[no] {""}
} { $status ->
    [taken-back] zurückgenommen
    [claimed] behauptet
    [disputed] bestritten
    [contradicted] widerlegt
    [adopted] angenommen
   *[other] { $status }
}{ GIVEN($by) ->
    [yes] , bestritten von { LIST($by, by: ", ") }
   *[no] { "" }
}: { $text }

screen-resumed = fortgesetzt: nach { $at }
screen-argues = vertritt { $side }
