# Was aus Wünschen an eine laufende Debatte wird.

controls-waits = ein anderer Prozess schreibt gerade in { $name }: dies geschieht danach; Strg-C bricht das Warten ab
