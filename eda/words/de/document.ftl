# Was von den Unterlagen einer Debatte nicht gelesen wurde.

document-pages-read = nur die Seiten 1 bis { $last } von { $pages } wurden gelesen
document-pages-without = { $without } von { $pages } Seiten haben keinen Text (S. { $named })
document-remarks = { LIST($remarks, by: "; ") }
document-link = { $name }: ist ein Verweis, der anderswohin führt
document-kind = { $name }: ist von einer Art, die EDA nicht liest
