package warzonenet

import (
	"net"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// A listReader requests a list and reads the reply, which a silence may end.
type listReader struct {
	conn    net.Conn
	options warzone.Options
	timeout time.Duration
	silence time.Duration
	end     time.Time // of the whole request

	buf   []byte    // received bytes
	heard time.Time // when the first byte was received
}

func (r *listReader) ask() error {
	request, err := warzone.ListRequest{}.MarshalBinary()
	if err != nil {
		return err
	}
	if err := r.conn.SetWriteDeadline(r.within(r.timeout)); err != nil {
		return err
	}
	_, err = r.conn.Write(request)
	return err
}

// read returns a reply, and whether it is incomplete. ListReplyEnd limits its size:
// it refuses counts that are too large as soon as it has read them, and its cost
// does not depend on the size of the input.
func (r *listReader) read() (b []byte, partial bool, err error) {
	for {
		end, whole, err := r.options.ListReplyEnd(r.buf)
		wait := r.timeout
		switch {
		case whole:
			return r.buf[:end], false, nil
		case err == nil:
			wait = r.silence
		case err != lobbywire.ErrTruncated:
			return nil, false, err
		}
		switch failed := r.more(wait); {
		case failed == nil:
		case err == nil:
			return r.buf[:end], end < len(r.buf), nil
		default:
			return nil, false, failed
		}
	}
}

// minRead is the minimum size of the buffer for a read, in bytes.
const minRead = 4 << 10

// more reads more bytes.
func (r *listReader) more(wait time.Duration) error {
	if err := r.conn.SetReadDeadline(r.within(wait)); err != nil {
		return err
	}
	if cap(r.buf)-len(r.buf) < minRead {
		r.buf = slices.Grow(r.buf, max(minRead, len(r.buf)))
	}
	n, err := r.conn.Read(r.buf[len(r.buf):cap(r.buf)])
	if n == 0 {
		return err
	}
	if len(r.buf) == 0 {
		r.heard = time.Now()
	}
	r.buf = r.buf[:len(r.buf)+n]
	return nil
}

// within returns the deadline of a step that may last for d.
func (r *listReader) within(d time.Duration) time.Time {
	t := time.Now().Add(d)
	if r.end.Before(t) {
		return r.end
	}
	return t
}
