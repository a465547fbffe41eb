package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// A Network reaches a server over UDP, or over TCP. Close it.
//
// It waits for a missing answer until the time-out, three times. It waits for surplus answers,
// and for answers that may be missing, for the mean round trip and four times its mean
// deviation, as TCP does (RFC 6298). On loopback this time starts when the server has answered
// another client, so a busy machine does not cut it short.
type Network struct {
	Server   netip.AddrPort
	Timeout  time.Duration  // of each attempt
	Foreign  netip.AddrPort // another address from which an answer came
	ctx      context.Context
	conns    [sources]net.PacketConn
	mark     []byte // a request that the server answers
	buf      []byte
	mean     time.Duration // round trip
	spread   time.Duration // mean deviation from it
	attempts int
	hasHosts bool
	wrap     func(source int, socket net.PacketConn) net.PacketConn // nil changes nothing

	games [2]net.Listener      // for lobbies that check them, nil until there is one
	last  atomic.Pointer[Line] // that was opened
}

const (
	sources = 3

	// Limits of the answers to a request.
	maxAnswers     = 256
	maxAnswerBytes = 1 << 18
)

// NewNetwork returns the network to a server. Its methods end when ctx is done.
func NewNetwork(ctx context.Context, server netip.AddrPort, timeout time.Duration) *Network {
	const attempts = 3
	return &Network{
		Server: server, Timeout: timeout, ctx: ctx, buf: make([]byte, 1<<16), attempts: attempts,
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
	c, err := n.listen(source)
	if err != nil {
		return nil, err
	}
	if n.wrap != nil {
		c = n.wrap(source, c)
	}
	n.conns[source] = c
	return c, nil
}

// listen opens the socket of a client. The other host uses the port of the first client if it
// is free, so that tokens which depend on the port alone are found.
func (n *Network) listen(source int) (net.PacketConn, error) {
	network := "udp4"
	if n.Server.Addr().Is6() {
		network = "udp6"
	}
	if n.hasHosts && source == sources-1 {
		first, err := n.conn(0)
		if err != nil {
			return nil, err
		}
		at := netip.AddrPortFrom(netip.MustParseAddr(n.local(source)), addrPort(first.LocalAddr()).Port())
		if c, err := new(net.ListenConfig).ListenPacket(n.ctx, network, at.String()); err == nil {
			return c, nil
		}
	}
	return new(net.ListenConfig).ListenPacket(n.ctx, network, net.JoinHostPort(n.local(source), "0"))
}

// Renew closes the sockets of clients. The next ones have other ports.
func (n *Network) Renew() {
	for i, c := range n.conns {
		if c != nil {
			c.Close()
			n.conns[i] = nil
		}
	}
}

// Hasten halves the time-out, and waits only once.
func (n *Network) Hasten() {
	if n.attempts > 1 {
		n.attempts = 1
		n.Timeout /= 2
	}
}

// Close closes all sockets.
func (n *Network) Close() {
	n.Renew()
	for _, l := range n.games {
		if l != nil {
			l.Close()
		}
	}
}

// quiet returns how long to wait for surplus answers.
func (n *Network) quiet() time.Duration {
	const least = 10 * time.Millisecond
	return min(max(least, n.mean+4*n.spread), n.Timeout)
}

// answered learns from a round trip.
func (n *Network) answered(after time.Duration) {
	if n.mean == 0 {
		n.mean, n.spread = after, after/2
		return
	}
	n.spread += ((n.mean - after).Abs() - n.spread) / 4
	n.mean += (after - n.mean) / 8
}

// Ask sends a datagram, and repeats it while there is no answer. Once the server has
// answered any datagram, Ask repeats only datagrams that must be answered.
func (n *Network) Ask(source int, request []byte, isWhole Whole, must bool) (answers [][]byte, err error) {
	conn, err := n.conn(source)
	if err != nil {
		return nil, err
	}
	if !must && n.mark != nil {
		return n.askOnce(conn, request, isWhole)
	}
	for i := range n.attempts {
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
	const late = 5 * time.Millisecond // a busy machine may not have read before the deadline
	again := 20                       // how often it may be late
	deadline, whole, total := time.Now().Add(timeout), false, 0
	for len(answers) < maxAnswers && total < maxAnswerBytes {
		if err := conn.SetReadDeadline(deadline); err != nil {
			return nil, err
		}
		size, from, err := conn.ReadFrom(n.buf)
		if timedOut, ok := errors.AsType[net.Error](err); ok && timedOut.Timeout() {
			now := time.Now()
			if again > 0 && now.Sub(deadline) > late && n.ctx.Err() == nil {
				deadline = now.Add(n.quiet())
				again--
				continue
			}
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
		n.answered(time.Since(start))
		total += size
		answers = append(answers, append([]byte{}, n.buf[:size]...))
		if !whole && isWhole(answers) {
			deadline, whole = time.Now().Add(n.quiet()), true
		}
	}
	return answers, fmt.Errorf("%d answers with %d bytes, and more, to one request", len(answers), total)
}

// waitForMark waits until the server answers a request of another client. It has then
// handled all earlier requests. Servers elsewhere are not queried more often than needed.
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
		_, _ = conn.Read(n.buf) // a server that is silent from now on is found after the case
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

// A Host is a peer at whose address lobbies can reach games.
type Host interface {
	// Host returns where a lobby can reach a game; there are two. The address is unspecified if
	// only the system knows it.
	Host(game int, answer Answer) (netip.AddrPort, error)
}

// An Answer is how a game answers a lobby that connects to it.
type Answer struct {
	IsWhole func(check []byte) bool         // reports whether the lobby has sent all
	Reply   func(line, check []byte) []byte // from what the last line has sent; nil until that suffices
}

// Host returns where a lobby can reach a game.
func (n *Network) Host(game int, answer Answer) (netip.AddrPort, error) {
	if n.games[game] == nil {
		l, err := new(net.ListenConfig).Listen(n.ctx, "tcp", net.JoinHostPort(n.local(0), "0"))
		if err != nil {
			return netip.AddrPort{}, err
		}
		n.games[game] = l
		go n.serveGame(l, answer)
	}
	return n.games[game].Addr().(*net.TCPAddr).AddrPort(), nil
}

// Pause waits, for 10 ms first and twice as long each time.
func (n *Network) Pause(try int) {
	const first = 10 * time.Millisecond
	cli.Pause(n.ctx, first<<try)
}

// serveGame answers connections to a game until it is closed.
func (n *Network) serveGame(game net.Listener, answer Answer) {
	for {
		conn, err := game.Accept()
		if err != nil {
			return
		}
		line := n.last.Load()
		if line != nil && conn.SetDeadline(time.Now().Add(n.Timeout)) == nil {
			go answerCheck(conn, line, answer)
		} else {
			conn.Close()
		}
	}
}

// answerCheck answers a lobby that connects to a game.
func answerCheck(conn net.Conn, line *Line, answer Answer) {
	defer conn.Close()
	var check []byte
	buf := make([]byte, 1<<12)
	for !answer.IsWhole(check) {
		size, err := conn.Read(buf)
		check = append(check, buf[:size]...)
		if err != nil || len(check) > len(buf) {
			return
		}
	}
	heard, _ := line.Hear(func(heard []byte) bool { return answer.Reply(heard, check) != nil })
	_, _ = conn.Write(answer.Reply(heard, check)) // the lobby judges the answer
}

// Dial opens a connection.
func (n *Network) Dial(source int) (*Line, error) {
	patience, start := n.Timeout*time.Duration(n.attempts), time.Now()
	if n.attempts == 1 {
		patience /= 2 // nothing is lost over TCP
	}
	d := net.Dialer{Timeout: patience}
	if local := n.local(source); local != "" {
		d.LocalAddr = &net.TCPAddr{IP: net.ParseIP(local)}
	}
	conn, err := d.DialContext(n.ctx, "tcp", n.Server.String())
	if err != nil {
		return nil, err
	}
	const slow = 4 // times the time to connect
	forget := context.AfterFunc(n.ctx, func() { conn.Close() })
	line := NewLine(socket{conn.(*net.TCPConn), forget}, max(patience, slow*time.Since(start)))
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
