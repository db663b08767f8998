# Was `eda show` rund um eine Mitschrift sagt.

show-since = Mitschrift ab m{ $since } (`--from m1`: von Anfang an)
show-agreed = { $basis ->
    [ballot] in der letzten Abstimmung waren alle dafür: { $on }
   *[other] seit m{ $since } sind alle, die dazu Stellung nahmen, dafür: { $on }
}
show-side = { $number ->
    [one] { $number } Nebennachricht
   *[other] { $number } Nebennachrichten
}{ $tokens ->
    [none] {""}
   *[other] , { $tokens }, { $cost }
}; --side zeigt sie
show-messages = { $last ->
    [0] Noch ist keine Nachricht da.
   *[other] Die Nachrichten sind m1 bis m{ $last }.
}
show-title = { $message ->
    [0] ein Gremium debattiert
   *[other] das Gremium fährt nach m{ $message } fort
}

show-fact =
    .asks = gesucht
    .beside = daneben
    .from = aus
    .option = Option
    .panel = Gremium
    .read = gelesen
    .sat = Sitz
show-head =
    .notes = Notizen
    .positions = Standpunkte
show-transcript = Mitschrift { $session }
show-not-begun = nicht begonnen
show-seed = Startwert { $seed }
show-argued = vertrat { $side }
show-who-was = das war { $name }, { $role }
show-open = Die Frage selbst ist offen.
show-nothing = Auf dem Tisch liegt nichts.
show-support = { $text }{ $terms ->
    [yes] {" "}unter einer Bedingung
    [doubt] {" "}vielleicht unter einer Bedingung
   *[no] {""}
}
show-position = { $text }{ $gone ->
    [yes] {" "}(zurückgezogen)
   *[no] {""}
} ({ $declared ->
    [yes] erklärt
   *[no] gelesen
} in { $at }{ GIVEN($back) ->
    [yes] , zurückgenommen in { $back }
   *[no] { "" }
}{ GIVEN($left) ->
    [yes] , dagegen in { $left }
   *[no] { "" }
}{ GIVEN($put) ->
    [yes] ; seither vorgeschlagen: { $put }
   *[no] { "" }
}{ GIVEN($backs) ->
    [yes] ; unterstützt seither: { $backs }
   *[no] { "" }
})
show-last-ballot = letzter Stimmzettel: { $vote }{ $count ->
    [one] { "" }
   *[other] , gleichrangig
}
