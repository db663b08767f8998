# What the simulated panel says outside its table of phrases.

# $one and $two: ids of texts; $first and $second: their words.
# $position: where the member stands; empty where it has taken no position.
simulated-asked = I am simulated: I cannot weigh your question, only repeat what I have said on the panel. { GIVEN($position) ->
    [yes] Where I stand: { $position }.
   *[no] I have taken no position yet.
}
# Why the moderator names a member. $who: the last speaker.
# $positions: of each member; empty where nobody has one.
simulated-report = Without a language model this is a list of what was declared. After m{ $last }: { GIVEN($positions) ->
    [yes] { LIST($positions, by: "; ") }
   *[no] nobody has taken a position
}
