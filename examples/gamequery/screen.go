package main

import (
	"io"
	"os"

	"charm.land/lipgloss/v2"
	"golang.org/x/term"
)

// A screen describes the output device of a table.
type screen struct {
	width    int // in columns; 0 means no limit
	coloured bool
}

// usualWidth is the width of a terminal that does not report it.
const usualWidth = 80

// screenOf returns the terminal that w writes to. Other output gets complete tables
// without colours.
func screenOf(w io.Writer) screen {
	f, ok := w.(*os.File)
	if !ok || !isTerminal(w) {
		return screen{}
	}
	s := screen{width: usualWidth, coloured: allowsColours(os.Getenv)}
	if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
		s.width = width
	}
	if s.coloured {
		lipgloss.EnableLegacyWindowsANSI(f)
	}
	return s
}

// allowsColours reports whether the environment permits colours.
func allowsColours(env func(name string) string) bool {
	return env("NO_COLOR") == "" && env("TERM") != "dumb"
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
