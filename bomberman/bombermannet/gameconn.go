package bombermannet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
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
	// ErrSilent means that the peer has been silent for too long after a
	// heartbeat or within a message.
	ErrSilent = errors.New("bombermannet: peer silent for too long")

	// ErrSlow means that the peer has not read all output for too long.
	ErrSlow = errors.New("bombermannet: peer does not read")

	errClosed = fmt.Errorf("%w: %w", lobbywire.ErrClosed, net.ErrClosed)
	errNoConn = errors.New("bombermannet: a GameConn needs a Conn")
)

const (
	// heartbeatEvery is the interval of heartbeats, whatever else is sent: by the protocol
	// a peer may give up after 5 s, and one of three heartbeats must arrive by then.
	heartbeatEvery = 2 * time.Second

	// maxSilence limits the time for one message and, once the peer has sent a heartbeat,
	// the time without any input: the 5 s of the protocol and one for the network. A peer
	// that sends no heartbeats may be silent, as game servers of students are; TCP
	// keep-alive detects its end.
	maxSilence = 6 * time.Second

	// maxWrite limits how long the peer may take to read 64 KiB.
	maxWrite = 5 * time.Second

	// maxPending is the maximum number of bytes that wait to be written to the
	// connection: about 4 of the longest messages.
	maxPending = 256 << 10
)

// A GameConn is either end of a connection between a client and a game server.
// From the first call of Receive or Send, it sends a heartbeat every 2 s. It ends if a
// peer that sends heartbeats falls silent for 6 s, or reads less than 64 KiB in 5 s, or if
// more than 256 KiB wait to be sent.
//
// Only one goroutine at a time may call Receive, which also detects silence.
// Any goroutine may call the other methods.
type GameConn struct {
	// Conn is the connection, which Shutdown and Close close. It must be set before the
	// first call.
	Conn net.Conn

	once   sync.Once
	conn   *stream.Conn
	framer framer // of Receive

	ctx     context.Context // done when the connection has ended
	cancel  context.CancelCauseFunc
	wake    lifecycle.Signal // of the writer
	written chan struct{}    // closed when it has ended

	mu       sync.Mutex
	pending  []byte // frames
	isEnding bool   // end when nothing is pending any more

	dropped atomic.Uint64
}

// start starts the goroutine that writes.
func (c *GameConn) start() error {
	if c.Conn == nil {
		return errNoConn
	}
	c.once.Do(func() {
		c.conn = stream.NewConn(c.Conn, stream.Limits{
			First: forever, Frame: maxSilence, Idle: forever,
			Write:    maxWrite,
			MaxFrame: bomberman.MaxFrame,
		})
		c.ctx, c.cancel = context.WithCancelCause(context.Background())
		c.written = make(chan struct{})
		go c.write()
	})
	return nil
}

// Receive returns the next message that is not a heartbeat. It discards invalid
// messages, as the protocol requires, and returns a [bomberman.Unknown] for an
// unknown command. The caller must check whether the peer may send the message at
// this time.
//
// After an error the connection has ended. The error is ErrSilent, ErrSlow, [io.EOF]
// if the peer has closed the connection, both [lobbywire.ErrClosed] and
// [net.ErrClosed] after Shutdown and Close, or an error of [bomberman.NextFrame] if
// a frame is invalid.
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
		m, err := bomberman.ParseMessage(payload)
		if err != nil {
			c.dropped.Add(1)
			continue
		}
		if _, ok := m.(bomberman.Heartbeat); !ok {
			return m, nil
		}
		c.conn.SetIdle(maxSilence)
	}
}

// Send queues a message, without waiting for the peer. It fails as AppendBinary
// of m does, and then sends nothing. If the connection has ended, it fails with
// the same error as Receive. If too many bytes are pending, it ends the
// connection with ErrSlow.
func (c *GameConn) Send(m bomberman.Message) error {
	if err := c.start(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.ctx.Err() != nil:
		return context.Cause(c.ctx)
	case c.isEnding:
		return errClosed
	}
	before := len(c.pending)
	b, err := bomberman.AppendMessage(c.pending, m)
	if err != nil {
		return err
	}
	if len(b) > maxPending && before > 0 {
		return c.end(ErrSlow)
	}
	c.pending = b
	c.wake.Send()
	return nil
}

// write writes pending output and heartbeats until the connection ends.
func (c *GameConn) write() {
	defer close(c.written)
	beat := time.NewTicker(heartbeatEvery)
	defer beat.Stop()
	var b []byte
	for {
		var more bool
		b, more = c.take(b)
		if len(b) > 0 {
			if _, err := c.conn.Write(b); err != nil {
				if errors.Is(err, os.ErrDeadlineExceeded) {
					err = ErrSlow
				}
				c.end(err)
			}
			continue
		}
		if !more {
			return
		}
		select {
		case <-c.wake.C():
		case <-c.ctx.Done():
		case <-beat.C:
			_ = c.Send(bomberman.Heartbeat{}) // take reports the end
		}
	}
}

// take returns the pending output, replaces its buffer by b, and reports
// whether more output can follow.
func (c *GameConn) take(b []byte) (pending []byte, more bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil {
		c.pending = nil
		return nil, false
	}
	pending, c.pending = c.pending, b[:0]
	return pending, !c.isEnding
}

// end ends the connection at once, unless it has ended, and returns the reason
// for its end.
func (c *GameConn) end(err error) error {
	c.cancel(err)
	c.conn.End(err)
	c.conn.Close()
	return context.Cause(c.ctx)
}

// Dropped returns the number of invalid messages that Receive has skipped.
func (c *GameConn) Dropped() uint64 { return c.dropped.Load() }

// Shutdown ends the connection once all pending output has been written and the
// peer has had a moment to read it, or when ctx is done.
func (c *GameConn) Shutdown(ctx context.Context) error {
	if c.start() != nil {
		return nil
	}
	c.mu.Lock()
	c.isEnding = true
	c.mu.Unlock()
	c.wake.Send()
	defer c.conn.EndWith(ctx)()
	select {
	case <-c.written:
	case <-ctx.Done():
		c.end(errClosed)
		<-c.written
		return context.Cause(ctx)
	}
	ended := context.Cause(c.ctx)
	if ended == nil {
		c.conn.Finish()
		c.end(errClosed)
	} else if !errors.Is(ended, net.ErrClosed) && !errors.Is(ended, io.EOF) {
		return ended
	}
	return nil
}

// Close ends the connection at once. It may be called several times.
func (c *GameConn) Close() error {
	if c.start() != nil {
		return nil
	}
	c.end(errClosed)
	<-c.written
	return nil
}
