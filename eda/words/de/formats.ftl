# Was `eda list` sagt.

formats-promise = Am Ende: { $promise }
formats-file = Die Datei, als Vorlage für eine eigene: { $path }
formats-personas-models = Hinweis: `model:` einer Persona gilt nur bei Sprachmodellen: { LIST($asking, by: ", ") }
formats-title = { $kind ->
    [architecture-review] Architekturprüfung
    [incident-review] Auswertung eines Vorfalls
    [inclusive-design] Gestaltung für alle
    [product-decision] Produktentscheidung
    [public-policy] Öffentliche Maßnahme
    [red-team] Angriff auf einen Plan
    [research-review] Begutachtung einer Studie
    [risk-committee] Risikoausschuss
    [shared-house] Hausgemeinschaft
    [vendor-choice] Wahl eines Anbieters
    [brainstorm] Ideensammlung
    [delphi-rounds] Delphi-Runden
    [debate-mallm] Debatte (MALLM)
    [memory-mallm] Gedächtnis (MALLM)
    [relay-mallm] Weitergabe (MALLM)
    [report-mallm] Bericht (MALLM)
    [mediation] Vermittlung
    [oxford-debate] Oxford-Debatte
    [panel] Gremium mit Abstimmung
   *[other] { $title }
}
