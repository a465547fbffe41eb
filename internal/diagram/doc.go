// Package diagram reads the wire diagrams in the documentation of a package and
// compares them with its golden files, whose comments are what the decoders
// explain. So a diagram cannot drift from the code.
//
// Diagrams stand in the section "Wire format" of the package comment and in the
// comments of types. All that is preformatted there must be one of these:
//
// A box. Above its border may stand a ruler with the offsets of cells, and above
// that the types that it is for; there may be several side by side. A cell under
// a dashed border may be missing. What is below the box is a remark.
//
//	ChallengeRequest
//	 0       1                               5
//	+-------+-------------------------------+
//	| 00    | token                         |
//	+-------+-------------------------------+
//
// A table, with or without offsets. Behind a comma stand constants or remarks. A
// label opens a group of rows: one that starts with "per" is repeated, another
// may be missing. A type's comment is about the type; in a package comment its
// name stands in front.
//
//	offset  size  field
//	0       1     type, 1
//	1       1     count
//	per name:
//	        1+n   name
//
// A matrix: the offsets of fields in several forms of a type.
//
//	Game      2.0  4.x
//	version        0
//	name      0    4
//	end       64   68
//
// A line: what a message consists of, with the optional in brackets, behind
// which an ellipsis says that it repeats.
//
//	"players_#" 02 name 03 [TAB column]... LF
//
// A sample, of text that starts with a backslash, a digit or a quote, or of
// JSON: an ellipsis stands for what is left out.
//
//	{"command":"gsRegisterPlayer","content":{"name":...}}
//
// The words in boxes, tables and lines are names of fields as explanations have
// them, of which the last part is enough, so that "players" is also all of its
// parts; hexadecimal bytes; text in quotes, where # stands for digits; capitals,
// which stand for themselves, but TAB and LF for those bytes; and an ellipsis
// for the rest, however many fields.
//
// A diagram of a message that golden files hold must fit one of them, and each of
// them one of the message's diagrams in a comment, from the first byte to the
// last, except for those that are broken or not encoded as they are. A diagram of
// a part of messages must fit somewhere in one.
package diagram
