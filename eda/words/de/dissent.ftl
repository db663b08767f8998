# Was ein Stimmzettel gegen das Ergebnis sagt. Was ein Mitglied tat, steht in einer Liste, in dieser Reihenfolge.

dissent-scored = gibt dem Text { NUMBER($score, maximumFractionDigits: 1) } von 10 Punkten

dissent-unapproved = stimmt nicht zu

dissent-blocks = kann mit { GIVEN($blocked) ->
    [yes] { $blocked }
   *[no] dem Text
} nicht leben

dissent-approves = stimmt { $texts } zu

dissent-none = nimmt keinen der Texte an

dissent-deeds = { $deeds }
