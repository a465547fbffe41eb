package wzhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"iter"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ListReader reads a list that arrives in parts. It reads each byte once, however
// the list is cut, and holds at most one incomplete line. Its zero value is ready for
// one list.
//
// It treats errors as the game does. A JSON object that is not a valid game or header is
// skipped: the list returns its error and continues. A line that is empty or not a JSON
// object ends the list. Unlike the game, a ListReader does not stop after [MaxGames] games.
type ListReader struct {
	Options Options

	line      []byte // incomplete
	dropping  bool   // the incomplete line is too long
	size      int    // of the list so far
	ended     bool
	header    ListHeader
	hasHeader bool
}

// Add reads the next bytes of the list. It yields the games whose lines are now
// complete, and an error for each line that is skipped or ends the list. Range over
// the result exactly once. Leaving the loop early ends the list.
func (l *ListReader) Add(p []byte) iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		room := l.Options.maxList() - l.size
		tooLong := len(p) > room
		for p = p[:min(len(p), room)]; len(p) > 0 && !l.ended; {
			part, rest, found := bytes.Cut(p, []byte{'\n'})
			at := l.size - len(l.line)
			l.size += len(p) - len(rest)
			p = rest
			switch {
			case l.dropping:
				l.dropping = !found
			case len(l.line)+len(part)+1 > maxLine: // the byte that ends a line counts
				l.line, l.dropping = nil, !found
				l.stop(yield(Game{}, errorAt(at, wire.Over(maxLine))))
			case !found:
				l.line = append(l.line, part...)
			case len(l.line) == 0:
				l.read(part, at, yield)
			default:
				line := append(l.line, part...)
				l.line = line[:0]
				l.read(line, at, yield)
			}
		}
		if tooLong && !l.ended {
			l.ended = true
			yield(Game{}, errorAt(l.size-len(l.line), wire.Over(l.Options.maxList())))
		}
	}
}

// End reads the last line if it does not end with a line feed. Nothing may follow.
func (l *ListReader) End() iter.Seq2[Game, error] {
	return func(yield func(Game, error) bool) {
		if len(l.line) > 0 && !l.ended {
			l.read(l.line, l.size-len(l.line), yield)
		}
	}
}

// Header returns the first valid header so far, and whether there was one.
func (l *ListReader) Header() (ListHeader, bool) { return l.header, l.hasHeader }

// Ended reports whether a line, a limit or leaving a loop early has ended the list. Further
// bytes are then ignored.
func (l *ListReader) Ended() bool { return l.ended }

// read reads a line at an offset in the list.
func (l *ListReader) read(line []byte, at int, yield func(Game, error) bool) {
	m, err := l.Options.ParseLine(line)
	if err != nil {
		ends := endsList(line) && !errors.Is(err, lobbywire.ErrTooLarge)
		if e, ok := errors.AsType[*lobbywire.Error](err); ok {
			err = &lobbywire.Error{Proto: e.Proto, Field: e.Field, Offset: at + e.Offset, Err: e.Err}
		}
		l.stop(yield(Game{}, err) && !ends)
		return
	}
	switch m := m.(type) {
	case ListHeader:
		if !l.hasHeader {
			l.header, l.hasHeader = m, true
		}
	case Game:
		l.stop(yield(m, nil))
	}
}

// stop ends the list unless goesOn is set.
func (l *ListReader) stop(goesOn bool) { l.ended = l.ended || !goesOn }

// errorAt returns an error for the line at an offset in the list, or -1.
func errorAt(at int, kind error) error { return &lobbywire.Error{Proto: proto, Offset: at, Err: kind} }

// endsList reports whether an invalid line ends the list for the game, that is, whether it
// is not a JSON object. json.Valid also refuses objects nested to 10 000 levels, whose
// error is ErrTooLarge.
func endsList(line []byte) bool {
	object := bytes.TrimLeft(line, " \t\r")
	return len(object) == 0 || object[0] != '{' || !utf8.Valid(line) || !json.Valid(line)
}
