# Wie das Gedächtnis zu einem Eintrag kam: `ConversationMemory.explain`. Jede Meldung ist eine Zeile.

explain-found = { $id }, Quelle: { $reader }, Sicherheit { $score }
explain-reader = { GIVEN($pattern) ->
    [yes] Muster { $pattern }
   *[no] { $source ->
        [declared] eigene Angabe
        [minutes] Protokoll
        [procedure] Verfahren
       *[other] { $source }
    }
}
explain-amends = ändert { $id }, zugeordnet durch: { GIVEN($link) ->
    [yes] { $link }
   *[no] nichts
}
explain-reaction = m{ $message } { $who }: { $stance ->
    [support] dafür
    [oppose] dagegen
    [conditional] dafür unter einer Bedingung
   *[neutral] unentschieden
}, Quelle: { $reader }, zugeordnet durch: { GIVEN($link) ->
    [yes] { $link }
   *[no] nichts
} ({ $score }){ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}
explain-minuted = vom Protokoll { $done ->
    [confirmed] bestätigt
   *[denied] bestritten
}{ GIVEN($why) ->
    [yes] : { $why }
   *[no] {""}
}
