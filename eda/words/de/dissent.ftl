# Was ein Stimmzettel gegen das Ergebnis sagt. Was ein Mitglied tat, steht in einer Liste, in dieser Reihenfolge.

dissent-deed =
    .scored = gibt dem Text { NUMBER($score, maximumFractionDigits: 1) } von 10 Punkten
    .unapproved = stimmt nicht zu
    .approves = stimmt { $texts } zu
    .none = nimmt keinen der Texte an
    .first = setzt { $text } an die erste Stelle

dissent-blocks = kann mit { GIVEN($blocked) ->
    [yes] { $blocked }
   *[no] dem Text
} nicht leben

dissent-deeds = { $deeds }
