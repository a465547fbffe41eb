package bombermannet

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Why a GameConn ends.
var (
	// ErrSilent means that the peer has sent nothing for too long, or too little
	// of a message.
	ErrSilent = errors.New("bombermannet: peer silent for too long")

	// ErrSlow means that the peer has not read for too long, or too little of
	// what was sent.
	ErrSlow = errors.New("bombermannet: peer does not read")
)

// GameOptions change how a [GameConn] behaves. The zero GameOptions suits
// the protocol.
type GameOptions struct {
	// Heartbeat is how often one is sent, whatever else is. 0 means 2 s: of
	// three, at least one has to arrive before a peer may give up, by the
	// protocol after 5 s.
	Heartbeat time.Duration

	// Silence is how long the peer may send nothing, or take for one message. 0
	// means 6 s: the 5 s of the protocol and one for the way.
	Silence time.Duration

	// Write is how long the peer may take to read 64 KiB. 0 means 5 s.
	Write time.Duration

	// MaxPending is how many bytes may wait to be sent, of those the system has
	// not taken; 0 means 256 KiB, about 4 of the longest messages.
	MaxPending int
}

// A GameConn is either end of a connection between a client and a game server.
// It sends heartbeats, and ends if the peer falls silent or does not read.
//
// One goroutine may call Receive, which it has to for silence to be noticed, and
// any the other methods.
type GameConn struct {
	conn       *stream.Conn
	framer     framer // of who receives
	heartbeat  time.Duration
	maxPending int

	wake    chan struct{} // of the writer
	written chan struct{} // closed when it has ended

	mu       sync.Mutex
	pending  []byte // frames
	isEnding bool   // when nothing is pending any more
	ended    error  // nil as long as it has not

	sent, received, dropped atomic.Uint64
}

// NewGameConn returns a GameConn over conn, which it owns. It has a goroutine
// until it is closed.
func NewGameConn(conn net.Conn, o GameOptions) *GameConn {
	silence := cmp.Or(o.Silence, 6*time.Second)
	c := &GameConn{
		conn: stream.NewConn(conn, stream.Limits{
			First: silence, Frame: silence, Idle: silence,
			Write:    cmp.Or(o.Write, 5*time.Second),
			MaxFrame: bomberman.MaxFrame,
		}),
		heartbeat:  cmp.Or(o.Heartbeat, 2*time.Second),
		maxPending: cmp.Or(o.MaxPending, 256<<10),
		wake:       make(chan struct{}, 1),
		written:    make(chan struct{}),
	}
	go c.write()
	return c
}

// Remote returns the address of the peer, IPv4 as such. It is not valid if the
// connection is none of TCP.
func (c *GameConn) Remote() netip.AddrPort { return c.conn.Remote() }

// Receive returns the next message but for heartbeats. Those that are invalid
// are dropped, as the protocol says, and those of unknown commands are a
// [bomberman.Unknown]. Whether a message makes sense from this peer and now is
// for the caller to judge.
//
// The error is ErrSilent, ErrSlow, [io.EOF] if the peer has closed the
// connection, [net.ErrClosed] after Close, or one of [bomberman.NextFrame] if the
// stream is out of step. The connection has ended then.
func (c *GameConn) Receive() (bomberman.Message, error) {
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
	}
}

// Send sends a message, without waiting for the peer. It fails as AppendBinary of
// m does, with nothing sent, or if the connection has ended or ends with it: then
// with what Receive returns, ErrSlow for a peer that has left too much unread.
func (c *GameConn) Send(m bomberman.Message) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ended != nil:
		return c.ended
	case c.isEnding:
		return net.ErrClosed
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
	c.notify()
	return nil
}

// notify wakes the writer.
func (c *GameConn) notify() {
	select {
	case c.wake <- struct{}{}:
	default:
	}
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
		case <-c.wake:
		case <-beat.C:
			_ = c.Send(bomberman.Heartbeat{}) // an end shows in take
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
		c.notify()
	}
	return c.ended
}

// GameStats counts messages of a GameConn.
type GameStats struct {
	Sent     uint64 // with heartbeats
	Received uint64 // with heartbeats and those dropped
	Dropped  uint64 // because they were invalid
}

// Stats returns a snapshot.
func (c *GameConn) Stats() GameStats {
	return GameStats{Sent: c.sent.Load(), Received: c.received.Load(), Dropped: c.dropped.Load()}
}

// Shutdown ends the connection when all has gone out that was sent, and when the
// peer has had a moment to read it or ctx is done.
func (c *GameConn) Shutdown(ctx context.Context) error {
	c.mu.Lock()
	c.isEnding = true
	c.notify()
	c.mu.Unlock()
	defer c.conn.EndWith(ctx)()
	select {
	case <-c.written:
	case <-ctx.Done():
		c.end(net.ErrClosed)
		<-c.written
		return context.Cause(ctx)
	}
	c.mu.Lock()
	ended := c.ended
	c.mu.Unlock()
	if ended == nil {
		c.conn.Finish()
		c.end(net.ErrClosed)
	} else if !errors.Is(ended, net.ErrClosed) && !errors.Is(ended, io.EOF) {
		return ended
	}
	return nil
}

// Close ends the connection at once. It may be called many times.
func (c *GameConn) Close() error {
	c.end(net.ErrClosed)
	<-c.written
	return nil
}
