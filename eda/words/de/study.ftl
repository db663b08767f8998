# Was eine Studie fand: dieselben Sätze auf einem Terminal, im Bericht und im Notebook.

study-finding = { $finding ->
    [none] noch keine Paare
    [equivalent] kleiner als { $smallest } in beide Richtungen, also kein Effekt von Belang
    [small] von 0 verschieden und kleiner als { $smallest } in beide Richtungen, also kein Effekt von Belang
    [covers] das Intervall enthält 0: diese Studie kann es nicht sagen
    [untested] das Intervall enthält 0 nicht, der Test bestätigt es nicht (p = { $p }): diese Studie kann es nicht sagen
   *[differs] von 0 verschieden
}

study-answer = { $sort ->
    [none] Über { $what } ist noch nichts bekannt: keine zwei Zellen sind vergleichbar.
    [unknown] Diese Studie kann nicht sagen, ob sich { $of ->
        [effects] die Wirkung auf { $what }
       *[sides] { $what }
    } zwischen { $first } und { $second } unterscheidet ({ $level }-%-Intervall { $low } bis { $high }).
    [higher] Mit { $first } ist { $of ->
        [effects] die Wirkung auf { $what }
       *[sides] { $what }
    } um { $by } höher als mit { $second } ({ $level }-%-Intervall { $low } bis { $high }).
    [lower] Mit { $first } ist { $of ->
        [effects] die Wirkung auf { $what }
       *[sides] { $what }
    } um { $by } niedriger als mit { $second } ({ $level }-%-Intervall { $low } bis { $high }).
   *[small] { $what }, { $first } minus { $second }: { $finding } ({ $level }-%-Intervall { $low } bis { $high }).
}

study-compared = { $pairs ->
    [one] { $pairs } Paar
   *[other] { $pairs } Paare
} in { $clusters ->
    [one] { $clusters } Cluster
   *[other] { $clusters } Clustern
}{ $pooled ->
    [same] { "" }
   *[other] { " " }({ $pooled }, wenn jedes Paar einmal zählt)
}
study-size = { $detectable ->
    [unpaired] Keine zwei Zellen mit einem Wert dieser Messgröße haben gemeinsam, was sie zum Paar macht
    [none] { $compared }; alle Cluster haben denselben Mittelwert, deshalb ist nicht bekannt, was diese Größe zeigen kann
   *[other] { $compared }; diese Größe zeigt in 8 von 10 solchen Studien einen Effekt ab { $detectable }
}

study-if-failed = hätten die fehlgeschlagenen Zellen ein Ergebnis, läge der Effekt zwischen { $low } und { $high }
study-tests = { $level }-%-Intervall ({ $method }, Cluster nach Aufgabe); { $frozen ->
    [yes] p = { $p } durch Vorzeichentausch, { $holm } nach Holm
   *[no] erkundet, also ohne p
}{ $equivalent ->
    [unasked] .
    [none] ; Äquivalenz innerhalb von { $smallest }: nicht definiert.
   *[other] ; Äquivalenz innerhalb von { $smallest }: p = { $equivalent }.
}

study-unfinished = { $left } von { $cells ->
    [one] { $cells } Zelle
   *[other] { $cells } Zellen
} { $left ->
    [one] hat
   *[other] haben
} kein Ergebnis. Diese Studie ist nicht fertig: Intervalle und p berücksichtigen nicht, dass jemand mehrmals hinsieht.
study-simulated = Hinter { QUOTED($runner) } steht kein Modell, sondern eine Simulation: diese Zellen prüfen das Verfahren und sagen nichts über Modelle.
study-of-these = Ein Effekt gilt für diese Aufgaben, Personas und Modelle, für keine anderen. Weitere Startwerte einer Aufgabe zeigen mehr von derselben Aufgabe.
study-no-cause = Eine Zelle sagt nichts über eine Ursache: das tut nur der Unterschied zwischen Armen oder Stufen, über alle Paare.
study-exploratory = Was vor dem ersten Aufruf nicht festgelegt war, ist explorativ: eine neue Studie muss es bestätigen.

study-planned = { $study }: { $cells } Zellen ({ $done } fertig), { $tasks } Aufgaben, { $seeds } Startwerte; kein Aufruf wurde gemacht
study-shows = { $what }: diese Größe zeigt { $least ->
    [none] keinen Effekt: ein Paar hat kein Intervall
   *[other] in 8 von 10 solchen Studien einen Effekt ab { $least }, wenn sich Paare so stark unterscheiden, wie sie können
}
study-pilot = { $what }: wenn sich Paare wie in der Vorstudie unterscheiden, finden { $share } von 100 solchen Studien einen Effekt von { $effect }
study-mixed = nach einem gemischten Modell { $estimate }
study-too-small = { $measure }: der kleinste Effekt von Belang ist { $wanted }; fügen Sie Aufgaben oder Startwerte hinzu
study-deviates = ein Lauf hält als Abweichung fest: { $what }
study-over-budget = Budget: { $most } { $limit } reichen nicht für alles; dort hält ein Lauf an
study-next = was sie fand: `eda study table { $again }`, dann `eda study report`
study-waiting = { $controls ->
    [one] 1 Kontrolle ist
   *[other] { $controls } Kontrollen sind
} nicht begonnen: das Gespräch davor schlug fehl
study-retry = noch einmal versuchen: eda study run { $again } --retry
study-done = { $ended } von { $cells } Zellen fertig
study-unpriced = { $calls ->
    [one] 1 Aufruf
   *[other] { $calls } Aufrufe
} ohne Preis
study-read = { $ended } von { $cells } Gruppen gelesen
study-left-out = { $number } ausgelassen: { $reason }
study-choice = { $after ->
    [0] Bevor jemand gesprochen hat
   *[other] Nach { $after } Nachrichten
}, bin ich für „{ $id }, das heißt, { $option }“{ GIVEN($points) ->
    [yes] : „{ $points } von 100 Punkten“.
   *[no] .
}
study-no-choice = Keine davon.
study-position = Enden Sie mit einer Zeile [POSITION] und der Kennung der einen Option, für die Sie jetzt sind.
study-empty = { $turn ->
    [0] Weil ich dafür bin.
    [1] Es ist so, weil es so ist.
    [2] So ist es für mich, und so ist es.
    [3] Ich bin dafür, weil es das ist.
   *[other] Da ist es, und darum.
}
study-no-vote = { $when ->
    [before] vor dem Gespräch
   *[after] nach dem Gespräch
} fehlt die Stimme eines Mitglieds
study-talk-failed = folgt auf das Gespräch von { $cell }, das fehlschlug

study-part = { $part ->
    [found] Gefragt und gefunden
    [flow] Verbleib der Zellen
    [rates] Anteile je Arm
    [claims] Was sich daraus schließen lässt und was nicht
    [deviations] Abweichungen vom Festgelegten
    [pairs] Paare
    [sessions] Sitzungen
   *[file] Die festgelegte Datei
}
study-label = Eine Studie
study-no-hypothesis = Diese Studie hat keine Hypothese festgelegt.
study-no-measure = Noch hat keine Zelle ein Ergebnis.
study-none = Keine.
study-frozen = Festgelegt am { $day }.
study-frozen-file = Festgelegt am { $frozen }, sha256 { $sha }; EDA { $eda } ({ $behaviour }), Python { $python }.
study-session-log = Eine Zelle ist eine Sitzung. Ihre Kennung führt zum Protokoll; eda show { $folder }, neben der Datei der Studie eingegeben, zeigt es.
study-question = Wie viel höher ist { $of ->
    [effects] die Wirkung auf { $measure }
   *[sides] { $measure }
} ({ $definition }) mit { $first } als mit { $second }? { $frozen ->
    [yes] Vor dem ersten Aufruf festgelegt.
   *[no] Explorativ: vor dem ersten Aufruf nicht festgelegt.
}
study-caption = Jeder Punkt ist der mittlere Unterschied eines Clusters; darunter steht der Effekt mit seinem Intervall.{ $smallest ->
    [0] {""}
   *[other] {" "}Schattiert ist, was zu klein ist, um von Belang zu sein: { $smallest } in beide Richtungen.
}
study-flow-planned = { $cells } geplant
study-flow-ended = { $cells ->
    [one] { $cells } hat
   *[other] { $cells } haben
} ein Ergebnis{ $lost ->
    [0] , keine fehlt
   *[other] {""}
}
study-flow-failed = { $cells ->
    [one] { $cells } schlug
   *[other] { $cells } schlugen
} fehl: { $reason }
study-flow-compared = { $used } in { $pairs ->
    [one] 1 Paar
   *[other] { $pairs } Paaren
} zu { $what }; { $left } nicht: aus einem anderen Arm oder einer anderen Stufe, oder ohne Wert oder Partner ({ $unpaired } mit Wert und ohne Partner)
study-arm-unknown = '{ $name }' ist kein bekannter Arm{ GIVEN($close) ->
    [yes] ; meinten Sie '{ $close }'?
   *[no] {""}
}
study-unknown = Eintrag { $number } von 'hypotheses': '{ $name }' gibt es in dieser Studie nicht ({ $kind }){ GIVEN($close) ->
    [yes] ; meinten Sie '{ $close }'?
   *[no] {""}
}
study-two-orders = vergleicht zwei Reihenfolgen der Rede, die der Startwert bestimmt: keine Zelle der einen hat eine Zelle der anderen zum Partner ({ $shared })
study-key = '{ $name }' ist kein Schlüssel
study-go-back = { GIVEN($back) ->
    [yes] { $back } ({ $file } enthält die erste Datei)
   *[no] Stellen Sie die Datei aus { $file } wieder her
}, oder beginnen Sie eine neue Studie: --out ORDNER. Startwerte und Stufen dürfen hinzukommen.
study-brief = <Studie { $name }: { $seeds ->
    [one] { $seeds } Startwert
   *[other] { $seeds } Startwerte
}, Arme { LIST($arms, by: ", ") }>
study-deviation = { $code ->
    [seeds-added] Startwerte hinzugefügt: { $seeds }
    [level-added] Stufe hinzugefügt: { $level }
    [budget] Budget geändert: { $before } zu { $after }
    [retried] fehlgeschlagen und noch einmal gelaufen, Zellen: { $cells } ({ $named })
    [deleted] mit Ergebnis, gelöscht oder ersetzt und neu gezogen, Zellen: { $cells } ({ $named })
    [gone] mit Ergebnis, und das Protokoll fehlt, Zellen: { $cells } ({ $named })
    [changed] nicht mehr, was sie an ihrem Ende waren, Zellen: { $cells } ({ $named })
    [unnoted] mit Ergebnis, das kein Befehl vermerkte, Zellen: { $cells } ({ $named })
    [older] älter als die Festlegung, Zellen: { $cells } ({ $named })
    [frozen-again] noch einmal festgelegt, mit einer anderen Datei; geändert: { $parts }
    [file] die Datei ist nicht die, die festgelegt wurde; geändert: { $parts }
    [manifest] manifest.json oder frozen.toml ist nicht, was festgelegt wurde
    [unledgered] das Verzeichnis beginnt nach der Festlegung: was vorher war, ist nicht bekannt
    [ledger] das Verzeichnis ist nicht, was vermerkt wurde ({ $state }), ab Zeile { $line }
    [deposit] der Fingerabdruck ist nicht der hinterlegte
    [export] { $file } wurde nach der Ausgabe geändert
    [folder] ein anderer Ordner dieser Studie: { $folder }, Zellen mit Ergebnis: { $ended }
   *[noted] { $what }
}
study-verified = { $holds ->
    [yes] so wie festgelegt und vermerkt
   *[no] nicht so wie festgelegt und vermerkt
}; Fingerabdruck der Festlegung: { $digest }
study-osf = OSF
    .design = Aufbau der Studie
    .hypotheses = Hypothesen
    .collected = Vorhandene Daten
    .sample = Umfang und Regel für das Ende
    .arms = Was verändert wird
    .measured = Was gemessen wird
    .analysis = Auswertung
    .excluded = Ausschlüsse und fehlende Daten
    .other = Weiteres
study-aspredicted = AsPredicted
    .collected = Wurden schon Daten erhoben?
    .hypotheses = Was ist die Hauptfrage oder Hypothese?
    .measured = Was wird gemessen, und wie?
    .arms = Welche Bedingungen gibt es?
    .analysis = Welche Auswertungen werden vorgenommen?
    .excluded = Wie wird mit Ausreißern umgegangen, und was wird ausgeschlossen?
    .sample = Wie viele Beobachtungen gibt es, oder was bestimmt die Zahl?
    .other = Weiteres
study-deposit = { $topic ->
    [design] { $study }: { $tasks } Aufgaben und { $seeds } Startwerte, gekreuzt mit Armen und Stufen; Paare teilen Aufgabe und Startwert.
    [hypotheses] { GIVEN($hypotheses) ->
        [yes] { $hypotheses } weicht von 0 ab.
       *[no] Keine: alles erkundet.
    }
    [collected] { $done } von { $cells } Zellen haben ein Ergebnis.
    [sample] { $cells } Zellen; die Studie endet, wenn jede ein Ergebnis hat oder fehlschlug.
    [arms] Arme: { $arms }.{ GIVEN($factors) ->
        [yes] {" "}Faktoren: { $factors }.
       *[no] {""}
    }
    [measured] Was die Hypothesen nennen, wie docs/study-tables.md es bestimmt; es antwortet { $runners }.
    [analysis] Mittlere Differenzen der Paare, nach Aufgabe gruppiert, mit Intervallen; Vorzeichenwechsel, Holm über die Hypothesen.{ GIVEN($least) ->
        [yes] {" "}Gleichheit innerhalb von { $least }.
       *[no] {""}
    }
    [excluded] Nichts wird ausgeschlossen. Zellen, die fehlschlugen, sind mit Grund genannt und haben kein Paar.
   *[other] Fingerabdruck der Festlegung: { $digest }. SHA-256 der Datei: { $sha }.
}
