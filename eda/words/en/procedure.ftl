# What the procedure notes, says and gives as a reason, in a debate's facts.

# $text: of a proposal; $who: its author.
procedure-off-the-ballot = { $who } proposed: { $text } It is not on the ballot: the options are fixed.
# $ids: of motions.
procedure-no-room = The ballot has no room for these motions, which the fewest support: { LIST($ids, by: ", ") }.
# $own: whether all texts are the voter's own.
procedure-nothing-offered = { $own ->
    [yes] only its own proposals
   *[no] no text that it heard
} could be voted for
# $more: whether it goes on. $few: whether some do not open; $openings of $members do. $closing: whether there are closing words. $talk: messages
# of the discussion; $needed: those with which there is room for all.
procedure-short = note: the debate may have { $more ->
    [yes] { $most } more messages
   *[no] { $most } messages
}, of which { $talk } are kept for the discussion: { $few ->
    [yes] only { $openings } of { $members } members open the debate{ $closing ->
        [yes] {""}
       *[no] {" "}and nobody has a closing word
    }
   *[no] nobody has a closing word
}. With --max-messages { $needed } there is room for all
