package wztext

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
)

// passOver skips what a transcript has and no wire carries, up to and with the
// mark of the next line.
func (l *line) passOver() {
	for {
		p := l.r.Peek()
		limit := l.o.maxLine()
		n := bytes.IndexByte(p[:min(len(p), limit)], '\n')
		if n < 0 || !isComment(p[:n+1]) {
			text := trimMark(p)
			if n < 0 && len(p) < limit && startsComment(text) {
				l.r.Fail(lobbywire.ErrTruncated, "comment", l.r.Offset())
				return
			}
			l.r.Skip(len(p)-len(text), "mark")
			return
		}
		l.r.Skip(n+1, "comment")
	}
}

// trimMark takes the indent and direction mark of a transcript off p.
func trimMark(p []byte) []byte {
	p = bytes.TrimLeft(p, " \t")
	if len(p) >= 2 && (p[0] == '>' || p[0] == '<') && p[1] == ' ' {
		return bytes.TrimLeft(p[2:], " \t")
	}
	return p
}

// isComment tells whether a line of a transcript is empty or a comment.
func isComment(p []byte) bool {
	text := trimEnd(trimMark(p), Options{Transcript: true})
	return len(text) == 0 || startsComment(text)
}

func startsComment(text []byte) bool {
	return len(text) >= 2 && text[0] == '/' && text[1] == '/'
}
