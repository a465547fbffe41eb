package wztext

import "bytes"

// passOver skips what a transcript has and no wire carries, up to and with the
// mark of the next line.
func (l *line) passOver() {
	for {
		p := l.r.Peek()
		n := bytes.IndexByte(p[:min(len(p), l.o.maxLine())], '\n')
		if n < 0 || !isComment(p[:n+1]) {
			l.r.Skip(len(p)-len(trimMark(p)), "mark")
			return
		}
		l.r.Skip(n+1, "comment")
	}
}

// trimMark takes spaces and the direction mark of a transcript off p.
func trimMark(p []byte) []byte {
	p = bytes.TrimLeft(p, " ")
	if len(p) >= 2 && (p[0] == '>' || p[0] == '<') && p[1] == ' ' {
		return bytes.TrimLeft(p[2:], " ")
	}
	return p
}

// isComment tells whether a line of a transcript is empty or a comment.
func isComment(p []byte) bool {
	text := trimEnd(trimMark(p), Options{Transcript: true})
	return len(text) == 0 || bytes.HasPrefix(text, []byte("//"))
}
