// Package filter parses, evaluates and prints the filter language of GameSpy's
// server browsing. Clients send a filter with their request for a list, and the
// master lists the servers that match.
//
// # Flow
//
//	client                                  master
//	  | list request, with a Filter           |
//	  |-------------------------------------->|
//	  |                servers that match     |
//	  |<--------------------------------------|
//
// A master parses the filter once and calls [Filter.Match] for each server.
//
// # Wire format
//
// A filter is a text. Blanks may stand around each part of it. The words of the
// language may have capital letters; the case of names of keys counts. These are the
// operators, from those that bind loosest to those that bind tightest:
//
//	or ||
//	and &&
//	not !                               in front of a condition
//	= == is   != <> is not   < <= > >=  comparisons
//	like   not like                     comparisons with a pattern
//	|
//	^
//	&
//	<< >>
//	+ -
//	( )
//
// Operators of the same kind are read from left to right. Operands are:
//
//	numplayers          the name of a key: letters, digits, _ and . with no digit
//	                    or point in front; its value is that of the server
//	25  -1  2.5         numbers
//	'gpm_cq'  "gpm_cq"  texts; a quote within a text is doubled: 'it''s'
//	null                equal to the value of a missing key
//
// The section Messages, at the end, shows the parts of a filter with their places.
//
// # Meaning
//
// Values of keys are texts. A key is null if the server does not send it or sends
// an empty value. These rules say how operands are compared:
//
//	= !=       as texts if one operand is a text in quotes and none is a number of
//	           the filter; else as numbers if both are numbers; else as texts. A
//	           number of the filter is not equal to a value that is no number.
//	< <= > >=  as numbers if both are numbers, in quotes or not; else as texts,
//	           byte by byte. A number of the filter and a value that is no number
//	           have no order: the comparison is false.
//	like       the left operand matches the pattern on the right. % stands for any
//	           bytes, and all else for itself. Case is ignored in ASCII letters.
//
// Compared with a number, null is 0, so "password = 0" matches servers that do not
// send password. Compared with a text, it is the empty text. "password is null" is
// true only for servers that do not send password or send an empty value.
//
// Arithmetic is on 64-bit integers that wrap around; + and - are on floating-point
// numbers if an operand has a decimal point. A value that is no number is 0.
// Shifts by fewer than 0 or more than 63 bits give 0.
//
// A comparison is 1 or 0. As a condition, null, 0 and the empty text are false and
// all else is true.
//
// # Sources
//
// The filters that the browser of GameSpy's SDK, Battlefield 2, and games for
// PlayStation 3 and Nintendo's consoles send, and how the masters OpenSpy and
// wfc-server read them. Games put operations on bits in parentheses. Without
// parentheses, ours bind tighter than comparisons and among themselves as in C. The
// masters disagree in these points:
//
//	                       OpenSpy         wfc-server        this package
//	missing key            0               empty text        null: either
//	case in like           ignored         kept              ignored
//	_ and \ in a pattern   themselves      any byte, escape  themselves
//	texts in < and >=      by length       an error          as above
//	not                    tighter than =  unknown           looser than =
//
// [Filter.AppendBinary] adds parentheses where one of these programs needs them.
//
// # Strictness
//
//	                                       by default  Options.Strict
//	no operator between conditions         and         ErrInvalid
//	single quote within a text             kept        ends the text
//	chained comparisons, as in a = b = c   accepted    accepted
//	text that is not UTF-8                 kept        kept
//	zero byte                              ErrInvalid  ErrInvalid
//
// Where no operator is, the second condition must start with a name, a
// parenthesis or not. A quote ends a text if the end of the filter, a parenthesis,
// an operator, or a name with an operator follows.
//
// # Limits
//
// [MaxFilter] limits the length, and so the number of operations. [MaxDepth] limits
// nesting. [MaxNumber] limits the length of a number.
//
// # Quirks
//
// Battlefield 2 does not escape what the player searches for (quotes.hex), and its
// main menu forgets "and" between some conditions (no_and.hex). Project Reality
// sends "not like" (battlefield2.hex). Phantasy Star Zero leaves out the blanks
// around operators and compares the result of & (phantasy_star_zero.hex).
package filter

//go:generate go run ../../internal/shells
