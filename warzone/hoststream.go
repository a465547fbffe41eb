package warzone

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A HostStream reads the requests of a client to a lobby on one connection. Its zero value
// is at the start of the connection. It is a small value without input bytes, so a copy
// resumes from the same position.
type HostStream struct {
	// Options are the options for decoding requests.
	Options Options

	// record is the layout of an added game without a version word: only updates of that
	// layout follow it.
	record Layout

	// ended reports that the last byte of the previous command has not been
	// read yet.
	ended bool
}

// Added makes the stream continue after an [AddGame] that was read elsewhere, with a game
// of the given layout.
func (s *HostStream) Added(l Layout) {
	if l.isRecord() {
		s.record = l
	}
}

// NextRequest parses the first request in b. rest is the remaining bytes.
//
// If b does not contain a whole request, the error is [lobbywire.ErrTruncated] itself:
// append more bytes to rest and call again. Any other error is final; its offset counts
// from the start of b. An [Unknown] is final too, because the next request cannot be found
// after it.
//
// A request that is only a command ends after its letters, because some clients omit the
// zero byte.
func (s *HostStream) NextRequest(b []byte) (m Request, rest []byte, err error) {
	rest = b
	if s.ended && len(rest) > 0 {
		rest = rest[1:]
		s.ended = false
	}
	isRecord, need := s.record != LayoutVersioned, RecordSize
	if !isRecord {
		if !s.Options.Strict {
			rest = rest[strays(rest):]
		}
		need = s.Options.needed(rest)
	}
	if len(rest) < need {
		return nil, rest, lobbywire.ErrTruncated
	}
	r := wire.NewReader(rest[:min(len(rest), max(need, commandSize))])
	if isRecord { // it starts with a name, which may look like a command
		m = readUpdate(&r, s.Options, s.record)
	} else {
		m = readRequest(&r, s.Options)
	}
	if err := r.Err(proto); err != nil {
		err.(*lobbywire.Error).Offset += len(b) - len(rest)
		return nil, b, err
	}
	switch m := m.(type) {
	case AddGame:
		s.Added(m.Game.Layout)
	case Unknown:
	default:
		s.ended = r.Offset() == commandLetters
	}
	return m, rest[r.Offset():], nil
}
