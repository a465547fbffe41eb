package scan

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/internal/udp"
)

// Ask queries one server, at host:port, from a new port with each attempt. It uses Dial,
// so datagrams from other addresses do not arrive, and a port that the system knows to be
// closed is an error at once. After the last attempt it returns the error of the Result,
// which may hold a part of the answer.
func (s *Scanner) Ask(ctx context.Context, addr string) (Result, error) {
	q := &question{Scanner: s, addr: addr, buf: make([]byte, s.MaxDatagram+1)}
	defer q.close()
	for q.started < q.limit(s) {
		err := q.attempt(ctx)
		switch {
		case ctx.Err() != nil:
			return q.result, context.Cause(ctx)
		case !errors.Is(err, os.ErrDeadlineExceeded):
			return q.result, err
		}
	}
	if q.progress == enough {
		return q.result, nil
	}
	q.result.Err, q.result.Wrong = q.failure(), q.wrong
	return q.result, q.result.Err
}

// A question is an Ask.
type question struct {
	*Scanner
	hearing
	result   Result
	addr     string
	conn     net.Conn // nil before the first
	buf      []byte
	started  int  // attempts
	answered bool // in this attempt
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
	q.result.Target = udp.AddrPort(conn.RemoteAddr())
	return nil
}

func (q *question) attempt(ctx context.Context) error {
	if err := q.dial(ctx); err != nil {
		return err
	}
	q.result.Exchange = q.Start(q.result.Target, q.started, q.result.Exchange)
	q.started++
	q.result.Attempts = min(q.started, q.Attempts)
	q.answered = false
	for {
		verdict, err := q.request(ctx)
		if err != nil {
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
	}
}

// request sends the request of the exchange and waits for the answer. It sends the
// request again after half of the timeout if that is repeated.
func (q *question) request(ctx context.Context) (Verdict, error) {
	conn := q.conn
	stop := context.AfterFunc(ctx, func() { conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	sent := time.Now()
	end := sent.Add(q.Timeout)
	until := end
	if repeats(q.result.Exchange) {
		until = sent.Add(q.Timeout / 2)
	}
	for send := true; ; send = repeats(q.result.Exchange) {
		if send {
			sent = time.Now()
			if _, err := conn.Write(q.result.Exchange.Request(nil)); err != nil {
				return Stray, err
			}
		}
		verdict, err := q.receive(ctx, sent, until)
		if until.Equal(end) || !timedOut(ctx, err) {
			return verdict, err
		}
		until = end
	}
}

// receive reads until the answer to a request is complete, or until end.
func (q *question) receive(ctx context.Context, sent, end time.Time) (Verdict, error) {
	last := Stray
	for until := end; ; {
		// Not of writing too: the request is sent again after a deadline of reading.
		if err := q.conn.SetReadDeadline(until); err != nil {
			return Stray, err
		}
		if ctx.Err() != nil { // it may have been done before the deadline was set
			return Stray, context.Cause(ctx)
		}
		n, err := q.conn.Read(q.buf)
		switch {
		case last == Maybe && timedOut(ctx, err):
			return Done, nil
		case err != nil:
			return Stray, err
		}
		v, wrong := Stray, q.tooLong()
		if n <= q.MaxDatagram {
			v, wrong = q.result.Exchange.Receive(q.buf[:n])
		}
		if v == Stray {
			q.stray(wrong, q.answered)
			continue
		}
		last, q.answered = v, true
		q.answer(v, wrong)
		at := time.Now()
		q.result.RTT = at.Sub(sent)
		switch v {
		case More:
			until = end
		case Maybe:
			until = earlier(end, at.Add(q.Settle))
		default:
			return v, nil
		}
	}
}

func earlier(a, b time.Time) time.Time {
	if b.Before(a) {
		return b
	}
	return a
}

// timedOut reports whether a read ended at its deadline, and not because ctx is done.
func timedOut(ctx context.Context, err error) bool {
	return errors.Is(err, os.ErrDeadlineExceeded) && ctx.Err() == nil
}
