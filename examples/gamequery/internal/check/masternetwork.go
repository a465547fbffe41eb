package check

import (
	"context"
	"errors"
	"net"
	"net/netip"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// A Master is the Peer of cases that register servers. Its sources 0 and 1 are
// servers, and 2 is mostly a client.
type Master interface {
	Peer

	// Address returns where a source is. Its address is 0.0.0.0 if only the system knows it.
	Address(source int) netip.AddrPort

	// Send sends a datagram, also after an interrupt, and waits for nothing.
	Send(source int, datagram []byte)

	// Converse opens a connection for a list. say returns what the client sends next, given
	// what has arrived, and nil to wait for more, until the list isWhole. If isWhole is
	// nil, nothing more is expected: the client closes its side once it has sent something.
	Converse(say func(heard []byte) []byte, isWhole func(heard []byte) bool) (heard []byte, err error)

	// Wait waits, and answers queries meanwhile.
	Wait(d time.Duration)
}

// An Answerer returns the answers of the server at a source to a query of the master, nil
// if the datagram is no query. A query with no answers has empty ones.
type Answerer func(source int, from netip.AddrPort, datagram []byte) [][]byte

// A MasterNetwork reaches a master, whose lists are served over TCP. Close it.
type MasterNetwork struct {
	*Network
	Lists netip.AddrPort // not valid if there are none
}

// NewMasterNetwork returns the network to a master for a suite.
func NewMasterNetwork(ctx context.Context, suite *Suite, server, lists netip.AddrPort, timeout time.Duration,
) MasterNetwork {
	n := NewNetwork(ctx, server, timeout)
	n.wrap = func(source int, socket net.PacketConn) net.PacketConn {
		return newServing(source, socket, server.Addr(), suite.Answer)
	}
	return MasterNetwork{n, lists}
}

// Renew changes nothing: a master knows the servers of the cases by their ports.
func (n MasterNetwork) Renew() {}

// Ask sends a datagram. It discards earlier datagrams, which cannot be answers.
func (n MasterNetwork) Ask(source int, request []byte, isWhole Whole, must bool) ([][]byte, error) {
	conn, err := n.conn(source)
	if err != nil {
		return nil, err
	}
	conn.(*serving).forget()
	return n.Network.Ask(source, request, isWhole, must)
}

// Address returns where a source is.
func (n MasterNetwork) Address(source int) netip.AddrPort {
	conn, err := n.conn(source)
	if err != nil {
		return netip.AddrPort{}
	}
	return addrPort(conn.LocalAddr())
}

// Send sends a datagram twice, because one may be lost.
func (n MasterNetwork) Send(source int, datagram []byte) {
	if n.conns[source] == nil {
		return // it has sent nothing yet
	}
	for range 2 {
		_, _ = n.conns[source].WriteTo(datagram, net.UDPAddrFromAddrPort(n.Server)) // the master may be gone
	}
}

// Wait waits until the time is over or ctx is done.
func (n MasterNetwork) Wait(d time.Duration) { cli.Pause(n.ctx, d) }

// errNoLists is the reason to skip cases with lists over TCP.
const errNoLists Skipped = "needs LIST, the address of the lists"

// Converse opens a connection to the lists.
func (n MasterNetwork) Converse(say func(heard []byte) []byte, isWhole func(heard []byte) bool) ([]byte, error) {
	if !n.Lists.IsValid() {
		return nil, errNoLists
	}
	d := net.Dialer{Timeout: n.Timeout * 3}
	conn, err := d.DialContext(n.ctx, "tcp", n.Lists.String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	stop := context.AfterFunc(n.ctx, func() { conn.Close() })
	defer stop()
	if err := conn.SetDeadline(time.Now().Add(n.Timeout * 3)); err != nil {
		return nil, err
	}
	var heard []byte
	for len(heard) < MaxStream {
		for sent := say(heard); sent != nil; sent = say(heard) {
			_, _ = conn.Write(sent) // reading shows whether the connection is closed, here and below
			if isWhole == nil {
				_ = conn.(*net.TCPConn).CloseWrite()
				_ = conn.SetDeadline(time.Now().Add(n.Timeout))
			} else {
				n.Pause(0) // so that pieces are packets
			}
		}
		if isWhole != nil && isWhole(heard) {
			return heard, nil
		}
		size, err := conn.Read(n.buf)
		heard = append(heard, n.buf[:size]...)
		switch {
		case err == nil:
		case isWhole != nil && errors.Is(err, os.ErrDeadlineExceeded):
			return heard, errors.New("the master neither ends the list nor closes the connection")
		default: // it was closed or reset, as it may be after a bad request
			if isWhole != nil {
				isWhole(heard)
			}
			return heard, n.ctx.Err()
		}
	}
	return heard, errors.New("the list has no end")
}

// A serving is the socket of a server, which answers queries of the master whenever they come.
// It leaves other datagrams to the cases.
type serving struct {
	net.PacketConn
	others   chan datagram
	deadline time.Time
}

type datagram struct {
	from net.Addr
	b    []byte
}

// Limits of the datagrams that wait for the cases. Surplus ones are dropped.
const maxWaiting, maxDatagram = 64, 4 << 10

// newServing returns a serving that reads until the socket is closed. Only the host of the
// master gets answers.
func newServing(source int, socket net.PacketConn, master netip.Addr, answer Answerer) *serving {
	s := &serving{PacketConn: socket, others: make(chan datagram, maxWaiting)}
	go func() {
		buf := make([]byte, maxDatagram)
		for {
			size, from, err := socket.ReadFrom(buf)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil || addrPort(from).Addr() != master {
				continue // an error is about an earlier datagram
			}
			answers := answer(source, addrPort(from), buf[:size])
			for _, b := range answers {
				_, _ = socket.WriteTo(b, from) // the master may be gone
			}
			if answers == nil {
				select {
				case s.others <- datagram{from, append([]byte{}, buf[:size]...)}:
				default:
				}
			}
		}
	}()
	return s
}

func (s *serving) forget() {
	for len(s.others) > 0 {
		<-s.others
	}
}

// SetReadDeadline sets the deadline of ReadFrom, which one goroutine calls.
func (s *serving) SetReadDeadline(t time.Time) error {
	s.deadline = t
	return nil
}

// ReadFrom reads a datagram for the cases.
func (s *serving) ReadFrom(b []byte) (int, net.Addr, error) {
	late := time.NewTimer(time.Until(s.deadline))
	defer late.Stop()
	select {
	case d := <-s.others:
		return copy(b, d.b), d.from, nil
	case <-late.C:
		return 0, nil, os.ErrDeadlineExceeded
	}
}
