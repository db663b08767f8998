# Was `eda diff` von zwei Sitzungen sagt.

diff-same = { $a } und { $b } sind gleich: Aufbau, Nachrichten und Stimmen
diff-from = Herkunft: { $name } ist von { $parent } abgezweigt
diff-setup = Aufbau: { $what }: { $here } in { $a }, { $there } in { $b }
diff-vote = Stimme: { $who }: { $here } in { $a }, { $there } in { $b }
diff-position = Standpunkt: { $who }: { $here } (in { $a }); { $there } (in { $b })
diff-proposals-same = Vorschläge: in { $a } und { $b } dieselben
diff-proposal-only = Vorschlag: nur in { $name }: { $number } { $text }

diff-nowhere = Abzweigung: nirgends; Nachrichten und Stimmen sind dieselben
diff-part = Abzweigung: { GIVEN($at) ->
    [yes] nach { $at }
   *[no] von Anfang an
}, { $name }: { $words }
diff-verdict = Ergebnis: { $name }: { $text }{ GIVEN($margin) ->
    [yes] , Abstand { $margin }
   *[no] {""}
}
diff-none =
    .choice = keine Wahl
    .more = nichts weiter
    .outcome = keines
    .position = keiner
    .these = keine davon
