package gamespy2net

import (
	"cmp"
	"context"
	"encoding/binary"
	"math/rand/v2"
	"net"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// A masterConn is a connection to a master that has sent a query.
type masterConn struct {
	net.Conn
	stream   sb2.MasterStream
	step     time.Duration // limit for a write, and for a read of the list
	end      time.Time     // deadline of the list
	listed   bool          // the list is complete, so reads have no deadline
	stop     func() bool   // ends the effect of the context
	buffer   []byte
	unread   []byte // in buffer
	received int    // number of bytes
}

// dialMaster connects to a master and sends a query with more options.
func (c *Client) dialMaster(ctx context.Context, addr string, q ListQuery, options sb2.RequestOptions) (*masterConn, error) {
	s := c.scanner()
	request := q.request(options)
	b, err := request.MarshalBinary()
	if err != nil {
		return nil, err
	}
	dialing, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	conn, err := s.Dial(dialing, "tcp", addr)
	if err != nil {
		return nil, stream.Outcome(err)
	}
	m := &masterConn{
		Conn:   conn,
		stream: sb2.MasterStream{Secret: q.Key, Request: request},
		step:   s.Timeout,
		end:    time.Now().Add(10 * s.Timeout),
		stop:   context.AfterFunc(ctx, func() { conn.Close() }),
		buffer: make([]byte, 16<<10),
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
	m.stop()
	m.Close()
}

func (m *masterConn) write(b []byte) error {
	if err := m.SetWriteDeadline(time.Now().Add(m.step)); err != nil {
		return err
	}
	_, err := m.Write(b)
	return stream.Outcome(err)
}

// next reads until cut, NextServer or NextPush of the stream, returns a part.
func next[T any](m *masterConn, cut func(b []byte) (part T, rest []byte, err error)) (T, error) {
	for {
		part, rest, err := cut(m.unread)
		m.unread = rest
		if err != lobbywire.ErrTruncated {
			return part, err
		}
		if err := m.read(); err != nil {
			return part, err
		}
	}
}

func (m *masterConn) read() error {
	deadline := time.Now().Add(m.step)
	if m.end.Before(deadline) {
		deadline = m.end
	}
	if m.listed {
		deadline = time.Time{}
	}
	if err := m.SetReadDeadline(deadline); err != nil {
		return err
	}
	n, err := m.Read(m.buffer)
	m.unread = m.buffer[:n]
	m.received += n
	if n > 0 {
		return nil
	}
	return stream.Outcome(err)
}

// listing returns what the master has sent before the servers of the list.
func (m *masterConn) listing() (Listing, error) {
	head, list, _ := m.stream.Start()
	if list.DefaultPort == sb2.ErrorPort {
		return Listing{}, &MasterError{list.Error}
	}
	return Listing{ClientIP: list.ClientIP, DefaultPort: list.DefaultPort, Options: head.Options}, nil
}
