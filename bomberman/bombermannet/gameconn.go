package bombermannet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/lifecycle"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Reasons for the end of a GameConn.
var (
	// ErrSilent means that the peer has sent nothing after a heartbeat, or a part
	// of a message, for too long.
	ErrSilent = errors.New("bombermannet: peer silent for too long")

	// ErrSlow means that the peer has not read the output, or only a part of it,
	// for too long.
	ErrSlow = errors.New("bombermannet: peer does not read")

	errClosed = fmt.Errorf("%w: %w", lobbywire.ErrClosed, net.ErrClosed)
)

// A GameConn is either end of a connection between a client and a game server.
// From the first call of Receive or Send on, it sends heartbeats, and ends if a
// peer that sends heartbeats falls silent, or if the peer does not read.
//
// One goroutine may call Receive, which is what notices silence, and any
// goroutine the other methods. Fields must not change after the first call. A
// negative field means the default.
type GameConn struct {
	// Conn is the connection, which Shutdown and Close close. It must be set.
	Conn net.Conn

	// Heartbeat is how often one is sent, whatever else is sent. 0 means 2 s: by
	// the protocol a peer may give up after 5 s, and one of three heartbeats has
	// to arrive by then.
	Heartbeat time.Duration

	// Silence is how long the peer may take for one message and, once it has sent
	// a heartbeat, send nothing. 0 means 6 s: the 5 s of the protocol and one for
	// the way. A peer that sends no heartbeats may be silent, as the game servers
	// of students are; TCP keep-alive detects that it is gone.
	Silence time.Duration

	// Write is how long the peer may take to read 64 KiB. 0 means 5 s.
	Write time.Duration

	// MaxPending is how many bytes may wait to be sent that the system has not
	// taken; 0 means 256 KiB, about 4 of the longest messages.
	MaxPending int

	once       sync.Once
	conn       *stream.Conn
	framer     framer // of Receive
	heartbeat  time.Duration
	silence    time.Duration
	maxPending int

	wake    lifecycle.Signal // of the writer
	written chan struct{}    // closed when it has ended

	mu       sync.Mutex
	pending  []byte // frames
	isEnding bool   // when nothing is pending any more
	ended    error  // nil as long as it has not

	sent, received, dropped atomic.Uint64
}

// errNoConn is the error of a GameConn without a Conn.
var errNoConn = errors.New("bombermannet: a GameConn needs a Conn")

// start starts the goroutine that writes.
func (c *GameConn) start() error {
	if c.Conn == nil {
		return errNoConn
	}
	c.once.Do(func() {
		silence := cmp.Or(max(c.Silence, 0), 6*time.Second)
		c.silence = silence
		c.conn = stream.NewConn(c.Conn, stream.Limits{
			First: forever, Frame: silence, Idle: forever,
			Write:    cmp.Or(max(c.Write, 0), 5*time.Second),
			MaxFrame: bomberman.MaxFrame,
		})
		c.heartbeat = cmp.Or(max(c.Heartbeat, 0), 2*time.Second)
		c.maxPending = cmp.Or(max(c.MaxPending, 0), 256<<10)
		c.written = make(chan struct{})
		go c.write()
	})
	return nil
}

// Remote returns the address of the peer, an IPv4 address never in IPv6 form. It
// is not valid if the connection is not over TCP.
func (c *GameConn) Remote() netip.AddrPort {
	if c.start() != nil {
		return netip.AddrPort{}
	}
	return c.conn.Remote()
}

// Receive returns the next message that is not a heartbeat. It discards invalid
// messages, as the protocol demands, and returns a [bomberman.Unknown] for an unknown
// command. The caller must check whether the peer may send the message at this time.
//
// After an error the connection has ended. The error is ErrSilent, ErrSlow, [io.EOF]
// if the peer has closed the connection, both [lobbywire.ErrClosed] and
// [net.ErrClosed] after Shutdown and Close, or one of [bomberman.NextFrame] if the
// stream is out of step.
func (c *GameConn) Receive() (bomberman.Message, error) {
	if err := c.start(); err != nil {
		return nil, err
	}
	for {
		payload, err := stream.Next(c.conn, c.framer.next)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			err = ErrSilent
		}
		if err != nil {
			return nil, c.end(err)
		}
		c.received.Add(1)
		m, err := bomberman.ParseMessage(payload)
		if err != nil {
			c.dropped.Add(1)
			continue
		}
		if _, ok := m.(bomberman.Heartbeat); !ok {
			return m, nil
		}
		c.conn.SetIdle(c.silence)
	}
}

// Send sends a message, without waiting for the peer. It fails as AppendBinary of
// m does, with nothing sent, or if the connection has ended or ends with it: then
// with what Receive returns, ErrSlow for a peer that has left too much unread.
func (c *GameConn) Send(m bomberman.Message) error {
	if err := c.start(); err != nil {
		return err
	}
	return c.send(m)
}

func (c *GameConn) send(m bomberman.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended != nil:
		return c.ended
	case c.isEnding:
		return errClosed
	}
	before := len(c.pending)
	b, err := bomberman.AppendMessage(c.pending, m)
	if err != nil {
		return err
	}
	if len(b) > c.maxPending && before > 0 {
		return c.endLocked(ErrSlow)
	}
	c.pending = b
	c.sent.Add(1)
	c.wake.Send()
	return nil
}

// write writes what is pending, and heartbeats, until the connection ends.
func (c *GameConn) write() {
	defer close(c.written)
	beat := time.NewTicker(c.heartbeat)
	defer beat.Stop()
	var b []byte
	for {
		var more bool
		for b, more = c.take(b); len(b) > 0; b, more = c.take(b) {
			if _, err := c.conn.Write(b); err != nil {
				if errors.Is(err, os.ErrDeadlineExceeded) {
					err = ErrSlow
				}
				c.end(err)
				return
			}
		}
		if !more {
			return
		}
		select {
		case <-c.wake.C():
		case <-beat.C:
			_ = c.send(bomberman.Heartbeat{}) // an end shows in take
		}
	}
}

// take returns what is pending, in place of b, and whether there may ever be
// more.
func (c *GameConn) take(b []byte) (pending []byte, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended != nil {
		return nil, false
	}
	pending, c.pending = c.pending, b[:0]
	return pending, !c.isEnding
}

// end ends the connection at once, unless it has ended, and returns why it has.
func (c *GameConn) end(err error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.endLocked(err)
}

func (c *GameConn) endLocked(err error) error {
	if c.ended == nil {
		c.ended = err
		c.pending = nil
		c.conn.End(err)
		c.conn.Close()
		c.wake.Send()
	}
	return c.ended
}

// GameConnStats count the messages of a [GameConn].
type GameConnStats struct {
	Sent     uint64 // with heartbeats
	Received uint64 // with heartbeats and those dropped
	Dropped  uint64 // because they were invalid
}

// Stats returns a snapshot.
func (c *GameConn) Stats() GameConnStats {
	return GameConnStats{Sent: c.sent.Load(), Received: c.received.Load(), Dropped: c.dropped.Load()}
}

// Shutdown ends the connection once everything that was sent has been written
// and the peer has had a moment to read it, or ctx is done.
func (c *GameConn) Shutdown(ctx context.Context) error {
	if c.start() != nil {
		return nil
	}
	c.mu.Lock()
	c.isEnding = true
	c.wake.Send()
	c.mu.Unlock()
	defer c.conn.EndWith(ctx)()
	select {
	case <-c.written:
	case <-ctx.Done():
		c.end(errClosed)
		<-c.written
		return context.Cause(ctx)
	}
	c.mu.Lock()
	ended := c.ended
	c.mu.Unlock()
	if ended == nil {
		c.conn.Finish()
		c.end(errClosed)
	} else if !errors.Is(ended, net.ErrClosed) && !errors.Is(ended, io.EOF) {
		return ended
	}
	return nil
}

// Close ends the connection at once. It may be called many times.
func (c *GameConn) Close() error {
	if c.start() != nil {
		return nil
	}
	c.end(errClosed)
	<-c.written
	return nil
}
