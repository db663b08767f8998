# Was `eda show` rund um eine Mitschrift sagt.

show-since = Mitschrift ab m{ $since } (`--from m1`: von Anfang an)
show-agreed = seit m{ $since } sind sich alle, die Stellung nahmen, einig über { $on }
show-more = noch { $number }; in einer Pipe stehen sie alle
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
