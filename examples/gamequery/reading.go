package main

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/capture"
)

// A reading is how bytes read in a format.
type reading struct {
	format
	options options

	whole bool // all of the bytes are of the format; the end of a stream may be missing
	open  bool // they would be with more bytes behind them
	more  bool // there may be more bytes, which the capture does not have
	reach int  // up to where the bytes are of the format

	or []string // other formats that fit
}

// fits reports whether nothing speaks against the format.
func (r reading) fits() bool { return r.whole || r.cut() }

// cut reports whether the capture lacks bytes that the format demands.
func (r reading) cut() bool { return r.open && r.more }

// try reads what was sent in a format.
func (f format) try(s capture.Sent, o options) reading {
	r := reading{format: f, options: o, more: s.Missing > 0 || s.NoEnd}
	if c, ok := f.codec.(stream); ok {
		r.tryStream(c, s.Data)
		return r
	}
	m, ok := f.codec.(member)
	if !ok {
		return r
	}
	name, err := m.kind(f.name, s.Data, o)
	if err != nil {
		r.open = errors.Is(err, lobbywire.ErrTruncated)
		r.reach = offsetOf(err)
		return r
	}
	r.whole = !isUnknown(name)
	if r.whole && s.Missing > 0 {
		// A message that ends where the capture cut it is another one.
		_, err := m.kind(f.name, append(s.Data[:len(s.Data):len(s.Data)], 0), o)
		r.whole, r.open = false, !errors.Is(err, lobbywire.ErrTrailing)
	}
	if r.fits() {
		r.reach = len(s.Data)
	}
	return r
}

// tryStream reads messages up to the first that is not of the format.
func (r *reading) tryStream(c stream, b []byte) {
	stop := errors.New("it ends here")
	known := false
	err := c.pieces(b, r.options, func(p piece) error {
		switch {
		case p.lost != nil:
			r.open = errors.Is(p.lost, lobbywire.ErrTruncated)
			r.reach += offsetOf(p.lost)
			if r.open {
				return nil
			}
			return stop
		case p.member == nil:
			return nil
		}
		name, err := p.kind(p.name, p.bytes, r.options)
		if err != nil || isUnknown(name) {
			r.reach += offsetOf(err)
			return stop
		}
		known = true
		r.reach = p.offset + len(p.bytes)
		return nil
	})
	r.whole = known && err == nil
}

// offsetOf returns the offset in an error, or 0.
func offsetOf(err error) int {
	if e := new(lobbywire.Error); errors.As(err, &e) {
		return max(e.Offset, 0)
	}
	return 0
}
