# What a study found: the same sentences on a terminal, in the report and in the notebook.

# $finding: what the interval of an effect says; $smallest: the smallest effect that matters; $p: of the test.
study-finding = { $finding ->
    [none] no pairs yet
    [equivalent] smaller than { $smallest } either way, so no effect that matters
    [small] differs from 0, and is smaller than { $smallest } either way, so no effect that matters
    [covers] covers 0: this study cannot tell
    [untested] the interval leaves out 0, the test does not bear it out (p = { $p }): this study cannot tell
   *[differs] differs
}

# $what: a measure; $first, $second: the arms or levels compared, or two effects of them ($of: effects or sides); $by: the estimate; $finding: the message above.
study-answer = { $sort ->
    [none] Nothing is known yet of { $what }: no two cells can be compared.
    [unknown] This study cannot tell whether { $of ->
        [effects] the effect on { $what }
       *[sides] { $what }
    } differs between { $first } and { $second } ({ $level } % interval { $low } to { $high }).
    [higher] With { $first }, { $of ->
        [effects] the effect on { $what }
       *[sides] { $what }
    } is higher than with { $second }, by { $by } ({ $level } % interval { $low } to { $high }).
    [lower] With { $first }, { $of ->
        [effects] the effect on { $what }
       *[sides] { $what }
    } is lower than with { $second }, by { $by } ({ $level } % interval { $low } to { $high }).
   *[small] { $what }, { $first } minus { $second }: { $finding } ({ $level } % interval { $low } to { $high }).
}

study-compared = { $pairs ->
    [one] { $pairs } pair
   *[other] { $pairs } pairs
} in { $clusters ->
    [one] { $clusters } cluster
   *[other] { $clusters } clusters
}{ $pooled ->
    [same] { "" }
   *[other] { " " }({ $pooled } where each pair counts once)
}
# $compared: the message above; $detectable: the effect that so much can show, `none` where that is not known.
study-size = { $detectable ->
    [unpaired] No two cells that have a value of this measure share what pairs them
    [none] { $compared }; all clusters have one mean, so what this size can show is not known
   *[other] { $compared }; this size shows an effect of { $detectable } or more in 8 of 10 such studies
}

study-if-failed = had the cells that failed had a result, the effect would be from { $low } to { $high }
# $equivalent: the p of equivalence within $smallest; `unasked` where nobody said what matters, `none` where it has none.
study-tests = { $level } % interval ({ $method }, clustered by task); { $frozen ->
    [yes] p = { $p } by sign flips, { $holm } after Holm
   *[no] exploratory, so without p
}{ $equivalent ->
    [unasked] .
    [none] ; equivalence within { $smallest }: not defined.
   *[other] ; equivalence within { $smallest }: p = { $equivalent }.
}

study-unfinished = { $left } of { $cells ->
    [one] { $cells } cell
   *[other] { $cells } cells
} have no result. This is a look at a study that is not done: intervals and p do not allow for several looks.
study-simulated = The runner “{ $runner }” is simulated: its cells test the instrument, and say nothing of models.
study-of-these = An effect is of these tasks, personas and models, and of no others. Seeds of one task are more of that task.
study-no-cause = One cell says nothing of a cause: only the difference between arms or levels does, over all pairs.
study-exploratory = What was not frozen before the first call is exploratory: a new study has to confirm it.

# What `eda study` says of a run.
study-planned = { $study }: { $cells } cells ({ $done } done), { $tasks } tasks, { $seeds } seeds; no call was made
# $least: the smallest effect that this size shows, `none` where one pair has no interval.
study-shows = { $what }: this size shows { $least ->
    [none] no effect: one pair has no interval
   *[other] an effect of { $least } or more in 8 of 10 such studies, if pairs differ as much as they can
}
study-pilot = { $what }: if pairs differ as in the pilot, { $share } of 100 such studies find an effect of { $effect }
study-mixed = by a mixed model { $estimate }
study-too-small = { $measure }: the smallest effect that matters is { $wanted }; add tasks or seeds
study-deviates = a run notes as a deviation: { $what }
study-over-budget = budget: { $most } { $limit } has no room for all of it; a run stops there
study-next = what it found: `eda study table { $again }`, then `eda study report`
study-waiting = { $controls } controls are not begun: the talk that they follow failed
study-retry = run them once more: eda study run { $again } --retry
study-done = { $ended } of { $cells } cells done
study-unpriced = { $calls } calls not priced
study-read = { $ended } of { $cells } groups read
study-left-out = { $number } left out: { $reason }
# What is heard in arms that take talk apart. With few words outside quotation marks, no speech repeats another.
# $points: its belief in each option, of 100; empty where it says none.
study-choice = { $after ->
    [0] Before anybody has spoken
   *[other] After { $after } messages
}, I am for “{ $id }, that is, { $option }”{ GIVEN($points) ->
    [yes] : “{ $points } of 100 points”.
   *[no] .
}
study-no-choice = None of them.
study-position = End with a line [POSITION] and the id of the one option that you hold now.
study-empty = { $turn ->
    [0] Because that is what I am for.
    [1] It is so because it is so.
    [2] That is how it is to me, and so it is.
    [3] I am for it because of what it is.
   *[other] There it is, and that is why.
}
study-no-vote = a member has no vote { $when } the talk
study-talk-failed = it follows the talk of { $cell }, which failed

# On the page of a study. $part: the id of a heading.
study-part = { $part ->
    [found] Asked and found
    [flow] Flow of cells
    [rates] Rates by arm
    [claims] What this can and cannot claim
    [deviations] Deviations from the freeze
    [pairs] Pairs
    [sessions] Sessions
   *[file] The frozen file
}
study-label = A study
study-no-hypothesis = This study froze no hypothesis.
study-no-measure = No cell has a result yet.
study-none = None.
study-frozen = Frozen { $day }.
study-frozen-file = Frozen { $frozen }, sha256 { $sha }; EDA { $eda } ({ $behaviour }), Python { $python }.
study-session-log = A cell is a session. Its id leads to its log; eda show { $folder }, beside the study's file, prints it.
# $measure and $definition: what is compared; $frozen: whether the hypothesis was frozen before the first call.
study-question = How much higher is { $of ->
    [effects] the effect on { $measure }
   *[sides] { $measure }
} ({ $definition }) with { $first } than with { $second }? { $frozen ->
    [yes] Frozen before the first call.
   *[no] Exploratory: not frozen before the first call.
}
# $smallest: the smallest effect that matters, 0 where nobody said it.
study-caption = Each dot is the mean difference of one cluster; below, the effect with its interval.{ $smallest ->
    [0] {""}
   *[other] {" "}The shade is what is too small to matter, { $smallest } either way.
}
study-flow-planned = { $cells } planned
# $lost: the number of reasons for missing results.
study-flow-ended = { $cells } have a result{ $lost ->
    [0] , none is missing
   *[other] {""}
}
study-flow-failed = { $cells } failed: { $reason }
study-flow-compared = { $used } are in the { $pairs } pairs of { $what }; { $left } are not: of another arm or level, or without a value or a partner ({ $unpaired } have a value and no partner)
# What is wrong with the file of a study. $number: of the item in 'hypotheses'. $close: the nearest name; empty where
# none is near.
study-arm-unknown = '{ $name }' is no known arm{ GIVEN($close) ->
    [yes] ; did you mean '{ $close }'?
   *[no] {""}
}
# $kind: what it should be: arm, factor, measure, level of 'rounds'.
study-unknown = item { $number } of 'hypotheses': '{ $name }' is no { $kind } of this study{ GIVEN($close) ->
    [yes] ; did you mean '{ $close }'?
   *[no] {""}
}
# $shared: what both cells of a pair have.
study-two-orders = compares two orders of speaking, which go with the seed: no cells of both are of one { $shared }
study-key = '{ $name }' is no key
# What comes of a cell, a fork, a frozen study.
# $back: what to give back; empty where the whole file is to be restored. $file: the frozen one.
study-go-back = { GIVEN($back) ->
    [yes] { $back } ({ $file } has the first file)
   *[no] Restore it from { $file }
}, or begin another study: --out DIR. Seeds and levels may be added.
study-brief = <Study { $name }: { $seeds ->
    [one] { $seeds } seed
   *[other] { $seeds } seeds
}, arms { LIST($arms, by: ", ") }>
# What departs from the freeze of a study, or is not as it was noted. $cells: how many; $named: some of them. $parts: of
# the frozen file. Which other data there are depends on $code.
study-deviation = { $code ->
    [seeds-added] seeds added: { $seeds }
    [level-added] level added: { $level }
    [budget] budget changed: { $before } to { $after }
    [retried] failed and run again, cells: { $cells } ({ $named })
    [deleted] with a result, deleted or replaced, and drawn anew, cells: { $cells } ({ $named })
    [gone] with a result, and the log is gone, cells: { $cells } ({ $named })
    [changed] not what they were at their end, cells: { $cells } ({ $named })
    [unnoted] with a result that no command noted, cells: { $cells } ({ $named })
    [older] older than the freeze, cells: { $cells } ({ $named })
    [frozen-again] frozen again, with another file; changed: { $parts }
    [file] the file is not the one that was frozen; changed: { $parts }
    [manifest] manifest.json or frozen.toml is not what was frozen
    [unledgered] the ledger begins after the freeze: what was before is not known
    [ledger] the ledger is not what was noted ({ $state }), from line { $line } on
    [deposit] the digest is not the one that was deposited
    [export] { $file } was changed after it was exported
    [folder] another folder of this study: { $folder }, cells with a result: { $ended }
   *[noted] { $what }
}
# $holds: whether nothing speaks against the freeze.
study-verified = { $holds ->
    [yes] as it was frozen and noted
   *[no] not as it was frozen and noted
}; digest of the freeze: { $digest }
# The headings of two registries, and what is written below each.
study-osf = OSF
    .design = Study design
    .hypotheses = Hypotheses
    .collected = Existing data
    .sample = Sample size and stopping rule
    .arms = Manipulated variables
    .measured = Measured variables
    .analysis = Statistical models and inference criteria
    .excluded = Data exclusion and missing data
    .other = Other
study-aspredicted = AsPredicted
    .collected = Have any data been collected for this study already?
    .hypotheses = What is the main question being asked or hypothesis being tested in this study?
    .measured = Describe the key dependent variables, and how they will be measured.
    .arms = How many and which conditions will participants be assigned to?
    .analysis = Specify exactly which analyses you will conduct to examine the main question or hypothesis.
    .excluded = Describe exactly how outliers will be defined and handled, and your precise rules for excluding observations.
    .sample = How many observations will be collected, or what will determine sample size?
    .other = Anything else you would like to pre-register?
# $topic: of the headings. $least: the smallest effects that matter; may be empty.
study-deposit = { $topic ->
    [design] { $study }: { $tasks } tasks and { $seeds } seeds, crossed with arms and levels; pairs share task and seed.
    [hypotheses] { GIVEN($hypotheses) ->
        [yes] { $hypotheses } differ from 0.
       *[no] None: all is exploratory.
    }
    [collected] { $done } of { $cells } cells have a result.
    [sample] { $cells } cells; the study ends when each has a result or has failed.
    [arms] Arms: { $arms }.{ GIVEN($factors) ->
        [yes] {" "}Factors: { $factors }.
       *[no] {""}
    }
    [measured] What the hypotheses name, as docs/study-tables.md defines it; answered by { $runners }.
    [analysis] Mean differences of pairs, clustered by task, with intervals; sign flips, Holm over the hypotheses.{ GIVEN($least) ->
        [yes] {" "}Equivalence within { $least }.
       *[no] {""}
    }
    [excluded] None is excluded. Cells that failed are listed with their reason, and have no pair.
   *[other] Digest of the freeze: { $digest }. SHA-256 of the file: { $sha }.
}
