package warzone

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A HostStream takes apart what a client sends to a lobby on one connection.
// Its zero value is at the start. It is a small value that holds what is known
// so far and no bytes, so it may be copied to come back to a place.
type HostStream struct {
	// Options are for all requests.
	Options Options

	// record is the layout of the game that was added, if it has no version
	// word: then nothing but updates of that layout follows.
	record Layout

	// ended tells that the last byte of the command before is still to come.
	ended bool
}

// NextRequest cuts the first request off b and parses it. rest is what has not
// been used.
//
// While b holds less than a request the error is [lobbywire.ErrTruncated]
// itself: read more behind rest and call again. Any other error is final, as
// is an [Unknown]: where the next request starts cannot be told. Its offset
// counts from the start of b.
//
// A request that is only a command is returned as soon as its letters have
// come, as some clients send no more.
func (s *HostStream) NextRequest(b []byte) (m Request, rest []byte, err error) {
	rest = b
	if s.ended && len(rest) > 0 {
		rest = rest[1:]
		s.ended = false
	}
	if s.record != LayoutVersioned {
		return s.nextRecord(rest)
	}
	if !s.Options.Strict {
		rest = rest[strays(rest):]
	}
	need := s.Options.needed(rest)
	if len(rest) < need {
		return nil, rest, lobbywire.ErrTruncated
	}
	r := wire.NewReader(rest[:min(len(rest), max(need, CommandSize))])
	m = readRequest(&r, s.Options)
	if err := r.Err(proto); err != nil {
		return nil, b, shifted(err, len(b)-len(rest))
	}
	switch m := m.(type) {
	case AddGame:
		if m.Game.Layout.isRecord() {
			s.record = m.Game.Layout
		}
	case Unknown:
	default:
		s.ended = r.Offset() == commandLetters
	}
	return m, rest[r.Offset():], nil
}

// nextRecord cuts an update off without looking for a command: a record starts
// with a name.
func (s *HostStream) nextRecord(b []byte) (m Request, rest []byte, err error) {
	if len(b) < RecordSize {
		return nil, b, lobbywire.ErrTruncated
	}
	r := wire.NewReader(b[:RecordSize])
	m = readUpdate(&r, s.Options, s.record)
	if err := r.Err(proto); err != nil {
		return nil, b, err
	}
	return m, b[RecordSize:], nil
}

// shifted returns err, an error of this package, with its offset moved by n.
func shifted(err error, n int) error {
	if e, ok := err.(*lobbywire.Error); ok {
		e.Offset += n
	}
	return err
}
