# What `eda doctor` finds.

# Of a model, in US dollars per million tokens.
doctor-price = ${ $input } in, ${ $output } out, ${ $cache_read } cached
doctor-prices = of { $checked }, US dollars per million tokens
# $keys: names of environment variables.
doctor-no-key = no key in { LIST($keys, by: " or ") }
doctor-own-server = { $url }, needs no key
doctor-folder-made = { $folder } (will be created)
doctor-live = live: { $model } answered in { NUMBER($seconds, maximumFractionDigits: 2) } s, { $cost }
doctor-no-model = { $spec } uses no model
