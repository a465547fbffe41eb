package dump

import (
	"fmt"
	"strconv"
	"strings"
)

// A transcript is a program's print of the data that it sends and receives: a line with the
// length of a packet, then its bytes.
type transcript struct {
	form          string
	line          string // starts with this
	before, after string // the length
}

var transcripts = []transcript{
	{"gamedig --debug", "", "Buffer length: ", " bytes"},
	{"qstat -d", "FROM ", " len ", ""},
	{"socat -x", "> ", " length=", " from="},
	{"socat -x", "< ", " length=", " from="},
}

// lengthIn returns the length in a line, and the program that prints such lines.
func lengthIn(line string) (length int, form string, ok bool) {
	line = strings.TrimSpace(line)
	for _, t := range transcripts {
		_, rest, found := strings.Cut(line, t.before)
		digits := rest[:len(rest)-len(strings.TrimLeft(rest, digits))]
		if !found || !strings.HasPrefix(line, t.line) || !strings.HasPrefix(rest[len(digits):], t.after) {
			continue
		}
		if n, err := strconv.Atoi(digits); err == nil {
			return n, t.form, true
		}
	}
	return 0, "", false
}

// readTranscript reads the output of programs that print the length before the bytes.
func readTranscript(text string, _ int) (t Text, ok bool, err error) {
	start, length := 0, 0 // line and length of the last packet
	check := func() {
		if n := len(t.Packets); n > 0 && len(t.Packets[n-1]) != length && err == nil {
			err = fmt.Errorf("line %d: %d bytes, but %d follow", start, length, len(t.Packets[n-1]))
		}
	}
	no := 0
	for line := range strings.SplitSeq(text, "\n") {
		no++
		if n, form, isStart := lengthIn(line); isStart {
			check()
			t.Form, start, length = form, no, n
			t.Packets = append(t.Packets, nil)
			continue
		}
		n := len(t.Packets)
		if n == 0 || len(t.Packets[n-1]) >= length {
			continue
		}
		if b, isData := bytesIn(line); isData {
			t.Packets[n-1] = append(t.Packets[n-1], b...)
		}
	}
	check()
	return t, len(t.Packets) > 0, err
}

// bytesIn returns the bytes at the start of a line, after an offset. Two or more blanks
// separate them from the same bytes as text.
func bytesIn(line string) ([]byte, bool) {
	if _, behind, found := strings.Cut(line, ": "); found {
		line = behind
	}
	data, _, _ := strings.Cut(strings.TrimSpace(line), "  ")
	b, err := decodeHex(withoutBlanks(data))
	return b, err == nil && len(b) > 0
}
