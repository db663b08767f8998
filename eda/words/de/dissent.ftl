# Was ein Stimmzettel gegen das Ergebnis sagt. Was ein Mitglied tat, steht in einer Liste, in dieser Reihenfolge.

dissent-scored = gab { NUMBER($score, maximumFractionDigits: 1) } von 10 Punkten

dissent-first = setzte { $text } an die erste Stelle

dissent-blocks = kann damit nicht leben

dissent-deeds = { $deeds }
