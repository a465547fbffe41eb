package warzonenet

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone"
)

// A listReader asks for a list and reads the reply, of which silence may be the
// end.
type listReader struct {
	conn    net.Conn
	options warzone.Options
	timeout time.Duration
	silence time.Duration
	end     time.Time // of all

	buf   []byte    // what has come
	heard time.Time // when the first of it did
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

// read returns a reply, and whether it is only part of one. How much comes is
// limited by ListReplyEnd: it refuses numbers that are too large as soon as they
// are there, and takes as long for much as for little.
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

// minRead is how much room there is for each read at least, in bytes.
const minRead = 4 << 10

// more waits for more.
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

// within returns the end of a step that may take d.
func (r *listReader) within(d time.Duration) time.Time {
	t := time.Now().Add(d)
	if r.end.Before(t) {
		return r.end
	}
	return t
}

// timeoutOf returns [lobbywire.ErrTimeout] for an error that means it.
func timeoutOf(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return lobbywire.ErrTimeout
	}
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
