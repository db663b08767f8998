# What a session cost, and what a debate would cost.

# $dollars: as it is shown in the table; $hit: share of the input read from the cache, 0 to 1.
cost-total = total: { $calls } calls, { $tokens } tokens, { $dollars }{ $hit ->
    [0] {""}
   *[other] , { NUMBER($hit, style: "percent") } of the input read from the cache
}
cost-forecast = about { $usual }; { $least } where replies are short, { $most } where they are long; no call was made
cost-cut-short = with usual replies the discussion is cut short: { $ended }
cost-reckoned = reckoned from debates of { $short } and { $long } messages, from which whole ones of up to 1,000 differed by 2 percent at most
# $lengths: tokens of a reply by purpose.
cost-assumed = assumed: prices of { $prices_checked }; tokens of a reply: { $lengths }; four characters are a token; what was sent within five minutes is read from the cache; no thinking, no failed call, no limit of time, nobody repeats what was said; stances settle and blocks end at once where replies are short, half-way where they are usual, never where they are long
# On the form of a page. $cut: whether the budget ends it before.
cost-estimate = about { $usual }; { $least } where replies are short, { $most } where they are long{ $cut ->
    [yes] ; the budget cuts it short
   *[no] {""}
}

cost-column =
    .agent = agent
    .purpose = purpose
    .model = model
    .provider = provider
    .calls = calls
    .input = input
    .cached = cached
    .written = written
    .output = output
    .share = share
    .cost = cost
    .total = total
    .least = short replies
    .usual = usual replies
    .most = long replies

# The tokens of a reply, by what is asked.
cost-length = { debate-purpose } { $usual } ({ $least } to { $most })
