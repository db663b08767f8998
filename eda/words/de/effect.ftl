# Was sich zwischen der ersten geheimen Abstimmung und der letzten unterscheidet; eine Debatte als Beleg.

effect-one-run = Eine Debatte, nicht wiederholt: niemand kann sagen, wie oft dieses Gremium hier enden würde.

effect-why = { $why ->
    [one-poll] es gab nur eine Umfrage
    [no-first-ballot] es gab keine erste Abstimmung
   *[not-offered] worüber am Ende abgestimmt wurde, stand vorher nicht zur Wahl
}

effect-nothing = Nichts: { $why }

effect-changed = { $count ->
    [0] Niemand setzt
    [one] { $who } setzt
   *[other] { $who } setzen
} einen anderen Text an die erste Stelle als in der ersten { $basis ->
    [poll] Umfrage
   *[ballot] Abstimmung
}

effect-same = Schon in der ersten geheimen { $basis ->
    [poll] Umfrage
   *[ballot] Abstimmung
} vorn: { LIST($texts, by: "; ") }; nach der Aussprache { $all ->
    [yes] stimmte niemand anders ab
   *[no] { $count ->
        [one] unterscheidet sich die eine vergleichbare Stimme nicht
       *[other] unterscheidet sich keine von { $count } Stimmen
    }
}

effect-vote = { $which ->
    [first] Erste
   *[last] Letzte
} { $basis ->
    [poll] Umfrage
   *[ballot] Abstimmung
}: { GIVEN($votes) ->
    [yes] { LIST($votes, by: ", ") }
   *[no] keine erste Wahl
}; { $won }

effect-votes = { $text }{ GIVEN($of) ->
    [yes] , eine Fassung von { $of }: { $count }
   *[no] {" "}{ $count }
}

effect-won = { $how ->
    [level] { $texts } lagen gleichauf
    [named] { GIVEN($texts) ->
        [yes] { $texts }
       *[no] nichts
    }
    [led] { GIVEN($texts) ->
        [yes] vorn lag { $texts }
       *[no] nichts lag vorn
    }
   *[won] { GIVEN($texts) ->
        [yes] gewonnen hat { $texts }
       *[no] nichts hat gewonnen
    }
}

effect-new = { $count } von { $of } { $count ->
    [one] setzt
   *[other] setzen
} einen Text an die erste Stelle, der erst nach der ersten { $basis ->
    [poll] Umfrage
   *[ballot] Abstimmung
} aufkam{ $compared ->
    [0] { "" }
    [one] { " " }(nur 1 Stimme ist vergleichbar)
   *[other] { " " }(nur { $compared } Stimmen sind vergleichbar)
}

effect-differ = { $count } von { $of ->
    [one] 1 Stimme
   *[other] { $of } Stimmen
} { $count ->
    [one] unterscheidet sich
   *[other] unterscheiden sich
}

effect-unchanged = Niemand stimmte anders ab

effect-no-choice = keine Wahl

effect-voter = { $who } ({ $after ->
    [same] { $before } weiter an erster Stelle, der Rest anders
   *[other] { $before } zu { $text }
}{ GIVEN($moved) ->
    [yes] , nennt { $moved }
   *[no] { "" }
})

effect-as-before = Wie zuvor: { LIST($who, by: ", ") }

effect-first-as-before = { $who }: erste Wahl wie zuvor, { $also }

effect-accepts = { GIVEN($new) ->
    [yes] stimmt nun auch { LIST($new, by: ", ") } zu{ GIVEN($lost) ->
        [yes] , nicht mehr { LIST($lost, by: ", ") }
       *[no] { "" }
    }
   *[no] stimmt nicht mehr { LIST($lost, by: ", ") } zu
}

effect-reworded = Erste Wahl in einer anderen Fassung: { LIST($who, by: "; ") }

effect-left = Nicht mehr für { $text } in der gegebenen Fassung: { LIST($who, by: ", ") }

effect-due = verlangt und noch nicht eingeholt; wer die Sitzung fortsetzt, holt sie ein

effect-alone = von { $of ->
    [one] 1 einzelnen Antwort
   *[other] { $of } einzelnen Antworten
} für { $tokens } { GIVEN($text) ->
    [yes] { $count ->
        [one] nimmt { $count }
       *[other] nehmen { $count }
    } { $text }, { $same ->
        [yes] auch das Ergebnis des Gremiums
       *[no] nicht das Ergebnis des Gremiums
    }
   *[no] hat keine Wahl die meisten
}

effect-again = ohne Gespräch zweimal gefragt, { $count ->
    [one] änderte
   *[other] änderten
} { $count } von { $of ->
    [one] 1 Mitglied
   *[other] { $of } Mitgliedern
} die Antwort, { GIVEN($text) ->
    [yes] die meisten nehmen { $text }, { $same ->
        [yes] auch das Ergebnis des Gremiums
       *[no] nicht das Ergebnis des Gremiums
    }
   *[no] keine Wahl hat die meisten
}

effect-shares = { GIVEN($shares) ->
    [yes] { LIST($shares, by: ", ") } (Gini { NUMBER($gini, minimumFractionDigits: 2, maximumFractionDigits: 2) }; 0 heißt, dass alle gleich viel sagten)
   *[no] niemand sagte etwas
}

effect-share = { $who } { NUMBER($share, style: "percent", maximumFractionDigits: 0) }
