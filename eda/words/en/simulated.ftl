# What the simulated panel says outside its table of phrases.

# $one and $two: ids of texts; $first and $second: their words.
# $position: where the member stands; empty where it has taken no position.
simulated-asked = I am simulated: I cannot weigh your question, only repeat what I have said on the panel. { GIVEN($position) ->
    [yes] Where I stand: { $position }.
   *[no] I have taken no position yet.
}
