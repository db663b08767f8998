# What servers of models answer and refuse, as errors, and what to do about it. $place: the server, as in `the API`.
# $words: what the server said.

server-no-limit = does not take { $field }: it goes by its other name from now on
# $form: whether the field asks for the form of the answer.
server-no-field = does not take { $field }: { $form ->
    [yes] the form is asked for in words
   *[no] it is left out
} from now on
server-proxy = the proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names cannot be used: { $lacks ->
    [yes] it needs the package socksio
   *[no] it is of no known kind
}
server-proxy-hint = `pip install socksio`, or write it as http://HOST:PORT.
server-refuses-prompt = { $place } refuses this prompt to { $model }: { $words }
server-refuses-key = { $place } refuses this key or account: { $words }
# $status: the code of the answer.
server-redirects = { $place } redirects to { $to }, and no redirect is followed ({ $status })
server-no-address = { $place } has no such address: { $words }
server-knows-not = { $place } does not know what was asked for: { $words }
# $models: where the server lists its models.
server-which-model = Is { $model } the name of a model there? { $models }
server-no-model = { $place } does not know the model { $model } that the persona asks for: { $words }
server-too-long = the prompt is too long for { $model }: { $words }
server-took-not = { $model } did not take the question: { $words }
server-no-fields = the answer is blank, or JSON with nothing that was asked for
server-answers-nothing = { $place } gives no usable answer any more: { $why }
# A call is made again by another model. $why: the error.
server-fallback = now { $model } is asked, since { $why }
server-limits = the limits a minute of { $name } are reached
# What was asked for, in errors.
server-list = the list of models of { $place }

# A server of one's own, in place of `the API`.
server-at = the server at { $url }
server-set-own-key = Set { $variable } to the key that it wants; no other key is sent to an address of your own.
server-there = The server is there, and it failed or wants you to wait: try again later, or ask another model.
server-name-unknown = The address is unknown here: look for a typing mistake, and whether this machine is connected to a network.
server-runs = Does it run, and is the address right? It is asked at { $url }/chat/completions.
server-end-of-address = Most addresses end with /v1: { $name }:http://HOST:PORT/v1#MODEL.
# $later: what the provider says of an outage.
server-asked-at = { $later } It is asked at { $url }.
# $spec: how it is written.
server-other-address = Another address is written as { $spec }.
# $name: what was called; $why: the last failure.
server-failed = { $name } failed { $tries ->
    [one] once
   *[other] { $tries } times, the last time
} with: { $why }
