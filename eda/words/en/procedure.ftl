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
# $few: whether some do not open; $openings of $members do. $closing: whether there are closing words. $talk: messages
# of the discussion; $needed: those with which there is room for all.
procedure-short = the debate may have { $most } messages, of which { $talk } are kept for the discussion: { $few ->
    [yes] only { $openings } of { $members } members open the debate{ $closing ->
        [yes] {""}
       *[no] {" "}and nobody has a closing word
    }
   *[no] nobody has a closing word
}. With --max-messages { $needed } there is room for all

# Parts of what the moderator says late in a discussion.
procedure-most = Of { $others ->
    [yes] the other texts
   *[no] all texts
}, { $text } has the most behind it: { $number } of { $of }.
procedure-all = All stand behind { LIST($texts, by: " and ") }{ $beside ->
    [yes] , which can be adopted beside the answer and need not be joined
   *[no] {""}
}.
# What the panel is to put up. $named: whether a text leads.
procedure-wanted = { $kind ->
    [missing] what is still missing, if anything
    [list] what belongs in the list in words that most here could sign
   *[one] one text that most here could sign, or support { $named ->
        [yes] that one
       *[no] one that is there
    }
}
procedure-joins = { $others ->
    [yes] other texts
   *[no] texts
}
