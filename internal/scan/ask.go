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
	q := &question{Scanner: s, addr: addr, buf: make([]byte, s.MaxDatagram+1)}
	defer q.close()
	for q.result.Attempts < s.Attempts {
		err := q.attempt(ctx)
		switch {
		case ctx.Err() != nil:
			return q.result, context.Cause(ctx)
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return q.result, err
		}
	}
	q.result.Err = lobbywire.ErrTimeout
	if q.tooLong {
		q.result.Err = s.tooLong()
	}
	return q.result, q.result.Err
}

// A question is an Ask.
type question struct {
	*Scanner
	result  Result
	addr    string
	conn    net.Conn // nil before the first
	buf     []byte
	tooLong bool // a datagram was longer than MaxDatagram
}

func (q *question) close() {
	if q.conn != nil {
		q.conn.Close()
	}
}

// dial replaces the connection by one from another port.
func (q *question) dial(ctx context.Context) error {
	conn, err := q.Dial(ctx, "udp", q.addr)
	if err != nil {
		return err
	}
	q.close() // later than Dial, or the system could choose the same port
	q.conn = conn
	if u, ok := conn.RemoteAddr().(interface{ AddrPort() netip.AddrPort }); ok {
		ap := u.AddrPort()
		q.result.Target = netip.AddrPortFrom(ap.Addr().Unmap(), ap.Port())
	}
	return nil
}

func (q *question) attempt(ctx context.Context) error {
	if err := q.dial(ctx); err != nil {
		return err
	}
	q.result.Exchange = q.Start(q.result.Target, q.result.Attempts, q.result.Exchange)
	q.result.Attempts++
	enough := false // without an answer to the request
	for {
		verdict, err := q.request(ctx)
		switch {
		case enough && errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil:
			return nil
		case err != nil:
			return err
		}
		switch verdict {
		case Done:
			return nil
		case NextPort:
			if err := q.dial(ctx); err != nil {
				return err
			}
		}
		enough = verdict == Try
	}
}

// request sends a request and waits for the answer.
func (q *question) request(ctx context.Context) (Verdict, error) {
	conn := q.conn
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	sent := time.Now()
	end := sent.Add(q.Timeout)
	if repeats(q.result.Exchange) {
		verdict, err := q.send(ctx, sent.Add(q.Timeout/2))
		if !errors.Is(err, os.ErrDeadlineExceeded) || ctx.Err() != nil {
			return verdict, err
		}
		if !repeats(q.result.Exchange) {
			return q.receive(ctx, sent, end)
		}
	}
	return q.send(ctx, end)
}

// send sends the request of the exchange and waits for the answer until end.
func (q *question) send(ctx context.Context, end time.Time) (Verdict, error) {
	sent := time.Now()
	if _, err := q.conn.Write(q.result.Exchange.Request(nil)); err != nil {
		return Stray, err
	}
	return q.receive(ctx, sent, end)
}

// receive reads until the answer to a request is complete, or until end.
func (q *question) receive(ctx context.Context, sent, end time.Time) (Verdict, error) {
	if err := setDeadline(ctx, q.conn, end); err != nil {
		return Stray, err
	}
	last := Stray
	for {
		n, err := q.conn.Read(q.buf)
		if last == Maybe && errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil {
			return Done, nil
		}
		if err != nil {
			return Stray, err
		}
		if n > q.MaxDatagram {
			q.tooLong = true
			continue
		}
		v := q.result.Exchange.Receive(q.buf[:n])
		if v == Stray {
			continue
		}
		last = v
		at := time.Now()
		q.result.RTT = at.Sub(sent)
		switch v {
		case More:
			err = setDeadline(ctx, q.conn, end)
		case Maybe:
			settled := at.Add(q.Settle)
			if end.Before(settled) {
				settled = end
			}
			err = setDeadline(ctx, q.conn, settled)
		default:
			return v, nil
		}
		if err != nil {
			return Stray, err
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
