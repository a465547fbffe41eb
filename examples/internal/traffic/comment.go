package traffic

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// A comment of a frame has the name of a message on its first line, and a line for each field:
//
//	sqp.ChallengeResponse
//	42+1 type = 0
//	43+4 token = 3229248573
//
// Offsets are offsets in the frame. A field that is not in the frame has none, as in "+4 token
// = 3229248573". Lines with a note or an error start with a word. The file lobbywire.lua of
// gamequery reads this form.
const (
	continued = ", continued" // behind the name, if the comment continues the one before it
	noteMark  = "note: "
	errorMark = "error: "
)

// Limits of comments.
const (
	maxComment  = 1<<16 - 1 // bytes, from the format of pcapng
	maxComments = 16        // for the fields of a message; our choice, far below the limit of a packet in Wireshark
)

// startOfOurs matches the start of a comment. It is no variable: the page of the decoder would
// contain package regexp.
func startOfOurs() *regexp.Regexp {
	return regexp.MustCompile(`^[a-z][a-z0-9]*\.[A-Z][A-Za-z0-9]*(` + continued + `)?\n([0-9]*\+[0-9]+ |` + noteMark +
		`|` + errorMark + `)`)
}

// A commentWriter writes the comments for a message.
type commentWriter struct {
	name string
	all  []string // full ones
	now  strings.Builder
	left int // number of fields that are left out
}

// comments returns the comments for a message of s that a frame completes.
func comments(s capture.Sent, frame int, part formats.Section, notes []string) []string {
	w := commentWriter{name: printable(part.Name)}
	w.now.WriteString(w.name)
	for _, f := range part.Fields {
		w.field(f, placeOf(f, s.Parts, frame))
	}
	if w.left > 0 {
		w.line(fmt.Sprintf("%s%d more fields", noteMark, w.left))
	}
	for _, note := range notes {
		w.line(noteMark + note)
	}
	if part.Err != nil {
		w.line(errorMark + part.Err.Error())
	}
	return append(w.all, w.now.String())
}

func (w *commentWriter) field(f lobbywire.Field, place string) {
	if len(w.all) == maxComments {
		w.left++
		return
	}
	text := place + "+" + strconv.Itoa(f.Length) + " " + f.Name
	if f.Value != "" {
		text += " = " + f.Value
	}
	w.line(text)
}

// line adds a line, in a new comment if the last one is full.
func (w *commentWriter) line(text string) {
	const cut = "..."
	text = printable(text)
	first := w.name + continued + "\n"
	if most := maxComment - len(first); len(text) > most {
		text = text[:most-len(cut)] + cut
	}
	if w.now.Len()+1+len(text) > maxComment {
		w.all = append(w.all, w.now.String())
		w.now.Reset()
		w.now.WriteString(first)
	} else {
		w.now.WriteByte('\n')
	}
	w.now.WriteString(text)
}

// printable returns a text on one line. Texts of packets are quoted, but not all names of
// fields are ours.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, text)
}

// placeOf returns the offset of a field in a frame, "" if the frame does not contain all of
// it.
func placeOf(f lobbywire.Field, parts []capture.Part, frame int) string {
	end := f.Offset + f.Length
	i, _ := slices.BinarySearchFunc(parts, end, func(p capture.Part, end int) int { return cmp.Compare(p.End, end) })
	for ; i < len(parts) && parts[i].Start <= f.Offset; i++ {
		if p := parts[i]; p.Frame == frame {
			return strconv.Itoa(p.Offset + f.Offset - p.Start)
		}
	}
	return ""
}

// An arrival finds the frames that complete the messages of a stream, one after the other.
type arrival struct {
	parts []capture.Part // that remain
	frame int
}

// of returns the frame that completes the bytes up to end.
func (a *arrival) of(end int) int {
	for len(a.parts) > 0 && (a.parts[0].Start < end || a.frame == 0) {
		a.frame = max(a.frame, a.parts[0].Frame)
		a.parts = a.parts[1:]
	}
	return a.frame
}
