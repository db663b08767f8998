# Beschriftungen der Seite eines Berichts.
page-label =
    .decided = Beschlossen
    .undecided = Kein Ergebnis
    .to-the-verdict = Zum Ergebnis
    .dark = Dunkel
    .light = Hell
    .print = Drucken
    .contents = Inhalt
    .wanted-by = Gewünscht von
    .accepted-by = Zustimmung von
    .first-by = An erster Stelle bei
    .against = Dagegen
    .beside-another = Dafür neben einer anderen Antwort
    .elsewhere = Für einen anderen Text
    .minds = Würde umstimmen
    .also-adopted = Außerdem angenommen
    .part = Es ist auch Teil dessen, was beschlossen wurde.
    .unworded = Keine einzelne Fassung davon wurde angenommen.
    .from-ballot = vom Stimmzettel
    .choice = Vorschlag
    .votes = Stimmen
    .with-reasons = mit Begründungen
    .marks = Ein umrandetes Quadrat ist eine geheime Antwort, ein Kreis eine Haltung oder Unterstützung aus dem Gespräch, ein gefülltes Quadrat eine Stimme.
    .perhaps = vielleicht
    .own-words = eine Haltung in eigenen Worten
    .no-vote = für keinen Text gestimmt
    .member = Mitglied
    .changes = Durchgestrichen: entfernt. Unterstrichen: eingefügt.
    .given = mit der Frage vorgegeben
    .undecided-texts = vorgeschlagen und nicht beschlossen
    .details = Einzelheiten
    .footer = Jedes Zitat stammt aus dem Protokoll der Sitzung: aus einer Nachricht, auf die es verweist, oder von einem Stimmzettel.

page-votes = { $count ->
    [one] Stimme
   *[other] Stimmen
}

page-accepted = Zustimmung von { $count }

page-wanted = auch gewünscht von { $count }

page-sure = zu { $sure } sicher

page-of = { $count } von { $of }

page-ballots = { $count ->
    [one] 1 Stimmzettel
   *[other] { $count } Stimmzettel
}

page-rule = Regel: { votes-rule }. { $line } { $count } von { $of } { $count ->
    [one] hat
   *[other] haben
} abgestimmt.

page-made = { $how ->
    [joins] verbindet { LIST($of, by: ", ") }
    [rewords] formuliert { LIST($of, by: ", ") } um
   *[anew] fasst { LIST($of, by: ", ") } ganz neu
}

page-text = Text { $id }, { GIVEN($by) ->
    [yes] vorgeschlagen von { $by }
   *[no] mit der Frage vorgegeben
}.

page-made-of = Er { $made }.

page-fold = { $quotes ->
    [yes] { $count ->
        [0] Die Zitate
       *[other] Die Zitate und{ " " }
    }
   *[no] { "" }
}{ $count ->
    [0] { "" }
   *[other] { $count } { $more ->
        [yes] { $count ->
            [one] { $kind ->
                [reason] weiterer{ " " }
                [question] weiterer{ " " }
               *[other] weiteres{ " " }
            }
           *[other] weitere{ " " }
        }
       *[no] { "" }
    }{ $kind ->
        [reason] { $count ->
            [one] Grund
           *[other] Gründe
        }
        [argument] { $count ->
            [one] Argument
           *[other] Argumente
        }
        [question] { $count ->
            [one] Punkt
           *[other] Punkte
        }
       *[risk] { $count ->
            [one] Risiko
           *[other] Risiken
        }
    }
}

page-others = { $count ->
    [one] 1 weiterer Text
   *[other] { $count } weitere Texte
}

page-acts = { $count ->
    [0] { $left } nicht gezählt
    [one] 1 Erklärung festgehalten
   *[other] { $count } Erklärungen festgehalten
}{ $both ->
    [yes] , { $left } nicht gezählt
   *[no] { "" }
}

page-left-out = { $count ->
    [0] { "" }
    [one] 1 Zitat, das das Modell gewählt hat, ist ausgelassen: Es steht nicht in seiner Nachricht oder gehört nicht an diese Stelle.
   *[other] { $count } Zitate, die das Modell gewählt hat, sind ausgelassen: Sie stehen nicht in ihren Nachrichten oder gehören nicht an diese Stelle.
}{ $line ->
    [only] Die Antwort in einer Zeile, die das Modell vorschlug, ist ausgelassen ({ sentence-beyond }).
    [too] {" "}Die Antwort in einer Zeile, die das Modell vorschlug, ist ausgelassen ({ sentence-beyond }).
   *[no] { "" }
}

page-day = , { DATETIME($day, dateStyle: "long") }

page-became = { $status ->
    [active] offen geblieben
    [accepted] beschlossen
   *[closed] { $end }
}
