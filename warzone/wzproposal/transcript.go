package wzproposal

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// skipComments skips empty lines, comments, and the indent and direction mark of the
// next line of up to limit bytes.
func skipComments(r *wire.Reader, limit int) {
	for {
		p := r.Peek()
		n := bytes.IndexByte(p[:min(len(p), limit)], '\n')
		if n < 0 || !isComment(p[:n+1]) {
			text := trimMark(p)
			if n < 0 && len(p) < limit && startsComment(text) {
				r.Fail(lobbywire.ErrTruncated, "comment", r.Offset())
				return
			}
			r.Skip(len(p)-len(text), "mark")
			return
		}
		r.Skip(n+1, "comment")
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

// A column is a kind of column, which determines where a column ends in a transcript whose
// TABs have become spaces.
type column uint8

const (
	columnAny   column = iota // of an unknown message
	columnFirst               // the first word of a line
	columnWord                // an ip, number or status, which holds no spaces
	columnName                // text; the map follows
	columnMap                 // text; words follow
	columnLast                // text; nothing follows
)

// cutTranscript returns the length of a column, and the length of the spaces or the TAB
// after it. In a line without TABs, it finds the words after a name and a map from the
// end of the line, so names may contain single spaces. ended reports whether p ends with
// the line, and words is the number of words after the map.
func cutTranscript(p []byte, c column, ended bool, words int) (n, sep int) {
	switch {
	case c == columnFirst, c == columnWord:
		return cutSpaced(p, 1, ended)
	case c == columnAny, bytes.IndexByte(p, '\t') >= 0:
		return cutSpaced(p, 2, ended)
	case !ended, c == columnLast:
		return len(p), 0
	}
	texts := p
	for range words {
		texts = texts[:max(lastWord(texts), 0)]
		texts = bytes.TrimRight(texts, " ")
	}
	n = len(texts)
	if c == columnName {
		n = cutName(texts)
	}
	if n == 0 {
		return cutSpaced(p, 2, ended)
	}
	return n, len(p) - n - len(bytes.TrimLeft(p[n:], " "))
}

// lastWord returns the offset of the last word of p.
func lastWord(p []byte) int { return bytes.LastIndexByte(p, ' ') + 1 }

// cutName returns the length of the name in p, which is a name and a map. The name ends
// at the last run of spaces or, without one, at the last space. The length is 0 if there
// is no space.
func cutName(p []byte) int {
	at := bytes.LastIndex(p, []byte("  "))
	if at < 0 {
		at = lastWord(p) - 1
	}
	return len(bytes.TrimRight(p[:max(at, 0)], " "))
}

// cutSpaced finds a TAB or a run of at least a number of spaces. If the end of the line
// has not arrived, a run at the end of p, or before a CR there, does not count: it may be
// at the end of the line.
func cutSpaced(p []byte, least int, ended bool) (n, sep int) {
	for n < len(p) {
		if p[n] == '\t' {
			return n, 1
		}
		run := 0
		for n+run < len(p) && p[n+run] == ' ' {
			run++
		}
		rest := p[n+run:]
		if run >= least && (ended || len(rest) > 0 && string(rest) != "\r") {
			return n, run
		}
		n += max(run, 1)
	}
	return len(p), 0
}

// trimEnd removes the end of a line.
func trimEnd(p []byte, o Options) []byte {
	p = bytes.TrimSuffix(p, []byte{'\n'})
	p = bytes.TrimSuffix(p, []byte{'\r'})
	if o.Transcript {
		p = bytes.TrimRight(p, " ")
	}
	return p
}
