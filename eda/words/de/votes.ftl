# Was Stimmzettel sagen und ergeben. Sätze enden mit einem Punkt; das Übrige steht in Listen und Klammern.

-votes-wordings = alle Fassungen zusammengezählt

votes-text = { $kind ->
    [none] keiner der Texte
   *[text] { TEXT($text) }{ GIVEN($id) ->
        [yes] { " " }({ $id }{ GIVEN($by) ->
            [yes] , von { $by })
           *[no] )
        }
       *[no] { GIVEN($by) ->
            [yes] { " " }(von { $by })
           *[no] { "" }
        }
    }
}

votes-quote = { QUOTED($words) }

votes-lacking = { $rule ->
    [majority] kein Vorschlag hat mehr als die Hälfte der Stimmen
    [supermajority-2-3] kein Vorschlag hat zwei Drittel der Stimmen
    [supermajority-3-4] kein Vorschlag hat drei Viertel der Stimmen
    [unanimity] kein Vorschlag hat alle Stimmen
   *[other] kein Vorschlag erfüllt, was die Regel { $rule } verlangt
}

votes-wanted = { $count } von { $of } { $wordings ->
    [no] { $does ->
        [accept] { $count ->
            [one] stimmt zu
           *[other] stimmen zu
        }
       *[want] { $count ->
            [one] will das auch
           *[other] wollen das auch
        }
    }
   *[yes] { $does ->
        [accept] { $count ->
            [one] stimmt einer Fassung davon zu
           *[other] stimmen einer Fassung davon zu
        }
       *[want] { $count ->
            [one] will eine Fassung davon
           *[other] wollen eine Fassung davon
        }
    }
}{ $worded ->
    [no] , aber keine einzelne Fassung wurde angenommen
   *[yes] { $wordings ->
        [yes] , { $exact } davon { $does ->
            [accept] diesem Text
           *[want] diesen Text
        }
       *[no] { "" }
    }
}{ $part ->
    [yes] ; es ist auch Teil dessen, was beschlossen wurde
   *[no] { "" }
}
    .sentence = { votes-wanted }.

votes-doubted = { $count ->
    [one] Die Begründung von { $who } lehnt den Text ab
   *[other] Die Begründungen von { $who } lehnen den Text ab
}{ $to ->
    [nothing] { "" }
    [no-wording] ; ohne { $count ->
        [one] diese Stimme
       *[other] diese Stimmen
    } bliebe keine Fassung davon stehen
    [no-verdict] ; ohne { $count ->
        [one] diese Stimme
       *[other] diese Stimmen
    } gäbe es kein Ergebnis
   *[text] ; ohne { $count ->
        [one] diese Stimme
       *[other] diese Stimmen
    } wäre { $text } beschlossen
}.

votes-first = { $count } von { $of } { $count ->
    [one] setzt
   *[other] setzen
} den Text an die erste Stelle{ $equal ->
    [0] { "" }
   *[other] {" "}({ $equal } gleichrangig mit einem anderen)
}{ $others ->
    [0] { "" }
   *[other] , { $others } eine andere Fassung davon
}{ $parts ->
    [0] { "" }
   *[other] , { $parts } einen Text, der in ihn einging
}{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}.

votes-figure = { $kind ->
    [approvals] { $figure ->
        [one] 1 Zustimmung
       *[other] { $figure } Zustimmungen
    }
    [scores] im Mittel { NUMBER($figure, maximumFractionDigits: 1) } von 10 Punkten
    [points] { $figure ->
        [one] 1 Punkt
       *[other] { $figure } Punkte
    }
    [last-round] { $figure ->
        [one] 1 Stimme in der letzten Runde
       *[other] { $figure } Stimmen in der letzten Runde
    }
    [duels] { $figure ->
        [one] 1 gewonnener Vergleich
       *[other] { $figure } gewonnene Vergleiche
    }
    [below] { $figure ->
        [one] 1 Vorschlag darunter
       *[other] { $figure } Vorschläge darunter
    }
    [gain] { NUMBER($figure, style: "percent", maximumFractionDigits: 0) } des Gremiums hinzugewonnen
   *[votes] { $figure ->
        [one] 1 Stimme
       *[other] { $figure } Stimmen
    }
}{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}

votes-figure-head = { $kind ->
    [approvals] Zustimmungen
    [scores] Mittlere Punktzahl
    [points] Punkte
    [last-round] Stimmen in der letzten Runde
    [duels] Gewonnene Vergleiche
    [below] Vorschläge darunter
    [gain] Gewonnener Anteil
   *[votes] Stimmen
}

votes-of-rule = { $kind ->
    [approvals] { $figure ->
        [one] 1 Mitglied stimmt zu
       *[other] { $figure } Mitglieder stimmen zu
    }
    [scores] Im Mittel erhält der Text { NUMBER($figure, maximumFractionDigits: 1) } von 10 Punkten
    [duels] { $figure ->
        [one] Der Text gewinnt 1 direkten Vergleich
       *[other] Der Text gewinnt { $figure } direkte Vergleiche
    }
    [below] { $figure ->
        [one] Der Text steht vor 1 anderen
       *[other] Der Text steht vor { $figure } anderen
    }
    [gain] Der Text gewinnt { NUMBER($figure, style: "percent", maximumFractionDigits: 0) } des Gremiums hinzu
    [last-round] { $figure ->
        [one] In der letzten Runde hat der Text 1 Stimme
       *[other] In der letzten Runde hat der Text { $figure } Stimmen
    }
    [points] { $figure ->
        [one] Der Text hat 1 Punkt
       *[other] Der Text hat { $figure } Punkte
    }
   *[votes] { $figure ->
        [one] Der Text hat 1 Stimme
       *[other] Der Text hat { $figure } Stimmen
    }
}{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}.

votes-judge = { $judge } entscheidet.

votes-unblocked = { $worded ->
    [yes] Niemand legt ein Veto ein.
   *[no] Gegen eine der Fassungen legt niemand ein Veto ein.
}

votes-for = { $count ->
    [one] 1 Stimme
   *[other] { NUMBER($count, maximumFractionDigits: 2) } Stimmen
} für { $text }{ $wordings ->
    [yes] , { -votes-wordings }
   *[no] { "" }
}
    .sentence = { votes-for }.

votes-cast = { $count } von { $of } { $count ->
    [one] hat
   *[other] haben
} abgestimmt.

votes-none = { $count ->
    [one] { $who } nimmt keinen der Texte
   *[other] { $who } nehmen keinen der Texte
}{ $answer ->
    [yes] { " " }als Antwort an
   *[no] { " " }an
}.

votes-unused =
    .abstained = Enthaltung: { $who }.
    .unreadable = { $count ->
        [one] Der Stimmzettel von { $who } war
       *[other] Die Stimmzettel von { $who } waren
    } nicht lesbar.
    .missing = Kein Stimmzettel kam von { $who }.

votes-accepted = { $count } von { $of } { $count ->
    [one] stimmt
   *[other] stimmen
} { $text } zu; { $first } { $first ->
    [one] setzt
   *[other] setzen
} den Text an die erste Stelle.

votes-ballot-accepts = { $first ->
    [yes] Setzt { $texts } an die erste Stelle.
   *[no] Stimmt zu: { LIST($texts, by: ", ") }.
}
votes-ballot-rank = { $texts }{ $count ->
    [one] { "" }
   *[other] {" "}(gleichrangig)
}

votes-ballot-otherwise = { $otherwise ->
    [none] Nimmt keinen der Texte an.
    [abstained] Enthält sich.
    [unreadable] War nicht lesbar.
   *[missing] Kein Stimmzettel kam.
}

votes-ballot-also = Würde auch annehmen: { LIST($texts, by: ", ") }.

votes-part = { $text } (Teil von { $of })

votes-ballot-blocks = Legt ein Veto ein gegen { LIST($texts, by: ", ") }.

votes-ballot-scores = Gibt dem beschlossenen Text { NUMBER($score, maximumFractionDigits: 1) } von 10 Punkten.

votes-ballot-sure = Zu { NUMBER($sure, style: "percent", maximumFractionDigits: 0) } sicher.

votes-ballot-moved = Nennt { $at } als Anlass.

votes-ballot-beside = Zur Begründung: { $told }.

votes-figure-cell = { $kind ->
    [scores] { NUMBER($figure, minimumFractionDigits: 2, maximumFractionDigits: 2) }
    [gain] { NUMBER($figure, style: "percent", maximumFractionDigits: 0) }
   *[other] { NUMBER($figure, maximumFractionDigits: 2) }
}

votes-line = { $rule ->
    [plurality] Die meisten ersten Stimmen, so wenige es sind.
    [majority] Ein Antrag gewinnt mit mehr als der Hälfte der abgegebenen Stimmen, alle Fassungen zusammengenommen.
    [supermajority-2-3] Zwei Drittel der abgegebenen Stimmen.
    [supermajority-3-4] Drei Viertel der abgegebenen Stimmen.
    [unanimity] Jede abgegebene Stimme.
    [consent] Niemand legt ein Veto ein; unter diesen die meisten ersten Stimmen.
    [approval] Die meisten Zustimmungen.
    [score] Die höchste mittlere Punktzahl, Enthaltungen nicht gezählt.
    [borda] Ein Punkt für jeden Vorschlag, den ein Stimmzettel dahinter setzt.
    [instant-runoff] Wer die wenigsten Stimmen hat, scheidet aus, bis einer bleibt.
    [copeland] Die meisten gewonnenen direkten Vergleiche; ein Gleichstand zählt halb.
    [ranked-pairs] Direkte Vergleiche, vom größten Abstand an festgelegt (Tideman).
    [schulze] Die stärksten Ketten direkter Vergleiche, nach Abständen.
    [shift] Die Seite, die zwischen zwei Umfragen am meisten gewann.
   *[other] { $line }
}

votes-kin = { GIVEN($option) ->
    [yes] eine Fassung von { $option }{ $kind ->
        [none] { "" }
       *[other] ,{ " " }
    }
   *[no] { "" }
}{ $kind ->
    [wording] eine andere Fassung von { $of }
    [original] wovon { $of } { $count ->
        [one] eine andere Fassung ist
       *[other] andere Fassungen sind
    }
    [part] Teil von { $of }
    [taken-into] aufgegangen in { $of }
    [takes-in] nimmt { $of } auf
   *[none] { "" }
}

votes-equal = { $who } { $count ->
    [one] setzt
   *[other] setzen
} mehrere Texte gleichrangig an die erste Stelle
    .sentence = { votes-equal }.

votes-moved = von { $before } auf { $after }

votes-label =
    .none = Keiner der Texte
    .abstained = Enthaltung
    .unreadable = Nicht lesbar
    .missing = Kein Stimmzettel

votes-rule = { $rule ->
    [plurality] relative Mehrheit
    [majority] absolute Mehrheit
    [supermajority-2-3] Zweidrittelmehrheit
    [supermajority-3-4] Dreiviertelmehrheit
    [unanimity] Einstimmigkeit
    [consent] Konsent
    [approval] Zustimmung
    [score] Punkte
    [borda] Borda
    [instant-runoff] Stichwahl in Runden
    [copeland] Copeland
    [ranked-pairs] Paarvergleiche nach Tideman
    [schulze] Schulze
    [judge] ein Mitglied entscheidet
    [shift] Meinungswechsel
   *[other] { $rule }
}
