//go:build linux

package safety_test

import (
	"context"
	"crypto/rand"
	"encoding"
	"fmt"
	mathrand "math/rand/v2"
	"net"
	"net/netip"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/net/ipv4"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// everywhere sends a datagram from random addresses of loopback at a rate.
func everywhere(addr netip.AddrPort, perSecond int, b []byte) func(ctx context.Context, sent *atomic.Int64) {
	return func(ctx context.Context, sent *atomic.Int64) {
		conn, err := net.ListenUDP("udp4", nil)
		if err != nil {
			return
		}
		defer conn.Close()
		p, to := ipv4.NewPacketConn(conn), net.UDPAddrFromAddrPort(addr)
		start, n := time.Now(), 0
		for every(ctx, 10*time.Millisecond) {
			for due := int(time.Since(start).Seconds() * float64(perSecond)); n < due; n++ {
				from := mathrand.Uint32()
				source := net.IPv4(127, 1+byte(from>>16)%250, byte(from>>8), 1+byte(from)%250)
				if _, err := p.WriteTo(b, &ipv4.ControlMessage{Src: source}, to); err == nil {
					sent.Add(1)
				}
			}
		}
	}
}

// attackedLists starts a GameAgent master with a server at the address of honest clients,
// under a flood of requests for lists from everywhere.
func attackedLists(t *testing.T, perSecond int) (targets []*target, end func() error) {
	m := fullMaster(t, lobbywire.Rates{}, 255)
	enlist(t, m, netip.MustParseAddrPort("127.0.0.1:25601"))
	addr, end := startServer(t, m)
	request, err := gameagent.ListRequest{}.AppendBinary(nil)
	must(t, err)
	list := func(from net.IP) func(ctx context.Context) error {
		return func(ctx context.Context) error {
			dialer := net.Dialer{LocalAddr: &net.UDPAddr{IP: from}}
			_, err := (&gameagentnet.Client{Timeout: patience, ListEvery: -1, Dial: dialer.DialContext}).
				List(ctx, addr.String())
			return err
		}
	}
	name := fmt.Sprintf("gamespy1net.Master, %d a second from everywhere", perSecond)
	return []*target{
		{name: name, honest: list(net.IPv4(127, 0, 0, 1)),
			attack: []func(context.Context, *atomic.Int64){everywhere(addr, perSecond, request)}},
		{name: "  strangers", honest: list(net.IPv4(127, 0, 99, 1)), strange: true},
	}, end
}

// attackedHeartbeats starts a GameSpy master under a flood of heartbeats from everywhere.
func attackedHeartbeats(t *testing.T, perSecond int) (targets []*target, end func() error) {
	m := newGameSpyMaster(lobbywire.Rates{})
	m.Unchecked = true
	addr, end := startServer(t, m)
	heartbeat, err := qr2.Heartbeat{Info: qr2.Identity{GameName: gmtest.Name}.AppendTo(nil)}.AppendBinary(nil)
	must(t, err)
	register := func(from net.IP) func(ctx context.Context) error {
		return func(context.Context) error {
			conn, err := net.DialUDP("udp4", &net.UDPAddr{IP: from}, net.UDPAddrFromAddrPort(addr))
			if err != nil {
				return err
			}
			defer conn.Close()
			return register(conn)
		}
	}
	name := fmt.Sprintf("%s, %d heartbeats a second from everywhere", gameSpyMaster, perSecond)
	return []*target{
		{name: name, honest: register(net.IPv4(127, 0, 0, 1)),
			attack: []func(context.Context, *atomic.Int64){everywhere(addr, perSecond, heartbeat)}},
		{name: "  strangers", honest: register(net.IPv4(127, 0, 99, 1)), strange: true},
	}, end
}

// register registers a server at a GameSpy master, and reports that the server stops. As
// servers do, it repeats what gets no answer.
func register(conn net.Conn) error {
	var key [4]byte
	rand.Read(key[:])
	beat := func(state qr2.State) qr2.Heartbeat {
		return qr2.Heartbeat{Key: key, Info: qr2.Identity{GameName: gmtest.Name, State: state}.AppendTo(nil)}
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		b, err := ask(conn, beat(qr2.StateStart))
		if err != nil {
			continue
		}
		c, err := qr2.ParseChallenge(b)
		if err != nil {
			continue // of an earlier attempt
		}
		b, err = ask(conn, qr2.ChallengeAnswer{Key: key, Text: string(qr2.AppendAnswer(nil, c.Text, gmtest.Key))})
		if err != nil {
			continue
		}
		if _, err := qr2.ParseRegistered(b); err != nil {
			continue
		}
		b, err = beat(qr2.StateShutdown).AppendBinary(nil)
		if err != nil {
			return err
		}
		_, err = conn.Write(b)
		return err
	}
	return lobbywire.ErrTimeout
}

// ask sends a message and returns an answer.
func ask(conn net.Conn, m encoding.BinaryAppender) ([]byte, error) {
	b, err := m.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Write(b); err != nil {
		return nil, err
	}
	conn.SetReadDeadline(time.Now().Add(time.Second / 2))
	b = make([]byte, 256)
	n, err := conn.Read(b)
	return b[:n], err
}

// startServer serves over UDP on loopback. end stops it.
func startServer(t *testing.T, s server) (addr netip.AddrPort, end func() error) {
	pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
	must(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Serve(pc)
	}()
	return pc.LocalAddr().(*net.UDPAddr).AddrPort(), func() error {
		err := s.Close()
		<-ended
		return err
	}
}
