# What of the documents for a debate was not read.

document-pages-read = only pages 1 to { $last } of { $pages } were read
# $without: how many pages have no text; $named: the first of them.
document-pages-without = { $without } of { $pages } pages have no text (p. { $named })
document-remarks = { LIST($remarks, by: "; ") }
# $name: of the file.
document-link = { $name }: is a link that leads elsewhere
document-kind = { $name }: is of no kind that EDA reads
