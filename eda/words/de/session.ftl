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
} Sie die Datei aus einer Kopie wieder her, oder behalten Sie die Zeilen vor dieser als eigene Sitzung.
session-line = { $path }, Zeile { $number }: { $why }; nichts wurde geändert
