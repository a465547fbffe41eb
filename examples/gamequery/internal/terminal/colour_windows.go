package terminal

import (
	"os"

	"golang.org/x/sys/windows"
)

// enableColours lets a console of Windows read the sequences of colours, which older ones do
// only on request. It reports whether the console does.
func enableColours(f *os.File) bool {
	console := windows.Handle(f.Fd())
	var mode uint32
	if windows.GetConsoleMode(console, &mode) != nil {
		return false
	}
	return windows.SetConsoleMode(console, mode|windows.ENABLE_VIRTUAL_TERMINAL_PROCESSING) == nil
}
