# Was Fragen, Prüfungen und Werkzeuge an ein Modell oder einen Menschen zurückgeben.

prompt-answer-lacks = in der Antwort fehlt `{ $name }`

prompt-no-tool = dieses Werkzeug gibt es nicht; es gibt { LIST($names, by: ", ") }
prompt-tool-often = höchstens { $most } Aufrufe je Beitrag sind erlaubt
prompt-tool-no-json = die Argumente sind kein JSON: { $why }
prompt-nobody = { GIVEN($name) ->
    [yes] { $name } ist niemand, der jetzt sprechen darf
   *[no] die Antwort nennt niemanden
}
prompt-offered = Das Programm an { $who }, unbeantwortet: Meinen Sie: { LIST($offered, by: "; ") }?
prompt-odds-total = ihre Summe ist { $total }, nicht 1
prompt-odds-row = eine Wahrscheinlichkeit fehlt oder ist keine: { $row }
prompt-position = { $position }{ GIVEN($voted) ->
    [yes] ; in der letzten Abstimmung an erster Stelle: { $voted }
   *[no] {""}
}{ GIVEN($since) ->
    [yes] ; seitdem vorgeschlagen: { $since }
   *[no] {""}
}{ GIVEN($backs) ->
    [yes] ; seitdem unterstützt: { LIST($backs, by: ", ") }
   *[no] {""}
}
prompt-unclear = { $id }, in { $at }, { $doubt ->
    [yes] unklar, zählt für niemanden
   *[no] ohne Bedingung gezählt
}: { QUOTED($words) }

prompt-summary-untaken = { $made ->
    [empty] Die Liste der Punkte ist leer: zitieren Sie, was in den Nachrichten zählt. Eine leere Liste noch einmal sagt, dass nichts Neues gesagt wurde.
    [blank] Die Antwort war leer: geben Sie die Liste der Punkte in der verlangten Form.
    [unquoted] Keine Nachricht hat die Worte, die die Punkte zitieren: schreiben Sie sie Wort für Wort ab.
   *[prose] Es ist Prosa: jeder Punkt ist eine Nachricht mit ihren Worten, in der verlangten Form.
}
prompt-summary-no-news = Es wurde nichts Neues gesagt.
prompt-summary-blank = (eine leere Antwort)
prompt-summary-also = Außerdem:
prompt-summary-more = und { $number } mehr, die hier fehlen.
prompt-summary-item = { $kind ->
    [question] [UNRESOLVED] { $who } ({ $at }): { $text }
    [decision] Entschieden: { $text } ({ $at }).
    [accepted] Angenommen: { $text } ({ $at }).
    [claim] Behauptet von { $who }, nicht entschieden: { $text } ({ $at }).
    [agreement] Einig: { $who } mit „{ $text }“ ({ $at }).
    [disagreement] Uneins: { $who } mit „{ $text }“ ({ $at }).
   *[proposal] Vorgeschlagen von { $who }: { $text } ({ $at }).
}
prompt-summary-nothing = { $number } kurze Nachrichten ohne Aussage.

prompt-tool-odd = er schrieb eine Zeile, die keine Nachricht des Protokolls ist: { $line }
prompt-tool-late = keine Antwort innerhalb von { $seconds } Sekunden
prompt-tool-cut = ({ $bytes } weitere Byte sind ausgelassen)
prompt-look-does = { $name ->
    [list_files] Namen von Dateien und Ordnern im Arbeitsordner.
    [read_file] Zeilen einer Datei im Arbeitsordner.
   *[other] Zeilen von Dateien des Arbeitsordners, in denen ein Text steht.
}
prompt-look-outside = { $path } liegt nicht im Arbeitsordner
prompt-look-no-file = das ist keine Textdatei von höchstens { $bytes } Byte
prompt-look-none = Sie haben keinen Arbeitsordner
prompt-look-more = (es gibt mehr)
prompt-unheard = { $ids }{ $authors ->
    [yes] , außer Autoren zu eigenen Texten
   *[no] {""}
}
