//go:build linux

package safety_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// otherGame is a game without honest servers.
var otherGame = gamespy2net.Game{Name: "other", Key: "HA6zkS"}

// longServer is a heartbeat of a server with a long value, which changes with n.
func longServer(t testing.TB, n int) []byte {
	m := qr2.Heartbeat{Info: qr2.Identity{GameName: gmtest.Name}.AppendTo(nil)}
	m.Info = append(m.Info, gamespy2.KeyValue{Key: "hostname", Value: strings.Repeat("a", 1150)},
		gamespy2.KeyValue{Key: "numplayers", Value: fmt.Sprint(n)})
	b, err := m.AppendBinary(nil)
	must(t, err)
	return b
}

// emptyKeys is a heartbeat of a server with as many keys as fit.
func emptyKeys(t testing.TB) []byte {
	m := qr2.Heartbeat{Info: qr2.Identity{GameName: otherGame.Name}.AppendTo(nil)}
	for i := range 240 {
		m.Info = append(m.Info, gamespy2.KeyValue{Key: string(rune('a' + i%26))})
	}
	b, err := m.AppendBinary(nil)
	must(t, err)
	return b
}

// registerAs registers a server at a master, in memory.
func registerAs(m *gamespy2net.Master, from netip.AddrPort, heartbeat []byte) {
	for _, packet := range nettest.Answers(m.Respond(from, heartbeat, nil)) {
		c, err := qr2.ParseChallenge(packet)
		if err != nil {
			continue
		}
		answer, err := qr2.ChallengeAnswer{Text: string(qr2.AppendAnswer(nil, c.Text, gmtest.Key))}.AppendBinary(nil)
		if err == nil {
			m.Respond(from, answer, nil)
		}
	}
}

// attackedFilters starts a GameSpy master that lists 256 servers with long values; 64 of them
// change each second. Clients with the most expensive filters fetch lists and subscribe,
// from the addresses of one prefix, others request new fields each time, and servers with
// hundreds of keys register.
func attackedFilters(t *testing.T) (targets []*target, end func() error) {
	m := &gamespy2net.Master{
		Games: []gamespy2net.Game{gmtest, otherGame}, Unchecked: true,
		Limits: gamespy2net.MasterLimits{
			Lists: lobbywire.Rates{PerSource: 1 << 20, PerPrefix: 1 << 20, Global: 1 << 20},
		},
	}
	server := func(i int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(i / 64)}), uint16(5000+i%64))
	}
	for i := range 256 {
		registerAs(m, server(i), longServer(t, 0))
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		m.ServeLists(l)
	}()
	addr := l.Addr().String()
	s := &target{name: gameSpyMaster + ", filters", honest: func(ctx context.Context) error {
		listing, err := (&gamespy2net.Client{Timeout: patience, ListEvery: -1}).List(ctx, addr,
			gamespy2net.ListQuery{Game: gmtest.Name, Key: gmtest.Key, Filter: "numplayers >= 0 and hostname like '%a%'"})
		if err == nil && len(listing.Servers) != 256 {
			err = fmt.Errorf("%d servers", len(listing.Servers))
		}
		return err
	}}
	request := sb2.ListRequest{
		ForGame: gmtest.Name, FromGame: gmtest.Name, Challenge: sb2.MakeChallenge([8]byte{1}),
		Filter: "hostname like '%" + strings.Repeat("a", 960) + "b%'", Fields: sb2.MakeFieldList("hostname"),
	}
	list, err := request.AppendBinary(nil)
	must(t, err)
	request.Options = sb2.OptionPush
	push, err := request.AppendBinary(nil)
	must(t, err)
	// A list with fields that nobody has requested before.
	field := func() []byte {
		r := sb2.ListRequest{ForGame: gmtest.Name, FromGame: gmtest.Name, Challenge: request.Challenge,
			Fields: sb2.MakeFieldList("hostname", fmt.Sprint("f", rand.Uint64()))}
		b, _ := r.AppendBinary(nil) // cannot fail
		return b
	}
	for i := range 128 {
		ask, stay := func() []byte { return push }, time.Minute
		switch i % 32 {
		case 0:
			ask, stay = func() []byte { return list }, 50*time.Millisecond
		case 1:
			ask, stay = field, 50*time.Millisecond
		}
		s.attack = append(s.attack, connect(i/32, addr, nil,
			func(_ context.Context, conn net.Conn, _ [][]byte, sent *atomic.Int64) {
				conn.SetDeadline(time.Now().Add(stay))
				if _, err := conn.Write(ask()); err == nil {
					sent.Add(1)
					io.Copy(io.Discard, conn)
				}
			}))
	}
	news := [][]byte{longServer(t, 1), longServer(t, 2)}
	keys := emptyKeys(t)
	s.attack = append(s.attack, func(ctx context.Context, sent *atomic.Int64) {
		for n := 0; every(ctx, time.Second); n++ {
			for i := range 64 {
				m.Respond(server(i), news[n%2], nil)
			}
		}
	}, func(ctx context.Context, sent *atomic.Int64) {
		for i := uint32(0); every(ctx, 10*time.Millisecond); i++ {
			for port := range uint16(10) { // in 16 prefixes, which may have 256 each
				from := netip.AddrFrom4([4]byte{198, 18, byte(i % 16), byte(i / 16)})
				registerAs(m, netip.AddrPortFrom(from, 5000+port), slices.Clone(keys))
				sent.Add(1)
			}
		}
	})
	ctx, stop := context.WithCancel(context.Background())
	beat := longServer(t, 0)
	var beating sync.WaitGroup
	beating.Go(func() {
		for every(ctx, gamespy2net.Expiry/10) {
			for i := range 256 {
				m.Respond(server(i), beat, nil)
			}
		}
	})
	return []*target{s}, func() error {
		stop()
		beating.Wait()
		err := m.Close()
		<-ended
		return err
	}
}
