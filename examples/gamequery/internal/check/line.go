package check

import (
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// MaxStream is how many bytes of a connection are read. A list of 2000 games of 300
// bytes is smaller.
const MaxStream = 1 << 20

// A Line is a connection to the server under test. Close it.
type Line struct {
	conn     Duplex
	patience time.Duration // how long an answer may take

	mu    sync.Mutex
	more  *sync.Cond // of the following
	heard []byte
	ended bool // the server has closed its side, or nothing more can be read
}

// A Duplex is a connection whose sides can be closed one by one.
type Duplex interface {
	io.ReadWriteCloser
	CloseWrite() error
	SetWriteDeadline(t time.Time) error
}

// NewLine returns a Line that reads from a connection until it is closed.
func NewLine(conn Duplex, patience time.Duration) *Line {
	l := &Line{conn: conn, patience: patience}
	l.more = sync.NewCond(&l.mu)
	go func() {
		_, _ = io.Copy(l, io.LimitReader(conn, MaxStream)) // a reset is an end, too
		l.mu.Lock()
		defer l.mu.Unlock()
		l.ended = true
		l.more.Broadcast()
	}()
	return l
}

// Write keeps what the server has sent.
func (l *Line) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.heard = append(l.heard, b...)
	l.more.Broadcast()
	return len(b), nil
}

// Send sends bytes. Reading shows whether they could be sent.
func (l *Line) Send(b []byte) {
	if l.conn.SetWriteDeadline(time.Now().Add(l.patience)) == nil {
		_, _ = l.conn.Write(b)
	}
}

// Hear waits until the received bytes are whole, the server closes its side, or it takes too
// long. It returns the received bytes, and whether the server has closed its side.
func (l *Line) Hear(isWhole func(heard []byte) bool) (heard []byte, ended bool) {
	late := false
	timer := time.AfterFunc(l.patience, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		late = true
		l.more.Broadcast()
	})
	defer timer.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	for !isWhole(l.heard) && !l.ended && !late {
		l.more.Wait()
	}
	return slices.Clone(l.heard), l.ended
}

// End closes the client's side and waits until the server closes the other. It returns the
// received bytes. A server that has not read everything resets the connection, and so ends it,
// too.
func (l *Line) End() ([]byte, error) {
	if err := l.conn.CloseWrite(); err != nil && !errors.Is(err, net.ErrClosed) {
		l.Close()
	}
	heard, ended := l.Hear(func([]byte) bool { return false })
	switch {
	case !ended && len(heard) == 0:
		return nil, errors.Join(ErrStaysOpen, fuzzharness.ErrSilent)
	case !ended:
		return heard, ErrStaysOpen
	case len(heard) == MaxStream:
		return heard, errEndless
	}
	return heard, nil
}

// errEndless is the error for an answer that is longer than any valid one.
var errEndless = errors.New("an answer of 1 MiB and more")

// Close closes the connection.
func (l *Line) Close() { l.conn.Close() }
