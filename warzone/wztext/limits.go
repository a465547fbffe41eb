package wztext

// Limits. All are our choice: the proposal sets none.
const (
	// MaxLine is how many bytes a line has at most, with its end. It is the
	// default limit for reading and the limit for writing.
	MaxLine = 4096

	// MaxGames is how many games a list has at most. It is the default limit
	// for reading and the limit for writing. With it a [GameList] has at most
	// MaxGames+1 lines, 4 MiB.
	MaxGames = 1023
)

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses most of what AppendBinary never writes. The package
	// documentation has the list.
	Strict bool

	// Transcript reads conversations as documents show them and no wire
	// carries them: two or more spaces separate columns as a TAB does; what
	// indents a line and spaces at its end are ignored, and so are "> " or "< "
	// at its start, empty lines, and lines that start with //.
	Transcript bool

	// MaxLine limits the bytes of a line, with its end; 0 means [MaxLine].
	MaxLine int

	// MaxGames limits the games of a list; 0 means [MaxGames].
	MaxGames int
}

func (o Options) maxLine() int {
	if o.MaxLine == 0 {
		return MaxLine
	}
	return max(o.MaxLine, 0)
}

func (o Options) maxGames() int {
	if o.MaxGames == 0 {
		return MaxGames
	}
	return max(o.MaxGames, 0)
}
