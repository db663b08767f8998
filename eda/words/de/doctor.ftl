# Was `eda doctor` findet.

doctor-price = Eingabe { $input } $, Ausgabe { $output } $, aus dem Zwischenspeicher { $cache_read } $
doctor-prices = vom { $checked }, US-Dollar je Million Tokens
doctor-no-key = kein Schlüssel in { LIST($keys, by: " oder ") }
doctor-own-server = { $url }, braucht keinen Schlüssel
doctor-folder-made = { $folder } (wird angelegt)
doctor-live = Probe: { $model } antwortete nach { NUMBER($seconds, maximumFractionDigits: 2) } s, { $cost }
doctor-no-model = { $spec } braucht kein Modell
