package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// A Network reaches a server over UDP, or over TCP. Close it.
type Network struct {
	Server   netip.AddrPort
	Timeout  time.Duration  // of an attempt; there are attempts of them
	Foreign  netip.AddrPort // another address from which an answer came
	ctx      context.Context
	conns    [sources]net.PacketConn
	mark     []byte // a request that the server answers
	buf      []byte
	fastest  time.Duration // round trip
	hasHosts bool
	wrap     func(source int, socket net.PacketConn) net.PacketConn // nil changes nothing

	games [2]net.Listener      // for lobbies that check them, nil until there is one
	last  atomic.Pointer[Line] // that was opened
}

const (
	sources  = 3
	attempts = 3

	maxAnswers = 256     // datagrams to a request that are read
	maxStream  = 4 << 20 // bytes of a connection that are read

	aliveRequestSize = 8 // size of a lobby's check of a game, in bytes
)

// NewNetwork returns the network to a server. What it does ends when ctx is done.
func NewNetwork(ctx context.Context, server netip.AddrPort, timeout time.Duration) *Network {
	return &Network{
		Server: server, Timeout: timeout, ctx: ctx, buf: make([]byte, 1<<16),
		hasHosts: server.Addr().IsLoopback() && server.Addr().Is4() &&
			(runtime.GOOS == "linux" || runtime.GOOS == "windows"),
	}
}

// Hosts returns the number of hosts of the three addresses. On some systems, programs can
// use all of 127.0.0.0/8.
func (n *Network) Hosts() int {
	if n.hasHosts {
		return 2
	}
	return 1
}

// local returns the address of a client, "" for any.
func (n *Network) local(source int) string {
	switch {
	case n.hasHosts && source == sources-1:
		return "127.0.0.2"
	case n.Server.Addr().IsLoopback():
		return n.Server.Addr().String()
	}
	return ""
}

// conn returns the socket of a client. It is not connected, so that answers from other
// addresses are seen.
func (n *Network) conn(source int) (net.PacketConn, error) {
	if n.conns[source] != nil {
		return n.conns[source], nil
	}
	network := "udp4"
	if n.Server.Addr().Is6() {
		network = "udp6"
	}
	c, err := new(net.ListenConfig).ListenPacket(n.ctx, network, net.JoinHostPort(n.local(source), "0"))
	if err != nil {
		return nil, err
	}
	if n.wrap != nil {
		c = n.wrap(source, c)
	}
	n.conns[source] = c
	return c, nil
}

// Close closes all sockets.
func (n *Network) Close() {
	for _, c := range n.conns {
		if c != nil {
			c.Close()
		}
	}
	for _, l := range n.games {
		if l != nil {
			l.Close()
		}
	}
}

// quiet is how long surplus answers are waited for.
func (n *Network) quiet() time.Duration {
	const least = 10 * time.Millisecond
	return max(least, 3*n.fastest)
}

// Ask sends a datagram, and again while there is no answer at all. Once the server has
// answered something, only a datagram that must be answered is sent again.
func (n *Network) Ask(source int, request []byte, isWhole Whole, must bool) (answers [][]byte, err error) {
	conn, err := n.conn(source)
	if err != nil {
		return nil, err
	}
	if !must && n.mark != nil {
		return n.askOnce(conn, request, isWhole)
	}
	for i := range attempts {
		answers, err = n.try(conn, request, n.Timeout, isWhole, func() {})
		if i > 0 {
			answers = withoutRepeats(answers) // those to an earlier attempt may be late
		}
		if err != nil || len(answers) > 0 {
			break
		}
	}
	if n.mark == nil && len(answers) > 0 {
		n.mark = slices.Clone(request)
	}
	return answers, err
}

// askOnce sends a datagram that need not be answered.
func (n *Network) askOnce(conn net.PacketConn, request []byte, isWhole Whole) ([][]byte, error) {
	if n.Server.Addr().IsLoopback() {
		return n.try(conn, request, n.quiet(), isWhole, n.waitForMark)
	}
	const least = 200 * time.Millisecond
	return n.try(conn, request, max(least, n.quiet()), isWhole, func() {})
}

// try sends a datagram once, waits, and reads the answers for some time, or until they
// are whole and it is quiet.
func (n *Network) try(conn net.PacketConn, request []byte, timeout time.Duration, isWhole Whole, wait func()) (
	answers [][]byte, err error) {
	if err := n.ctx.Err(); err != nil {
		return nil, err
	}
	start := time.Now()
	if _, err := conn.WriteTo(request, net.UDPAddrFromAddrPort(n.Server)); err != nil {
		return nil, err
	}
	wait()
	deadline, whole := time.Now().Add(timeout), false
	for len(answers) < maxAnswers {
		if err := conn.SetReadDeadline(deadline); err != nil {
			return nil, err
		}
		size, from, err := conn.ReadFrom(n.buf)
		var timedOut net.Error
		if errors.As(err, &timedOut) && timedOut.Timeout() {
			return answers, n.ctx.Err()
		}
		if err != nil {
			return answers, err
		}
		if at := addrPort(from); at != n.Server {
			if at.Addr() == n.Server.Addr() || at.Port() == n.Server.Port() {
				n.Foreign = at
			}
			continue
		}
		if rtt := time.Since(start); n.fastest == 0 || rtt < n.fastest {
			n.fastest = rtt
		}
		answers = append(answers, append([]byte{}, n.buf[:size]...))
		if !whole && isWhole(answers) {
			deadline, whole = time.Now().Add(n.quiet()), true
		}
	}
	return answers, fmt.Errorf("%d answers and more to one request", len(answers))
}

// waitForMark waits until the server answers a request of another client. It has then
// handled the requests before that, so a busy machine does not delay their answers for
// long. Servers elsewhere are not asked more often than needed.
func (n *Network) waitForMark() {
	d := net.Dialer{}
	conn, err := d.DialContext(n.ctx, "udp", n.Server.String())
	if err != nil {
		return
	}
	defer conn.Close()
	const most = time.Second // it may be over the limit of the server
	if conn.SetDeadline(time.Now().Add(min(most, n.Timeout))) != nil {
		return
	}
	if _, err := conn.Write(n.mark); err == nil {
		_, _ = conn.Read(n.buf) // a server that is silent from now on is found by the next case
	}
}

// withoutRepeats returns each datagram once.
func withoutRepeats(all [][]byte) (each [][]byte) {
	for _, b := range all {
		if !slices.ContainsFunc(each, func(known []byte) bool { return bytes.Equal(known, b) }) {
			each = append(each, b)
		}
	}
	return each
}

func addrPort(a net.Addr) netip.AddrPort {
	udp, ok := a.(*net.UDPAddr)
	if !ok {
		return netip.AddrPort{}
	}
	at := udp.AddrPort()
	return netip.AddrPortFrom(at.Addr().Unmap(), at.Port())
}

// Host returns where a lobby can reach a game; there are two. Its address is unspecified if
// only the system knows it. reply makes the answer to a lobby that connects to it, from what
// the lobby has sent on the last line.
func (n *Network) Host(game int, reply func(answers []byte) []byte) (netip.AddrPort, error) {
	if n.games[game] == nil {
		l, err := new(net.ListenConfig).Listen(n.ctx, "tcp", net.JoinHostPort(n.local(0), "0"))
		if err != nil {
			return netip.AddrPort{}, err
		}
		n.games[game] = l
		go n.serveGame(l, reply)
	}
	return n.games[game].Addr().(*net.TCPAddr).AddrPort(), nil
}

// Pause waits, for 10 ms first and twice as long each time.
func (n *Network) Pause(try int) {
	const first = 10 * time.Millisecond
	cli.Pause(n.ctx, first<<try)
}

// serveGame answers connections to a game until it is closed.
func (n *Network) serveGame(game net.Listener, reply func(answers []byte) []byte) {
	for {
		conn, err := game.Accept()
		if err != nil {
			return
		}
		if line := n.last.Load(); line != nil && conn.SetDeadline(time.Now().Add(n.Timeout)) == nil {
			_, _ = io.ReadFull(conn, make([]byte, aliveRequestSize))
			heard, _ := line.Hear(func(heard []byte) bool { return reply(heard) != nil })
			_, _ = conn.Write(reply(heard)) // the lobby says what it thinks of it
		}
		conn.Close()
	}
}

// Dial opens a connection.
func (n *Network) Dial(source int) (*Line, error) {
	d := net.Dialer{Timeout: n.Timeout * attempts}
	if local := n.local(source); local != "" {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(local)}
	}
	conn, err := d.DialContext(n.ctx, "tcp", n.Server.String())
	if err != nil {
		return nil, err
	}
	forget := context.AfterFunc(n.ctx, func() { conn.Close() })
	line := newLine(socket{conn.(*net.TCPConn), forget}, n.Timeout*attempts)
	n.last.Store(line)
	return line, nil
}

// A socket is a connection that ends with a context.
type socket struct {
	*net.TCPConn
	forget func() bool
}

// Close resets the connection, as when a program crashes.
func (s socket) Close() error {
	s.forget()
	_ = s.SetLinger(0) // it is only harder to find faults
	return s.TCPConn.Close()
}
