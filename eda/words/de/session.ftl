# Was eine Sitzung von ihrem Ort und ihren Dateien sagt.

session-name-free = Wählen Sie einen anderen Namen, etwa { $name }.
session-full-disk = Schaffen Sie Platz oder prüfen Sie den Datenträger, dann { $begun ->
    [yes] geht es weiter mit `eda resume { $typed }`
   *[no] beginnen Sie neu: nichts wurde gespeichert
}.
session-repaired = { $path }: { $bytes } Byte eines abgebrochenen Schreibvorgangs am Ende entfernt; das Protokoll geht nach { $facts ->
    [one] dem einen vollständigen Eintrag
   *[other] den { $facts } vollständigen Einträgen
} weiter
session-unsaved = { $path } lässt sich nicht schreiben ({ $why }); die Datei kann aus dem Protokoll neu entstehen
session-damaged = { $newer ->
    [yes] Hat ein neueres Programm die Datei geschrieben, öffnen Sie sie mit diesem. Sonst stellen
   *[no] Stellen
} Sie die Datei aus einer Kopie wieder her{ GIVEN($typed) ->
    [yes] , oder behalten Sie als andere Sitzung, was vor dem Schaden gesagt wurde: eda fork { $typed } --at m{ $at }
   *[no] .
}
session-line = { $path }, Zeile { $number }: { $why }; EDA hat nichts geändert
session-verified = { $name }: { $state ->
    [cut] abgeschnitten: was auf Zeile { $at } folgte, fehlt
    [changed] geändert: Zeile { $at } ist nicht, was geschrieben wurde
    [other] eine andere Geschichte: ab Zeile { $at } weicht sie von dem ab, was vermerkt war
    [forged] ihre Quittung ist nicht, was unterschrieben wurde, oder ihr fehlen Prüfsummen
    [unchained] geschrieben, bevor Protokolle verkettet waren; nichts daneben sagt, ob es geändert wurde
   *[whole] unversehrt
}{ $receipt ->
    [yes] {" "}(nach ihrer Quittung)
   *[no] { "" }
}
session-signed = { GIVEN($by) ->
    [yes] unterschrieben von { $by }: zu vergleichen mit dem Schlüssel, der Ihnen genannt wurde
   *[no] die Unterschrift gilt nicht, oder sie ist hier ohne das Extra `seal` nicht zu lesen
}
session-older = die ersten { $lines } Zeilen wurden geschrieben, bevor Protokolle verkettet waren
session-miscounted = Zeile { $at }: die Stimmen ergeben ein anderes Ergebnis: { $fields }
session-misreported = report.json sagt, was das Protokoll nicht ergibt, in { $parts }
session-misquoted = niemand hat gesagt: { $quote }
session-agrees = { $verdicts ->
    [0] es gibt kein Ergebnis, das nachzuzählen wäre
   *[other] die Stimmen ergeben das Ergebnis, und Bericht und Zitate sind die des Protokolls
}
session-sealed = { $name }: versiegelt in { $file }{ GIVEN($by) ->
    [yes] , unterschrieben mit { $by }
   *[no] , nicht unterschrieben
}; zum Prüfen ohne EDA: python { $checker } receipt.json events.jsonl
