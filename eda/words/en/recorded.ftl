# What a replayed recording says of itself and of a debate that takes another way than it did.

# $purpose: of the call. $agent: whose; empty for one of the engine. $last: the number of the last message before it;
# $nth: which of such calls.
recorded-call = { $purpose } call of { GIVEN($agent) ->
    [yes] { $agent }
   *[no] the engine
} after m{ $last }, number { $nth }
# A diff follows. $call: recorded-call.
recorded-changed = the prompt of the { $call } changed since it was recorded:
# $spec: the runner that was recorded; empty where the file does not say. $models: whether it is of language models.
recorded-about = { $models ->
    [yes] a recording of language models, replayed; no model is called
   *[no] { GIVEN($spec) ->
        [yes] a recording of `{ $spec }`, replayed
       *[no] a recording, replayed
    }
}
# $calls: what the recording holds there instead.
recorded-instead = after m{ $last } it holds { LIST($calls, by: ", ") }
recorded-last = its last call is after m{ $last }
