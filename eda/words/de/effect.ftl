# Was sich zwischen der ersten geheimen Abstimmung und der letzten unterscheidet; eine Debatte als Beleg.

effect-one-run = Eine einzige Debatte: eine andere kann anders enden.

effect-why = { $why ->
    [one-poll] es gab nur eine Umfrage
    [no-first-ballot] es gab keine erste Abstimmung
   *[not-offered] worüber am Ende abgestimmt wurde, stand vorher nicht zur Wahl
}

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
