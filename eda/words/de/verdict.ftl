# Was entschieden wurde, wer dagegen ist, und wie fest es steht. Jede Meldung ist ein eigener Satz.

-verdict-wordings = alle Fassungen zusammengezählt

verdict-by = { $rule ->
    [plurality] mit relativer Mehrheit
    [majority] mit absoluter Mehrheit
    [unanimity] einstimmig
    [consent] im Konsent
    [approval] durch Zustimmung
    [score] nach Punkten
   *[other] nach der Regel { votes-rule }
}{ $tie ->
    [yes] {" "}(bei Gleichstand durch das Los)
   *[no] { "" }
}

verdict-adopted = { $count ->
    [0] Das Gremium hat nichts angenommen
   *[other] Angenommen: { LIST($texts, by: "; ") }
}.
verdict-item = { $text }, { $votes }{ GIVEN($but) ->
    [yes] {" "}(nicht { LIST($but, by: ", ") })
   *[no] {""}
}{ GIVEN($whole) ->
    [yes] : { TEXT($whole) }
   *[no] {""}
}

verdict-unworded = Kein Text wurde angenommen: { $text } hat { verdict-by } gewonnen, aber keine Fassung davon hat die Stimmen, die ein Text braucht.

verdict-none = Kein Ergebnis: { $why }.
verdict-all = Alle { $count }, die abgestimmt haben, nehmen { $texts } an.

verdict-open = Nicht sicher: { GIVEN($unreadable) ->
    [yes] { GIVEN($missing) ->
        [yes] Nicht lesbar waren die Stimmzettel von { $unreadable }, und keiner kam von { $missing }
       *[no] { $count ->
            [one] Nicht lesbar war der Stimmzettel
           *[other] Nicht lesbar waren die Stimmzettel
        } von { $unreadable }
    }
   *[no] Kein Stimmzettel kam von { $missing }
}; das könnte das Ergebnis ändern{ GIVEN($texts) ->
    [yes] { " " }({ LIST($texts, by: ", ") }{ $none ->
        [yes] { " " }oder kein Ergebnis
       *[no] { "" }
    })
   *[no] { " " }(kein Ergebnis)
}.

verdict-wording = Der Text ist eine Fassung von { $text }.

verdict-rival = Im direkten Vergleich ziehen mehr Stimmen { $text } vor.

verdict-condition = { $who } war { $doubt ->
    [yes] vielleicht{" "}
   *[no] {""}
}nur unter einem Vorbehalt für { GIVEN($text) ->
    [yes] { $text }
   *[no] den Text
}: { QUOTED($clause) } ({ act-told }).

verdict-torn = { $who } { $accepts ->
    [yes] stimmt { GIVEN($text) ->
        [yes] { $text }
       *[no] dem Text
    } auf dem Stimmzettel zu, sprach aber dagegen
   *[no] sprach gegen { $text }
}{ GIVEN($reason) ->
    [yes] : { QUOTED($reason) }
   *[no] { "" }
} ({ act-told }).

verdict-unopposed = { $others ->
    [yes] Niemand lehnt { GIVEN($text) ->
        [yes] { $text }
       *[no] den Text
    } ab.
   *[no] Keine Gegenstimme{ GIVEN($text) ->
        [yes] { " " }zu { $text }
       *[no] { "" }
    }.
}

verdict-first = { $count ->
    [one] { $who } setzt { $text } an die erste Stelle{ GIVEN($why) ->
        [yes] : { QUOTED($why) } (Stimmzettel).
       *[no] .
    }
   *[other] { $who } setzen { $text } an die erste Stelle.
}

verdict-least = { $to ->
    [no-verdict] Ohne Ergebnis wäre die Abstimmung geblieben
    [another-winner] Ein anderer Text hätte gewonnen
   *[another-outcome] Ein anderes Ergebnis hätte es gegeben
}, wenn { $count ->
    [one] eine Stimme anders gelautet hätte
   *[other] { $count } Stimmen anders gelautet hätten
}{ $wordings ->
    [yes] , { -verdict-wordings }
   *[no] { "" }
}{ $tie ->
    [yes] , bei gleichem Los
   *[no] { "" }
}.

verdict-label = { $kind ->
    [verdict] Ergebnis
    [for] dafür
    [against] dagegen
    [beside-another] dafür neben einer anderen
    [elsewhere] für einen anderen Text
    [text] Text
    [adopted] angenommen
    [also] außerdem angenommen
    [part] aufgegangen in { $of }
    [beside] neben einer Antwort gewünscht
    [rival] Gegenvorschlag
    [blocked] Veto
    [votes] Stimmen
    [ranked] Rang
    [tie] Los
    [story] Verlauf
    [followed] seither
    [minds] würde umstimmen
    [open] offen
    [promised] zugesagt
    [looked] angesehen
    [hinges] hängt an
    [sure] wie sicher
   *[refused] nicht angenommen
}

verdict-answer = { $text } { $majority ->
    [yes] ist beschlossen{ $rule ->
        [majority] { $tie ->
            [yes] {" "}(bei Gleichstand durch das Los)
           *[no] { "" }
        }
       *[other] , { verdict-by }
    }
   *[no] gewann { verdict-by }, doch keine Mehrheit { $known ->
        [yes] nimmt es an
       *[no] setzt es an die erste Stelle
    }
}.

verdict-opposed = { $kind ->
    [against] Dagegen: { $who }
    [beside-another] Dagegen als Antwort, dafür neben einer anderen: { $who }
   *[elsewhere] Für einen anderen Text: { $who }
}.

verdict-more = Mehr nehmen { $text } an als den beschlossenen Text: { $count } von { $of }.

verdict-kind = { $kind ->
    [yes-no] Ja oder Nein
    [options] { $texts ->
        [yes] eine der Optionen oder ein Text des Gremiums
       *[no] eine der Optionen
    }
    [one] eine Antwort
   *[list] eine Liste
}

verdict-replaces = Der Beschluss ersetzt einen früheren: { $text }.

verdict-apart = Ein Widerspruch: { LIST($texts, by: " und ") } wurden beide angenommen, und nach { LIST($who, by: ", ") } schließt das eine das andere aus.
