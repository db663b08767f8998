# Was aus Wünschen an eine laufende Debatte wird.

controls-ended = { QUOTED($phase) } war schon von selbst zu Ende
controls-waits = ein anderer Prozess schreibt gerade in { $name }: dies geschieht danach; Strg-C bricht das Warten ab
