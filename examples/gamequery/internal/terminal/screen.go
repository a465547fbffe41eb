// Package terminal prints text for people: tables that fit the screen, without control
// characters from the network.
package terminal

import (
	"io"
	"os"

	"golang.org/x/term"
)

// A Screen describes the output device of a table.
type Screen struct {
	Width    int // in columns; 0 means that it is not a terminal
	Coloured bool
}

// usualWidth is the width of a terminal that does not report it.
const usualWidth = 80

// ScreenOf returns the terminal that w writes to. Other output gets tables of any
// width, without colours.
func ScreenOf(w io.Writer) Screen {
	f, ok := w.(*os.File)
	if !ok || !IsTerminal(w) {
		return Screen{}
	}
	s := Screen{Width: usualWidth, Coloured: allowsColours(os.Getenv)}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		s.Width = width
	}
	s.Coloured = s.Coloured && enableColours(f)
	return s
}

// highlight returns a line in the colour of headers.
func (s Screen) highlight(line string) string {
	if !s.Coloured {
		return line
	}
	const boldCyan, end = "\x1b[1;36m", "\x1b[m"
	return boldCyan + line + end
}

// allowsColours reports whether the environment permits colours.
func allowsColours(env func(name string) string) bool {
	return env("NO_COLOR") == "" && env("TERM") != "dumb"
}

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
