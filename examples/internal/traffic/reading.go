package traffic

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// A reading is the result of reading bytes in a format.
type reading struct {
	formats.Format
	Options formats.Options

	whole bool // the format accepts all bytes; the end of a stream may be missing
	known bool // the format accepts the first message
	open  bool // it would accept the bytes if more followed
	more  bool // the capture may lack bytes after these
	reach int  // number of bytes that the format accepts

	unknown string // the name of messages of unknown types, if there are any
	count   int    // of these

	or []string // other formats that accept the bytes
}

// fits reports whether the bytes can be of the format.
func (r reading) fits() bool { return r.whole || r.cut() }

// cut reports whether the capture lacks bytes that the format needs.
func (r reading) cut() bool { return r.open && r.more }

// try reads a message in a format.
func try(f formats.Format, s capture.Sent, o formats.Options) reading {
	r := reading{Format: f, Options: o, more: s.Missing > 0 || s.NoEnd}
	if c, ok := f.Codec.(formats.Stream); ok {
		r.tryStream(c, s.Data)
		return r
	}
	m, ok := f.Codec.(formats.Member)
	if !ok {
		return r
	}
	name, err := m.Kind(f.Name, s.Data, o)
	if err != nil {
		r.open = errors.Is(err, lobbywire.ErrTruncated)
		r.reach = offsetOf(err)
		if n := min(r.reach, len(s.Data)); errors.Is(err, lobbywire.ErrTooLarge) {
			// The size may have been compared before anything was read.
			if _, err := m.Kind(f.Name, s.Data[:n], o); err != nil {
				r.reach = offsetOf(err)
			}
		}
		return r
	}
	r.whole = !isUnknown(name)
	if !r.whole {
		r.unknown, r.count = name, 1
	}
	if r.whole && s.Missing > 0 {
		// A message that ends where the capture has cut it differs from the original.
		_, err := m.Kind(f.Name, append(s.Data[:len(s.Data):len(s.Data)], 0), o)
		r.whole, r.open = false, !errors.Is(err, lobbywire.ErrTrailing)
	}
	if r.fits() {
		r.reach = len(s.Data)
	}
	return r
}

// tryStream reads the messages of a stream.
func (r *reading) tryStream(c formats.Stream, b []byte) {
	wrong := false
	// The function never fails.
	_ = c.Pieces(b, r.Options, func(p formats.Piece) error {
		var name string
		err := p.Lost
		switch {
		case err != nil:
			r.open = errors.Is(err, lobbywire.ErrTruncated)
		case p.Member == nil:
			return nil
		default:
			name, err = p.Kind(p.Name, p.Bytes, r.Options)
		}
		unknown := err == nil && isUnknown(name)
		if unknown {
			r.unknown = name
			r.count++
		}
		switch {
		case wrong:
		case unknown:
			wrong = true
		case err != nil:
			r.reach = p.Offset + offsetOf(err)
			wrong = !r.open
		default:
			r.known = true
			r.reach = p.Offset + len(p.Bytes)
		}
		return nil
	})
	r.whole = r.known && !wrong
}

// offsetOf returns the offset in an error, or 0.
func offsetOf(err error) int {
	e, ok := err.(*lobbywire.Error)
	if !ok {
		ok = errors.As(err, &e)
	}
	if !ok {
		return 0
	}
	return max(e.Offset, 0)
}
