# Was `eda show --tally` von einer Auszählung sagt.

tally-lacking = passt nicht zu diesen Stimmzetteln: { $why }

tally-winner = { $name }, { GIVEN($text) ->
    [yes] in der Fassung { $text }
   *[no] aber keine Fassung wurde angenommen
}

tally-text = { $id }{ GIVEN($kin) ->
    [yes] { " " }({ $kin })
   *[no] { "" }
}{ GIVEN($first) ->
    [yes] , an erster Stelle bei { LIST($first, by: ", ") }
   *[no] { "" }
}, Zustimmung { $answer ->
    [yes] als Antwort{ " " }
   *[no] { "" }
}von { GIVEN($accepted) ->
    [yes] { LIST($accepted, by: ", ") }
   *[no] niemandem
}{ GIVEN($beside) ->
    [yes] , neben der Antwort gewünscht von { LIST($beside, by: ", ") }
   *[no] { "" }
}: { $text }

tally-condorcet = { $winner } gewinnt { $others ->
    [one] den direkten Vergleich mit { $loser }
   *[other] jeden direkten Vergleich
}

tally-duel = { $winner } schlägt { $loser } mit { $votes }:{ $against }

tally-cycle = { LIST($duels, by: ", ") }: ein Zyklus

tally-unreadable = { $who }{ GIVEN($words) ->
    [yes] : „{ $words }“
   *[no] { "" }
}

tally-quorum = { $voted } von { $members ->
    [one] { $members } Mitglied
   *[other] { $members } Mitgliedern
} { $voted ->
    [one] hat
   *[other] haben
} abgestimmt; nötig sind mehr als { NUMBER($quorum, style: "percent", maximumFractionDigits: 0) }: { $reached ->
    [yes] erreicht
   *[no] nicht erreicht
}

tally-column =
    .rule = Regel
    .winner = gewählt
    .figures = Zahlen
    .margin = Abstand
    .to-change = zu ändern
tally-kind = { $kind ->
    [agree] einig
    [disagree] uneinig
    [wording] Fassung
    [counted] gezählt
    [list] Liste
    [text] Text
    [duels] Vergleiche
    [cycle] Zyklus
    [quorum] Quorum
    [in-doubt] unklar
    [unreadable] unlesbar
    [abstained] enthalten
    [missing] fehlt
    [blocked] Veto
   *[other] { $kind }
}
tally-none = keiner
tally-level = der erste Text hat so viel wie „keiner“, das bei Gleichstand verliert
tally-changes =
    .none = keine würde genügen
tally-at-least = mindestens { $changes }
tally-polled = die letzte Umfrage, denn dieser Ablauf hat keine Abstimmung
tally-wordings = oben zählt { $name } die Stimmen für irgendeinen der Texte { LIST($ids, by: ", ") }
tally-list = ein Antrag ist durch die Stimmen angenommen, die ihm zustimmen, bei jeder Regel; die Zahlen ordnen die Liste
tally-won =
    .none = keiner
    .nothing = nichts
tally-close =
    .lot = durch das Los
    .level = gleichauf mit „keiner“
tally-under = { $won }, laut Regel: { LIST($rules, by: ", ") }

tally-unit = { $kind ->
    [approvals] Zustimmungen
    [scores] mittlere Punktzahl
    [points] Punkte
    [last-round] Stimmen in der letzten Runde
    [duels] gewonnene Vergleiche
    [below] Vorschläge darunter
    [gain] gewonnener Anteil
   *[votes] Stimmen
}

tally-figure = { GIVEN($name) ->
    [yes] { $name }{" "}
   *[no] {""}
}{ NUMBER($figure, maximumFractionDigits: 3, useGrouping: 0) }
