# What a member stands for, as its file says. $kind: the same with hyphens, by which a language knows the personas that
# come with EDA.
persona-role = { $kind ->
   *[other] { $role }
}
