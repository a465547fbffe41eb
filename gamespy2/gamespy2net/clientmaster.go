package gamespy2net

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// A masterConn is a connection to a master that has sent a query.
type masterConn struct {
	*stream.Conn
	stream   sb2.MasterStream
	step     time.Duration // limit for each read of the list
	end      time.Time     // deadline of the list
	limit    *time.Timer   // ends reading at the deadline
	listed   bool          // the list is complete, so reads have no deadline
	stop     func() bool   // ends the effect of the context
	received int           // number of bytes
}

// dialMaster connects to a master and sends a query with more options.
func (c *Client) dialMaster(
	ctx context.Context, addr string, q ListQuery, options sb2.RequestOptions,
) (*masterConn, error) {
	request := q.request(options)
	b, err := request.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	step := c.scanner().Timeout
	dialing, cancel := context.WithTimeout(ctx, step)
	defer cancel()
	const buffer = 16 << 10 // enough, because the stream keeps incomplete parts
	const never = 100 * 365 * 24 * time.Hour
	conn, err := stream.Dial(dialing, c.Dial, addr, stream.Limits{
		First: never, Frame: never, Idle: never, Write: step, MaxFrame: buffer, Buffer: buffer,
	})
	if err != nil {
		return nil, stream.Outcome(err)
	}
	m := &masterConn{
		Conn:   conn,
		stream: sb2.MasterStream{Secret: q.Key, Request: request, Options: sb2.Options{Strict: c.Options.Strict, Text: c.Options.Text}},
		step:   step,
		end:    time.Now().Add(10 * step),
		limit:  time.AfterFunc(step, func() { conn.End(os.ErrDeadlineExceeded) }),
		stop:   conn.EndWith(ctx),
	}
	if err := m.write(b); err != nil {
		m.close()
		return nil, err
	}
	return m, nil
}

// request returns the first message to a master.
func (q ListQuery) request(options sb2.RequestOptions) sb2.ListRequest {
	const allowed = sb2.OptionAllFields | sb2.OptionGroups | sb2.OptionNoCache
	m := sb2.ListRequest{
		ForGame: q.Game, FromGame: cmp.Or(q.From, q.Game),
		Filter: q.Filter, Fields: q.Fields,
		Options:    q.Options&allowed | options,
		MaxServers: q.Max,
	}
	if q.Max > 0 {
		m.Options |= sb2.OptionLimit
	}
	var random [8]byte
	binary.BigEndian.PutUint64(random[:], rand.Uint64())
	m.Challenge = sb2.MakeChallenge(random)
	return m
}

func (m *masterConn) close() {
	m.limit.Stop()
	m.stop()
	m.Close()
}

func (m *masterConn) write(b []byte) error {
	_, err := m.Write(b)
	return stream.Outcome(err)
}

// next reads until cut, which is NextServer or NextPush of the stream, returns a part.
func next[T any](m *masterConn, cut func(b []byte) (part T, rest []byte, err error)) (T, error) {
	part, err := stream.Next(m.Conn, func(b []byte) (part T, rest []byte, err error) {
		part, rest, err = cut(b)
		m.received += len(b) - len(rest)
		switch {
		case m.listed:
		case err == lobbywire.ErrTruncated:
			m.limit.Reset(min(m.step, time.Until(m.end)))
		case err == sb2.ErrEndOfList:
			m.listed = true
			m.limit.Stop()
		}
		return part, rest, err
	})
	return part, stream.Outcome(err)
}

// explain returns the error of a list that fails after a number of servers. Masters close
// the connection of a client with an unknown game. With a wrong key, the list makes no
// sense or seems to be incomplete.
func (m *masterConn) explain(err error, servers int) error {
	if m.Heard().IsZero() {
		return stream.NoList(err, m.stream.Request.FromGame, "")
	}
	err = stream.Incomplete(err)
	var malformed *lobbywire.Error
	if errors.As(err, &malformed) || errors.Is(err, lobbywire.ErrTruncated) && servers == 0 {
		return fmt.Errorf("%w (wrong key?)", err)
	}
	return err
}

// listing returns the Listing without servers, from the start of the list.
func (m *masterConn) listing() (Listing, error) {
	head, list, _ := m.stream.Start()
	if list.DefaultPort == sb2.ErrorPort {
		return Listing{}, &MasterError{list.Error}
	}
	return Listing{
		MasterIP: m.Remote().Addr(), ClientIP: list.ClientIP, DefaultPort: list.DefaultPort, Options: head.Options,
	}, nil
}

// follow yields the list and then pushed changes. It returns nil if yield returns false,
// or after the list if push is false.
func (m *masterConn) follow(push bool, yield func(Change) bool) error {
	servers := 0
	for !m.listed {
		server, err := next(m, m.stream.NextServer)
		l, refusal := m.listing()
		change := Change{Addr: l.Addr(server), Server: server}
		switch {
		case refusal != nil:
			return refusal
		case err == sb2.ErrEndOfList:
			change = Change{List: &l}
		case err != nil:
			return m.explain(err, servers)
		}
		servers++
		if !yield(change) {
			return nil
		}
	}
	l, _ := m.listing()
	for push {
		pushed, err := next(m, m.stream.NextPush)
		if err != nil {
			return err
		}
		change := Change{}
		switch pushed := pushed.(type) {
		case sb2.PushServer:
			change = Change{Addr: l.Addr(pushed.Server), Server: pushed.Server}
		case sb2.DeleteServer:
			change = Change{Addr: pushed.Addr, Removed: true}
		case sb2.Keepalive:
			b, _ := pushed.AppendBinary(nil) // cannot fail
			if err := m.write(b); err != nil {
				return err
			}
			continue
		default:
			continue
		}
		if !yield(change) {
			return nil
		}
	}
	return nil
}
