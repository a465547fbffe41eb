package stream

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
)

// ErrTooLong means that a message is longer than MaxFrame or does not fit in the memory
// of the server.
var ErrTooLong = errors.New("stream: no room for the message")

// A Conn is a connection that reads whole messages within deadlines. One goroutine
// may read, and any may write.
type Conn struct {
	conn   net.Conn
	limits Limits
	server *Server // has the memory budget and the counters; nil for a client
	remote netip.AddrPort

	buffer []byte    // input; nil until the first read
	used   int       // bytes of it that Next has returned
	heard  time.Time // when the last bytes arrived
	wait   wait      // what the read deadline is for
	idle   time.Duration

	writing sync.Mutex
	resumes bool // a write can continue after its deadline

	mu    sync.Mutex
	ended error // why reading has ended; nil if it has not
	mute  bool  // writing has ended too
}

// A wait is the event that a read waits for.
type wait uint8

const (
	forNothing wait = iota // no deadline is set for this message yet
	forFirst               // the first byte of the connection
	forNext                // the first byte of another message
	forRest                // the rest of a message
	forLast                // the same after the end of reading
)

// lastWithin is how long a peer has after the end of reading to finish a message that it has
// begun. So no input is lost: complete messages get their answers, and a process that takes
// over the connection starts with a new message.
const lastWithin = time.Second / 2

// NewConn returns a Conn over c, which it owns.
func NewConn(c net.Conn, limits Limits) *Conn {
	_, tcp := c.(*net.TCPConn) // not so one of TLS
	return &Conn{conn: c, limits: limits, remote: Remote(c), resumes: tcp}
}

// Remote returns the address of the peer of a connection, as [Conn.Remote] does.
func Remote(c net.Conn) netip.AddrPort {
	a, ok := c.RemoteAddr().(*net.TCPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	ap := a.AddrPort()
	return netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
}

// Remote returns the address of the peer, an IPv4 address never in IPv6 form. It is
// not valid if the connection is not over TCP.
func (c *Conn) Remote() netip.AddrPort { return c.remote }

// NetConn returns the connection below.
func (c *Conn) NetConn() net.Conn { return c.conn }

// Next reads the next message. cut cuts it off the input, as NextFrame of a codec
// does: while the input is shorter than a message, its error is
// [lobbywire.ErrTruncated] itself. Next returns other errors of cut.
//
// The error is [io.EOF] if the peer has closed the connection between messages,
// [io.ErrUnexpectedEOF] within one, [os.ErrDeadlineExceeded] after a deadline,
// ErrTooLong, or after [Conn.End] the error passed to that.
func Next[T any](c *Conn, cut func(b []byte) (m T, rest []byte, err error)) (T, error) {
	for {
		m, rest, err := cut(c.buffer[c.used:])
		if err == nil {
			c.wait = forNothing
		}
		c.used = len(c.buffer) - len(rest)
		if err != lobbywire.ErrTruncated {
			return m, err
		}
		if err := c.read(); err != nil {
			return m, err
		}
	}
}

// Heard returns when the last bytes arrived, the zero time if none have.
func (c *Conn) Heard() time.Time { return c.heard }

// SetIdle replaces Limits.Idle of this connection, from the next message on; 0 restores
// it. Only the goroutine that reads may call it.
func (c *Conn) SetIdle(d time.Duration) { c.idle = d }

// Rest returns the input that Next has not returned.
func (c *Conn) Rest() []byte { return c.buffer[c.used:] }

// read appends to the input.
func (c *Conn) read() error {
	if err := c.makeRoom(); err != nil {
		return err
	}
	if err := c.startTime(); err != nil {
		return err
	}
	n, err := c.conn.Read(c.buffer[len(c.buffer):cap(c.buffer)])
	c.buffer = c.buffer[:len(c.buffer)+n]
	if n > 0 {
		c.heard = time.Now()
		return nil
	}
	isLate := errors.Is(err, os.ErrDeadlineExceeded)
	switch ended := c.endedBy(); {
	case ended != nil && isLate && c.wait == forRest && c.server != nil:
		return nil // startTime sets the last deadline
	case ended != nil:
		return ended
	case err == io.EOF && c.used < len(c.buffer):
		return io.ErrUnexpectedEOF
	case c.server != nil && isLate:
		c.server.stats.timedOut.Add(1)
	}
	return err
}

// makeRoom makes room in the buffer. A server frees memory that it no longer needs;
// a client keeps it for the next message.
func (c *Conn) makeRoom() error {
	size := cap(c.buffer)
	switch {
	case c.used == len(c.buffer) && c.server != nil:
		size = firstBuffer
	case c.used == len(c.buffer):
		size = max(size, smallBuffer, c.limits.Buffer)
	case len(c.buffer) < size:
		return nil
	case c.used == 0:
		larger := min(max(2*size, smallBuffer), c.limits.MaxFrame)
		if larger <= size || !c.server.take(beyondSmall(larger)-beyondSmall(size)) {
			if c.server != nil {
				c.server.stats.tooLong.Add(1)
			}
			return ErrTooLong
		}
		size = larger
	}
	c.resize(size)
	return nil
}

// beyondSmall returns how much of the budget a buffer takes.
func beyondSmall(size int) int { return max(size-smallBuffer, 0) }

// resize moves the remaining input to the start of a buffer of the given size.
func (c *Conn) resize(size int) {
	to := c.buffer[:0]
	if size != cap(c.buffer) {
		c.server.give(max(beyondSmall(cap(c.buffer))-beyondSmall(size), 0))
		to = make([]byte, 0, size)
	}
	c.buffer = append(to, c.buffer[c.used:]...)
	c.used = 0
}

// startTime sets the read deadline, once for each wait, so that trickling bytes or
// white space do not extend it.
func (c *Conn) startTime() error {
	wait, limit := forNext, cmp.Or(c.idle, c.limits.Idle)
	switch {
	case c.used < len(c.buffer):
		wait, limit = forRest, c.limits.Frame
	case c.heard.IsZero():
		wait, limit = forFirst, c.limits.First
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		if wait != forRest || c.server == nil {
			return c.ended
		}
		wait, limit = forLast, min(limit, lastWithin)
	}
	if wait == c.wait {
		return nil
	}
	c.wait = wait
	return c.conn.SetReadDeadline(time.Now().Add(limit))
}

// End ends reading with err, also a pending read. Pending writes, and answers to
// messages that were read, are still sent. A server still reads the rest of a message that
// the peer has begun, for a short time.
func (c *Conn) End(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = err
		c.conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// Ending returns a channel that is closed by Shutdown and Close of the server of the
// connection, nil for a client.
func (c *Conn) Ending() <-chan struct{} {
	if c.server == nil {
		return nil
	}
	return c.server.life.Ending()
}

func (c *Conn) endedBy() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ended
}

// EndWith ends reading and writing when ctx is done, with its cause, until
// stop is called.
func (c *Conn) EndWith(ctx context.Context) (stop func() bool) {
	return context.AfterFunc(ctx, func() {
		c.End(context.Cause(ctx))
		c.mu.Lock()
		defer c.mu.Unlock()
		c.mute = true
		c.conn.SetWriteDeadline(time.Unix(1, 0))
	})
}

// linger and maxLeft bound the time and the bytes for which Finish waits.
const (
	linger  = time.Second
	maxLeft = 64 << 10
)

// Finish closes the connection once the peer has closed its side, or after a second. It
// discards input meanwhile: closing a connection with unread input would reset it, and
// the peer could lose output.
func (c *Conn) Finish() error {
	if half, ok := c.conn.(interface{ CloseWrite() error }); ok && half.CloseWrite() == nil {
		c.mu.Lock()
		if c.ended == nil {
			c.conn.SetReadDeadline(time.Now().Add(linger))
		}
		c.mu.Unlock()
		io.CopyN(io.Discard, c.conn, maxLeft)
	}
	return c.Close()
}

// Close closes the connection at once. It may be called several times.
func (c *Conn) Close() error {
	err := c.conn.Close()
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// free returns the memory of the buffer to the budget. Nothing may read after it.
func (c *Conn) free() {
	c.server.give(beyondSmall(cap(c.buffer)))
	c.buffer = nil
}
