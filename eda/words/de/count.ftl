# Warum nichts gewann, und wie das Los entschied: Teile eines Satzes.

count-undecided = { $why ->
    [nothing-to-vote-on] es gab nichts, worüber abzustimmen war
    [nobody-voted] niemand stimmte ab
    [no-quorum] { $votes } von { $of } stimmten ab, das ist kein Quorum
    [none-first] `none` lag vorn: { $votes } von { $of } Stimmen nehmen keinen der Texte an
    [none-above-the-rest] `none` lag vorn: { $votes } von { $of } Stimmen nehmen keinen der Texte an, und jeder Stimmzettel setzt `none` über das, was er auslässt
    [the-judge-wants-none] { $who } entscheidet und nimmt keinen der Texte an
    [the-judge-chose-nothing] { $who } entscheidet und hat nichts gewählt
    [all-blocked] gegen jeden Text, den jemand annimmt, gibt es ein Veto
    [all-firsts-blocked] gegen jeden Text, den jemand an die erste Stelle setzt, gibt es ein Veto
    [refused-more-than-wanted] von den Texten ohne Veto hat keiner so viele Stimmen, wie sie alle ablehnen
    [no-side-gained] keine Seite gewann hinzu
    [nothing-adopted] kein Antrag wurde von so vielen Stimmen angenommen, wie die Regel verlangt
    [no-approvals] kein Stimmzettel enthält eine Zustimmung
    [no-scores] kein Stimmzettel vergibt Punkte
    [no-judge] niemand ist benannt, der entscheidet
    [no-ballot-of-the-judge] es gibt keinen Stimmzettel von { $who }
    [not-two-polls] sie vergleicht zwei Umfragen
    [nobody-was-asked-for-blocks] niemand wurde nach Vetos gefragt
    [more-than-ballots-needed] sie braucht mehr als Stimmzettel
    [not-installed] sie ist hier nicht installiert
   *[in-words] { $words }
}

count-lacks = die Regel { $rule } passt nicht zu diesen Stimmzetteln: { $why }

count-tie = { $tied } hätten jeweils gewinnen können; das Los mit Startwert { $seed } entschied für { $won }{ $rounds ->
    [0] { "" }
   *[other] { " " }({ $lots })
}

count-lot = Runde { $round }: { $level } lagen gleichauf, und das Los schied { $out } aus
