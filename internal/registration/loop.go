// Package registration has what the registrations at masters over UDP share.
package registration

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"time"
)

// A Task says what to send to a master and when.
type Task interface {
	Tick(now time.Time, dst []byte) []byte // appends the datagram to send now, if there is one
	Next() time.Time                       // when Tick may have another
	Leave(dst []byte) []byte               // appends the last datagram, if there is one
}

// A Loop sends the datagrams of a Task to a master, from the socket of the server.
type Loop struct {
	Conn   net.PacketConn
	Master netip.AddrPort
	Wake   <-chan struct{} // receives when Next changes
	Failed func(err error) // is called for a datagram that was not sent
}

// Run sends until ctx is done or the socket is closed, and then leaves. The error is
// that of ctx or of the socket.
func (l *Loop) Run(ctx context.Context, t Task) error {
	to := net.UDPAddrFromAddrPort(l.Master)
	send := func(b []byte) error {
		_, err := l.Conn.WriteTo(b, to)
		if err != nil {
			l.Failed(err)
		}
		return err
	}
	var b []byte
	defer func() {
		if b = t.Leave(b[:0]); len(b) > 0 {
			_ = send(b)
		}
	}()
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		for b = t.Tick(time.Now(), b[:0]); len(b) > 0; b = t.Tick(time.Now(), b[:0]) {
			if err := send(b); errors.Is(err, net.ErrClosed) {
				return err
			}
		}
		timer.Reset(time.Until(t.Next()))
		select {
		case <-timer.C:
		case <-l.Wake:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}
