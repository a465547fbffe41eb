package tour

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// Limits on the bytes that the tour prints.
const (
	tourWidth = 80
	tourLines = 15 // of a message
	tourHex   = 8  // bytes of a field
)

// writeBytes explains the traffic of an exchange, as explain does for a capture, in a
// few short lines.
func writeBytes(w io.Writer, protocol string, all []capture.Sent) {
	fmt.Fprintln(w, "\nThese bytes were sent:")
	conversations := traffic.Recognize(all, protocol, formats.DefaultOptions())
	for _, s := range all {
		t := conversations[traffic.EndsOf(s)]
		if t.Session == nil {
			continue
		}
		r := t.Session.Read(s)
		who := "server"
		if s.From == all[0].From {
			who = "client"
		}
		fmt.Fprintf(w, "# %s sends %s, length %d\n", who, r.Name, len(s.Data))
		var text bytes.Buffer
		// The output shows the error.
		_ = r.Explain(&text, s.Data, r.Options)
		writeShort(w, text.String())
	}
}

// writeShort writes an annotated listing with the first bytes of each field, up to a
// number of lines.
func writeShort(w io.Writer, text string) {
	var lines []string
	for line := range strings.Lines(text) {
		digits, comment, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "#")
		if ok { // otherwise the line continues the field above
			lines = append(lines, shortLine(strings.TrimSpace(digits), comment))
		}
	}
	for i, line := range lines {
		if left := len(lines) - i; i >= tourLines-1 && left > 1 {
			fmt.Fprintf(w, "# and %d more lines\n", left)
			return
		}
		fmt.Fprintln(w, line)
	}
}

// shortLine returns a line of a listing that fits a terminal.
func shortLine(digits, comment string) string {
	const room = tourHex*3 + len("..")
	line := "#" + comment
	if len(digits) > tourHex*3 {
		digits = digits[:tourHex*3] + ".."
	}
	if digits != "" {
		line = fmt.Sprintf("%-*s %s", room, digits, line)
	}
	if utf8.RuneCountInString(line) > tourWidth {
		line = string([]rune(line)[:tourWidth-1]) + "…"
	}
	return line
}
