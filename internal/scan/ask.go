package scan

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Ask queries one server, at host:port, from a new port with each attempt. It uses
// Dial, so datagrams from other addresses do not arrive, and a port that the system
// knows to be closed is an error at once. After the last attempt the error is
// [lobbywire.ErrTimeout]; the Result may hold a part of the answer.
func (s *Scanner) Ask(ctx context.Context, addr string) (Result, error) {
	r := Result{}
	for r.Attempts < s.Attempts {
		conn, err := s.Dial(ctx, "udp", addr)
		if err != nil {
			return r, err
		}
		err = s.ask(ctx, conn, &r)
		conn.Close()
		r.Attempts++
		switch {
		case ctx.Err() != nil:
			return r, context.Cause(ctx)
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return r, err
		}
	}
	r.Err = lobbywire.ErrTimeout
	return r, lobbywire.ErrTimeout
}

// ask is one attempt.
func (s *Scanner) ask(ctx context.Context, conn net.Conn, r *Result) error {
	if u, ok := conn.RemoteAddr().(interface{ AddrPort() netip.AddrPort }); ok {
		ap := u.AddrPort()
		r.Target = netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
	}
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	r.Exchange = s.Start(r.Target, r.Attempts, r.Exchange)
	buf := make([]byte, s.MaxDatagram+1)
	for {
		sent := time.Now()
		if _, err := conn.Write(r.Exchange.Request(nil)); err != nil {
			return err
		}
		if err := setDeadline(ctx, conn, sent.Add(s.Timeout)); err != nil {
			return err
		}
		verdict, at, err := s.receive(ctx, conn, r.Exchange, sent, buf)
		if !at.IsZero() {
			r.RTT = at.Sub(sent)
		}
		if err != nil {
			return err
		}
		if verdict == Done {
			return nil
		}
	}
}

// receive reads until the answer to a request, sent at sent, is complete. It returns
// when its last datagram arrived.
func (s *Scanner) receive(ctx context.Context, conn net.Conn, e Exchange, sent time.Time, buf []byte) (v Verdict, at time.Time, err error) {
	last := Stray
	for {
		n, err := conn.Read(buf)
		if last == Maybe && errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil {
			return Done, at, nil
		}
		if err != nil {
			return Stray, at, err
		}
		if n > s.MaxDatagram {
			continue
		}
		v := e.Receive(buf[:n])
		if v == Stray {
			continue
		}
		last, at = v, time.Now()
		switch v {
		case Next, Done:
			return v, at, nil
		case More:
			err = setDeadline(ctx, conn, sent.Add(s.Timeout))
		case Maybe:
			settled := at.Add(s.Settle)
			if end := sent.Add(s.Timeout); end.Before(settled) {
				settled = end
			}
			err = setDeadline(ctx, conn, settled)
		}
		if err != nil {
			return Stray, at, err
		}
	}
}

// setDeadline sets a deadline that does not outlive ctx.
func setDeadline(ctx context.Context, conn net.Conn, t time.Time) error {
	if err := conn.SetDeadline(t); err != nil {
		return err
	}
	return context.Cause(ctx)
}
