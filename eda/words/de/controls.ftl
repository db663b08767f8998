# Was aus Wünschen an eine laufende Debatte wird.

controls-ended = { QUOTED($phase) } war schon von selbst zu Ende
controls-waits = ein anderer Prozess schreibt gerade in { $name }: dies geschieht danach; Strg-C bricht das Warten ab
controls-spent = { $name } kann nicht { $most } sein: die Debatte { $kind ->
    [messages] hat schon { $amount } Nachrichten
    [tokens] hat schon { $amount } Tokens verbraucht
    [cost] hat schon { $amount } $ gekostet
   *[seconds] hat schon { $amount } s gedauert
}
