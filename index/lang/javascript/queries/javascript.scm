; What in a file is a mark. Definitions and references are told by the kinds of
; their nodes and their scopes, which the walk over the tree reads.

(comment) @mark.comment ; and, by its text, a suppression
(string) @mark.string
