# Was `eda list` sagt.

formats-promise = Am Ende: { $promise }
formats-file = Die Datei, als Vorlage für eine eigene: { $path }
formats-personas-models = Hinweis: `model:` einer Persona gilt nur bei Sprachmodellen: { LIST($asking, by: ", ") }
