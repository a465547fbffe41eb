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
// The master parses the filter once and calls [Filter.Match] for each server.
//
// # Wire format
//
// A filter is a text. Each part of it may be surrounded by blanks. The words of the language
// may be in upper or lower case, but the names of keys are case-sensitive. These are the
// operators, from loosest to tightest binding:
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
// Operators on the same line are evaluated from left to right. Operands are:
//
//	numplayers          the name of a key: letters, digits, _ and . starting with a
//	                    letter or _; its value is the server's value of that key
//	25  -1  2.5         numbers
//	'gpm_cq'  "gpm_cq"  texts; a quote within a text is doubled: 'it''s'
//	null                the value of a missing key
//
// The section Messages, at the end, shows the parts of a filter with their
// offsets.
//
// # Meaning
//
// Values of keys are texts. A key is null if the server does not send it or sends
// an empty value. These rules say how operands are compared:
//
//	= !=       as texts if one operand is a text in quotes and neither is a number in
//	           the filter; otherwise as numbers if both are numbers; otherwise as
//	           texts. A number in the filter never equals a value that is not a number.
//	< <= > >=  as numbers if both are numbers, in quotes or not; otherwise as texts,
//	           byte by byte. A comparison of a number in the filter with a value that
//	           is not a number is false.
//	like       true if the left operand matches the pattern on the right, in which %
//	           matches any bytes. The case of ASCII letters is ignored.
//
// Compared with a number, null is 0, so "password = 0" matches servers that do not
// send password. Compared with a text, null is the empty text. "password is null"
// matches only servers that do not send password or send an empty value.
//
// Arithmetic is on 64-bit integers that wrap around; + and - are on floating-point
// numbers if an operand has a decimal point. A value that is not a number counts
// as 0. The result of a shift by less than 0 or more than 63 bits is 0.
//
// The result of a comparison is 1 or 0. In a condition, null, 0 and the empty text are
// false, and everything else is true.
//
// # Sources
//
// The filters that the GameSpy SDK's browser, Battlefield 2, and games for PlayStation 3
// and Nintendo's consoles send, and the way the masters OpenSpy and wfc-server evaluate
// them. Games put bit operations in parentheses. Without parentheses, this package orders
// them as C does, but all above comparisons. The masters differ in these points:
//
//	                       OpenSpy         wfc-server        this package
//	missing key            0               empty text        null: 0 or empty text
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
// If there is no operator between two conditions, the second must start with a
// name, a parenthesis or the word not. A quote ends a text if it is followed by
// the end of the filter, a parenthesis, an operator, or a name with an operator.
//
// # Limits
//
// A filter has at most 1024 bytes, which also limits the number of operations. Operations
// are nested at most 32 deep, and numbers have at most 32 digits.
//
// # Quirks
//
// Battlefield 2 does not escape the text that a player searches for (quotes.hex),
// and its main menu omits "and" between some conditions (no_and.hex). Project
// Reality sends "not like" (battlefield2.hex). Phantasy Star Zero omits the blanks
// around operators and compares the result of & (phantasy_star_zero.hex).
package filter

//go:generate go run ../../internal/wire/wiregen
