# Die Titel der Teile, in ihrer Reihenfolge.
report-title =
    .verdict = Ergebnis
    .followed = Seit der Entscheidung
    .reasons = Gründe
    .dissent = Gegenstimmen
    .sure = Wie sicher es ist
    .story = Wie es dazu kam
    .texts = Die anderen Texte
    .open = Offene Fragen
    .risks = Risiken, die Mitglieder nannten
    .vote = Die Abstimmung
    .ballots = Die Stimmzettel
    .stances = Wer wofür steht
    .descent = Wie der Text entstand
    .put = Was vorgeschlagen wurde
    .promised = Zugesagt
    .minds = Was jemanden umstimmen würde
    .hinges = Woran es hängt
    .decisions = Beschlüsse auf dem Weg
    .evidence = Belege, die Mitglieder nachschlugen
    .looked = Was sonst angesehen wurde
    .run = Wie die Debatte lief
    .transcript = Mitschrift
    .each = Was für jeden Text sprach

report-followed =
    .owner = Verantwortlich: { $told }
    .revisit = Wieder ansehen am { DATETIME($told, dateStyle: "long") }
    .outcome = Was daraus wurde: { $told } (notiert von { $by })

report-source = { GIVEN($by) ->
    [yes] Jede Zeile{ $line ->
        [yes] {" "}außer der Antwort in einer Zeile
       *[no] { "" }
    } stammt aus dem Protokoll; { $by } wählte die Zitate.
   *[no] Kein Modell hat daran geschrieben: jede Zeile stammt aus dem Protokoll.
}

report-line = { QUOTED($line) } (Worte von { $by }).

report-simulated = Das Gremium war simuliert: kein Sprachmodell war beteiligt.

report-sides = Die Seiten waren zugeteilt ({ LIST($sides, by: "; ") }): Zitate vertreten eine Seite, die Stimmen sind die eigenen.

report-side = { $side }: { LIST($who, by: ", ") }

report-promised = { $personas ->
    [yes] Eine Persona kann nicht handeln.
   *[no] Niemand ist damit beauftragt.
}

report-personas = { $models ->
    [0] { $count ->
        [one] 1 Mitglied
       *[other] { $count } Mitglieder
    }
   *[other] { $count ->
        [one] 1 Persona
       *[other] { $count } Personas
    }, { $models ->
        [one] ein Modell
       *[other] { $models } Modelle
    }
}

report-people = { $count ->
    [one] 1 Mensch
   *[other] { $count } Menschen
}: { LIST($who, by: ", ") }

report-mark = { $how ->
    [recorded] abgespielt
    [simulated] simuliert
    [scripted] nach Skript
   *[program] von einem Programm gespielt
}

report-one-model = Ein Modell spielt { $others ->
    [yes] die übrigen
   *[no] alle
} Mitglieder: Ihre Stimmen sind nicht unabhängig.

report-doubted = Der Stimmzettel von { $who } ist zweifelhaft: { $doubt }.

report-sure = { NUMBER($sure, style: "percent", maximumFractionDigits: 0) }{ $all ->
    [yes] { "" }
   *[no] { " " }(Angabe von { $count } der { $of })
}

report-stated = { $all ->
    [yes] Wer { $wordings ->
        [yes] den Text oder eine andere Fassung
       *[no] den Text
    } an die erste Stelle setzte, gibt an, wie sicher
   *[no] Von { $of }, die { $wordings ->
        [yes] den Text oder eine andere Fassung
       *[no] den Text
    } an die erste Stelle setzten, { $count ->
        [one] gibt { $count } an, wie sicher
       *[other] geben { $count } an, wie sicher
    }
}: { NUMBER($sure, style: "percent", maximumFractionDigits: 0) }{ $count ->
    [one] { "" }
   *[other] { " " }(Median)
}.

report-not-compared = Was das Gespräch geändert hat, ist nicht bekannt: { $why }.

report-again = { $count ->
    [one] Während der Abstimmung sprach jemand, also stimmte das Gremium noch einmal ab; nur die letzte Abstimmung zählt.
   *[other] Während { $count } Abstimmungen sprach jemand, also stimmte das Gremium { $times }-mal ab; nur die letzte Abstimmung zählt.
}

report-free = aus einer Aufzeichnung abgespielt: ohne eigene Zeit und Kosten

report-talk = { $messages ->
    [one] 1 Nachricht
   *[other] { $messages } Nachrichten
}{ $rounds ->
    [0] { "" }
    [one] { "" }
   *[other] { " " }in { $rounds } Runden
}

report-corrected = { $item } ({ $was }) { GIVEN($version) ->
    [yes] hat eine andere Fassung neben sich, { $version }: { $text }
   *[no] { GIVEN($text) ->
        [yes] lautet nun: { $text }
       *[no] wurde gestrichen
    }
} ({ $by })

report-column =
    .polled = Erste Umfrage
    .first = Erste Wahl
    .accept = Stimmen zu
    .also = Wollen es auch
    .who = Wer
    .sure = Sicher (Median)
    .rests = Beruht auf

report-own = { $own ->
    [same] { $count }
   *[other] { $count }, { $exact } für diesen Text
}

report-rests = { $messages }{ $more ->
    [0] { "" }
   *[other] {" "}und { $more } weitere
}

report-rule = Regel: { votes-rule }. { $line } Quorum: mehr als { $half ->
    [yes] die Hälfte
   *[no] { NUMBER($quorum, style: "percent", maximumFractionDigits: 0) }
} der Mitglieder.

report-tie = Gleichstand: { $tie }.

report-blocked = { LIST($who, by: ", ") }: Veto gegen { $text }.

report-about = Debatte eines Gremiums{ GIVEN($day) ->
    [yes] { " " }vom { DATETIME($day, dateStyle: "long") }
   *[no] { "" }
}: { LIST($who, by: ", ") }.

report-where = { $where ->
    [private] unter vier Augen gefragt
   *[ballot] Stimmzettel
}

report-by = { GIVEN($id) ->
    [yes] { $id }, { "" }
   *[no] { "" }
}{ GIVEN($by) ->
    [yes] von { $by }
   *[no] mit der Frage vorgegeben
}

report-wording = { $id }{ GIVEN($by) ->
    [yes] , von { $by }
   *[no] , vorgegeben
}, { $became }{ GIVEN($than) ->
    [yes] ; wie { $than }, aber
   *[no] { "" }
}

report-run =
    .session = Sitzung
    .asked = Gesucht
    .format = Ablauf
    .runner = Modelle
    .parent = Abgezweigt von
    .talk = Gespräch
    .cost = Kosten
    .seats = Plätze
    .documents = Allen lag vor
    .prompts = Mit eigenen Anweisungen
    .corrected = Von Hand berichtigt
    .log = Protokoll

report-head = { $facts } Einträge, SHA-256 { $head }
report-format = { $format }{ GIVEN($panel) ->
    [yes] , Gremium: { $panel }
   *[no] { "" }
}, Regel: { $rule }{ GIVEN($floor) ->
    [yes] , Redeordnung: { $floor }
   *[no] { "" }
}

report-evidence = Nachgeschlagen von { $who }; zitiert in { $cited }.

report-looked =
    .unused = { $who } hat auch { LIST($what, by: ", ") } angesehen, und niemand zitiert es.
    .refused = Das Programm von { $who } wollte { LIST($what, by: "; ") } nutzen, und es wurde abgelehnt.

report-supported = unterstützt von { LIST($who, by: ", ") }

report-holds = für { $text }
report-said-of = zu { $text }

report-left-out = Vom Modell gewählt und ausgelassen:

report-dropped = { $count ->
    [one] 1 Zitat wurde ausgelassen: Es steht nicht in der Nachricht, die es nennt, oder ist Teil eines Satzes und hat weniger als drei Wörter
   *[other] { $count } Zitate wurden ausgelassen: Sie stehen nicht in den Nachrichten, die sie nennen, oder sind Teil eines Satzes und haben weniger als drei Wörter
}: { LIST($cited, by: "; ") }

report-named = Der Beitrag wird in { LIST($at, by: ", ") } genannt; ob das eine Antwort ist, ist nicht bekannt
report-answered = { $sourced ->
    [yes] Es sei denn, { $at } ist eine Quelle dafür
   *[no] Offen, es sei denn, { $at } antwortet darauf
}, wie die Niederschrift sagt

report-on-terms = { $doubt ->
    [yes] Vielleicht eine Bedingung
   *[no] Eine Bedingung
} für { GIVEN($text) ->
    [yes] { $text }
   *[no] das Beschlossene
}{ $asked ->
    [about] , auf Nachfrage erklärt
    [after] , auf Nachfrage erklärt
   *[no] { "" }
}, nicht zurückgenommen

report-unsourced = Für diese Angabe steht laut Niederschrift allein das Wort dessen, der sie macht, und kein Dokument der Runde

report-claimed = Als beschlossen bezeichnet{ $back ->
    [yes] , zurückgenommen
   *[no] { "" }
}{ GIVEN($by) ->
    [yes] , bestritten von { LIST($by, by: ", ") }
   *[no] { "" }
}, und so nicht abgestimmt

report-author = { $at } ist von { $who }
report-lacks = { $at } hat nicht die Worte, die daraus zitiert werden
report-silent = { $at } enthält davon kein Wort
report-asks = { $at } fragt das nur
report-says = In { $at } steht: { QUOTED($text) }
report-record = Laut Protokoll: { $fact }
report-back = { $who } kommt in { LIST($at, by: ", ") } auf m{ $on } zurück
report-act = { $kind ->
    [support] Für
    [oppose] Gegen
   *[other] Zu
} { $text }:
report-on = In einer Nachricht zu { LIST($texts, by: ", ") }:
report-denied = { $who } in { $at }

report-was = { $title } war { $name }
report-floor = { LIST($floors, by: ", ") }

report-more-open = { $count ->
    [one] 1 weiterer Punkt
   *[other] { $count } weitere Punkte
}
