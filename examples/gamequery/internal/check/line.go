package check

import (
	"errors"
	"io"
	"net"
	"slices"
	"sync"
	"time"
)

// A Line is a connection to the server under test. Close it.
type Line struct {
	conn     duplex
	patience time.Duration // how long an answer may take

	mu    sync.Mutex
	more  *sync.Cond // of the following
	heard []byte
	ended bool // the server has closed its side, or nothing more can be read
	err   error
}

// A duplex is a connection whose sides can be closed one by one.
type duplex interface {
	io.ReadWriteCloser
	CloseWrite() error
	SetWriteDeadline(t time.Time) error
}

// newLine reads what comes on a connection until it is closed.
func newLine(conn duplex, patience time.Duration) *Line {
	l := &Line{conn: conn, patience: patience}
	l.more = sync.NewCond(&l.mu)
	go func() {
		_, err := io.Copy(l, io.LimitReader(conn, maxStream))
		l.mu.Lock()
		defer l.mu.Unlock()
		l.ended, l.err = true, err
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

// Hear waits until what has come is whole, the server closes its side, or it takes too long.
// It returns all that has come, and whether the server has closed its side.
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

// End closes the client's side and waits until the server closes the other. It returns all that
// has come.
func (l *Line) End() ([]byte, error) {
	if err := l.conn.CloseWrite(); err != nil && !errors.Is(err, net.ErrClosed) {
		l.Close()
	}
	heard, ended := l.Hear(func([]byte) bool { return false })
	if !ended {
		return heard, errors.New("the server does not close the connection after the client has")
	}
	if len(heard) > 0 {
		return heard, nil // it was reset, as it may be after input that was not read
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return heard, l.err
}

// Close closes the connection.
func (l *Line) Close() { l.conn.Close() }
