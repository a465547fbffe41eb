package filter

// Limits. All are ours.
const (
	// maxFilter is the limit for the length of a filter in bytes. The longest
	// known filters of clients have about 300. The limit also bounds the time of
	// [Filter.Match], which is at most proportional to the length of the filter plus
	// the lengths of the values that the filter names, each as often as it is named.
	maxFilter = 1024

	// maxDepth is the depth to which operations may be nested; parentheses may be
	// nested twice as deep. Known filters have a depth of 4.
	maxDepth = 32

	// maxNumber is the maximum length of a number in bytes. A longer value of a key is
	// a text.
	maxNumber = 32
)

// Options changes what the decoder accepts. The zero Options is the default of
// the functions with the same names.
type Options struct {
	// Strict refuses what only Battlefield 2 sends: quotes within a text that are not
	// doubled, and conditions without an operator between them.
	Strict bool
}
