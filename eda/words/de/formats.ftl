# Was `eda list` sagt.

formats-votes = Abgestimmt wird über: { $choices }. Es entscheidet { $name }: { $line }
formats-sides = Seiten, reihum nach Plätzen zugeteilt: { LIST($sides, by: ", ") }.
formats-hears = Nicht alle Mitglieder hören einander: { $hears }.
formats-file = Die Datei, als Vorlage für eine eigene: { $path }
formats-back = { $until }, sonst zurück zu { $back_to }; höchstens { $laps }-mal
formats-persona-model = Modell { $model } (gilt nur bei Sprachmodellen)
formats-personas-models = Hinweis: `model:` einer Persona gilt nur bei Sprachmodellen: { LIST($asking, by: ", ") }
formats-panel-limit = höchstens { $most } Nachrichten
