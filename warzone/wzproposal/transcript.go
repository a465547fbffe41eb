package wzproposal

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
)

// skipComments skips what a transcript has and no wire carries, up to and
// including the mark of the next line.
func (f *fields) skipComments() {
	for {
		p := f.r.Peek()
		limit := f.o.maxLine()
		n := bytes.IndexByte(p[:min(len(p), limit)], '\n')
		if n < 0 || !isComment(p[:n+1]) {
			text := trimMark(p)
			if n < 0 && len(p) < limit && startsComment(text) {
				f.r.Fail(lobbywire.ErrTruncated, "comment", f.r.Offset())
				return
			}
			f.r.Skip(len(p)-len(text), "mark")
			return
		}
		f.r.Skip(n+1, "comment")
	}
}

// trimMark removes the indent and direction mark of a transcript.
func trimMark(p []byte) []byte {
	p = bytes.TrimLeft(p, " \t")
	if len(p) >= 2 && (p[0] == '>' || p[0] == '<') && p[1] == ' ' {
		return bytes.TrimLeft(p[2:], " \t")
	}
	return p
}

// isComment reports whether a line of a transcript is empty or a comment.
func isComment(p []byte) bool {
	text := trimEnd(trimMark(p), Options{Transcript: true})
	return len(text) == 0 || startsComment(text)
}

func startsComment(text []byte) bool {
	return len(text) >= 2 && text[0] == '/' && text[1] == '/'
}
