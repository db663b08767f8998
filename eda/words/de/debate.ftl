# Was in einer Debatte geschieht: Teile von Zeilen, ohne Punkt.

debate-ended = { $why ->
    [person] jemand hat das Gespräch beendet
    [extended] verlängert
    [verdict] es gibt ein Ergebnis
    [lap] noch einmal
    [talk] jemand sprach, also stimmen alle noch einmal ab
    [errors] zu viele Beiträge schlugen fehl
    [time] die Zeit ist um
    [tokens] das Budget an Tokens ist verbraucht
    [money] das Budget ist verbraucht
    [messages] die Nachrichten für die Aussprache sind verbraucht
    [done] die Tagesordnung ist abgearbeitet
    [consensus] das Gremium ist sich einig
    [silence] niemand wollte mehr sprechen
    [circle] die Debatte drehte sich im Kreis
   *[other] { $phrase }
}{ $voted ->
    [yes] ; dann stimmte das Gremium ab
   *[no] { "" }
}

debate-skipped = ohne { LIST($phases, by: ", ") }, denn mindestens die Hälfte der Nachrichten gehört der Aussprache

debate-delayed = { $seconds ->
    [0] { "" }
   *[other] noch einmal in { NUMBER($seconds, maximumFractionDigits: 0) } s:{ " " }
}{ $why } ({ GIVEN($who) ->
    [yes] { $who }
   *[no] die Maschine
}, { $purpose }, Versuch { $nth })

debate-live = ab dem Aufruf { $purpose } von { GIVEN($who) ->
    [yes] { $who }
   *[no] der Maschine
} nach { $at }: { $why }

debate-looked-up = { $who } schlägt „{ $words }“ nach: { GIVEN($passages) ->
    [yes] { LIST($passages, by: ", ") }
   *[no] nichts gefunden
}

debate-called = { $who } ruft { $tool } { $arguments } auf: { GIVEN($error) ->
    [yes] { $error }
   *[no] { GIVEN($passages) ->
        [yes] { LIST($passages, by: ", ") }
       *[no] nichts gefunden
    }
} ({ NUMBER($seconds, minimumFractionDigits: 1, maximumFractionDigits: 1) } s)
debate-parent = { $session }{ GIVEN($at) ->
    [yes] {" "}ab { $at }
   *[no] {""}
}{ GIVEN($changed) ->
    [yes] {" "}({ $changed })
   *[no] {""}
}
debate-state = { $state ->
    [ended] beendet
    [paused] angehalten
    [unfinished] nicht beendet
    [running] läuft
    [unreadable] unlesbar
   *[other] { $state }
}{ GIVEN($by) ->
    [yes] {" "}von { $by }
   *[no] { GIVEN($why) ->
        [yes] {" "}({ $why })
       *[no] {""}
    }
}
debate-paused = { GIVEN($by) ->
    [yes] Angehalten von { $by }
   *[no] angehalten: { GIVEN($error) ->
        [yes] { $error }
       *[no] { $reason ->
            [unavailable] das Modell ist nicht erreichbar
           *[stopped] auf Wunsch
        }
    }
}
debate-passed = { $why ->
    [repeated] wiederholt, was in { $at } steht; der Beitrag entfällt
    [silent] setzt aus: kein Wort innerhalb von { $seconds } s
    [no-speech] setzt aus: { GIVEN($fault) ->
        [yes] { $fault }
       *[no] kein Redebeitrag
    }
    [nothing-new] setzt aus: nichts Neues
    [words] setzt aus: { $fault }
   *[passed] setzt aus
}
debate-granted = { $why ->
    [in-turn] der Reihe nach
    [lot] durch das Los
    [next] { GIVEN($by) ->
        [yes] benannt von { $by }
       *[no] von den meisten Eröffnungen benannt
    }
    [asked] gefragt von { $by }
    [addressed] angesprochen von { $by }
    [bid] Dringlichkeit { $urgency }{ GIVEN($reason) ->
        [yes] : { $reason }
       *[no] {""}
    }
    [stood] die Meldung steht seit { $turns ->
        [one] { $turns } Runde
       *[other] { $turns } Runden
    }
    [waited] wartet seit { $turns ->
        [one] { $turns } Beitrag
       *[other] { $turns } Beiträgen
    }
    [alone] sonst darf jetzt niemand sprechen
    [named] die Gesprächsleitung: { GIVEN($reason) ->
        [yes] { $reason }
       *[no] aufgerufen
    }
    [longest] hat am längsten nicht gesprochen
    [closing] Schlusswort
    [no-bid-heard] keine Meldung ließ sich lesen: der Reihe nach
    [as-before] wie in der Debatte mit Aussprache
   *[words] { $reason }
}
debate-corrected = { $how ->
    [struck] { $item } gestrichen von { $by }: { $text }
    [beside] { $item } bleibt, wie es beschlossen ist; daneben steht { $version } von { $by }: { $text }
   *[corrected] { $item } berichtigt von { $by }: { $text }
}

debate-terms = { $takes ->
    [as-it-is] { $who } nähme { $on } unverändert an
    [with-a-change] { $who } nähme { $on } mit einer Änderung an: { $change }
    [not-at-all] { $who } nähme { $on } nicht an
    [silent] { $who } sagt nicht, womit { $on } anzunehmen wäre
   *[unread] was { $who } für { $on } gewönne, wurde nicht verstanden{ GIVEN($unread) ->
        [yes] : { QUOTED($unread) }
       *[no] {""}
    }
}

debate-phase = { $phase ->
    [first-ballot] erste Abstimmung
    [opening] Eröffnung
    [discussion] Aussprache
    [closing] Schlussworte
    [ballot] Abstimmung
    [verdict] Ergebnis
    [ideas] Ideen
    [building] Ausbau
    [approval] Zustimmung
    [ranking] Rangfolge
    [round] Runde
    [poll] Umfrage
    [interests] Anliegen
    [drafting] Entwurf
    [consent] Konsent
    [agreement] Einigung
    [before] vorher
    [speeches] Reden
    [rebuttals] Erwiderungen
    [summations] Schlussreden
    [after] nachher
    [attack] Angriff
    [cross-examination] Kreuzverhör
    [remedies] Abhilfen
    [severity] Schwere
    [findings] Befunde
   *[other] { $phase }
}

debate-purpose = { $purpose ->
    [speak] Beitrag
    [bid] Wortmeldung
    [ballot] Stimmzettel
    [poll] Umfrage
    [summarise] Zusammenfassung
    [minutes] Niederschrift
    [moderate] Gesprächsleitung
    [terms] Bedingungen
    [declare] Erklärung
    [report] Bericht
    [line] Lesart
    [read] Lesart
    [ask] Nebenfrage
    [baseline] Vergleich
   *[other] { $purpose }
}
debate-engine = die Maschine

debate-floor = { $floor ->
    [bidding] auf Meldung
    [round-robin] reihum
    [random] durch das Los
    [moderated] durch die Gesprächsleitung
    [simultaneous] alle zugleich
   *[other] { $floor }
}
# Warum eine Debatte endete, kurz.
debate-why = { $why ->
    [person] jemand hat das Gespräch beendet
    [errors] zu viele Beiträge schlugen fehl
    [time] die Zeit ist um
    [tokens] das Budget an Tokens ist verbraucht
    [money] das Budget ist verbraucht
    [messages] die Nachrichten sind verbraucht
    [done] die Tagesordnung ist abgearbeitet
    [consensus] das Gremium ist sich einig
    [silence] niemand wollte mehr sprechen
    [circle] die Debatte drehte sich im Kreis
    [stopped] auf Wunsch
   *[other] { $why }
}
