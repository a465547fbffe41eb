//go:build linux

package safety_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// longServer is a heartbeat of a server with a long value, which changes with n.
func longServer(t testing.TB, n int) []byte {
	m := qr2.Heartbeat{Info: qr2.Identity{GameName: "gmtest"}.AppendTo(nil)}
	m.Info = append(m.Info, gamespy2.KeyValue{Key: "hostname", Value: strings.Repeat("a", 1150)},
		gamespy2.KeyValue{Key: "numplayers", Value: fmt.Sprint(n)})
	b, err := m.MarshalBinary()
	must(t, err)
	return b
}

// A master lists 256 servers with long values, of which 64 change each second. Clients
// with the most expensive filters fetch lists and subscribe, from the addresses of one
// prefix. Honest clients keep getting lists, nearly as fast as without them.
func TestAttackFilters(t *testing.T) {
	if testing.Short() {
		t.Skip("uses all processors")
	}
	m := &gamespy2net.Master{
		Games: []gamespy2net.Game{{Name: "gmtest", Key: "HA6zkS"}}, Unchecked: true,
		Limits: gamespy2net.MasterLimits{
			Lists: lobbywire.Rates{PerSource: 1 << 20, PerPrefix: 1 << 20, Global: 1 << 20},
		},
	}
	server := func(i int) netip.AddrPort {
		return netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(i / 64)}), uint16(5000+i%64))
	}
	for i := range 256 {
		from := server(i)
		for _, packet := range m.Respond(from, longServer(t, 0), nil) {
			c, err := qr2.ParseChallenge(packet)
			must(t, err)
			answer, err := qr2.ChallengeAnswer{Text: string(qr2.AppendAnswer(nil, c.Text, "HA6zkS"))}.MarshalBinary()
			must(t, err)
			m.Respond(from, answer, nil)
		}
	}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	var wait sync.WaitGroup
	wait.Go(func() { m.ServeLists(l) })
	defer wait.Wait()
	defer m.Close()
	addr := l.Addr().String()

	honest := func() (took time.Duration, err error) {
		start := time.Now()
		listing, err := (&gamespy2net.Client{Timeout: 2 * time.Second, ListEvery: -1}).List(t.Context(), addr,
			gamespy2net.ListQuery{Game: "gmtest", Key: "HA6zkS", Filter: "numplayers >= 0 and hostname like '%a%'"})
		if err == nil && len(listing.Servers) != 256 {
			err = fmt.Errorf("%d servers", len(listing.Servers))
		}
		return time.Since(start), err
	}
	median := func(wait time.Duration) (time.Duration, float64) {
		var times []time.Duration
		asked := 0
		for end := time.Now().Add(wait); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
			asked++
			took, err := honest()
			if err != nil {
				t.Log(err)
				continue
			}
			times = append(times, took)
		}
		if len(times) == 0 {
			return 0, 0
		}
		slices.Sort(times)
		return times[len(times)/2], float64(len(times)) / float64(asked)
	}
	idle, _ := median(max(*attackFor/2, time.Second))
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	request := sb2.ListRequest{
		ForGame: "gmtest", FromGame: "gmtest", Challenge: sb2.MakeChallenge([8]byte{1}),
		Filter: "hostname like '%" + strings.Repeat("a", 960) + "b%'", Fields: sb2.MakeFieldList("hostname"),
	}
	list, err := request.MarshalBinary()
	must(t, err)
	request.Options = sb2.OptionPush
	push, err := request.MarshalBinary()
	must(t, err)
	for i := range 128 {
		b := push
		if i%32 == 0 {
			b = list
		}
		wait.Go(func() {
			for every(ctx, 20*time.Millisecond) {
				dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: attacker(i / 32)}}
				conn, err := dialer.DialContext(ctx, "tcp4", addr)
				if err != nil {
					continue
				}
				stop := context.AfterFunc(ctx, func() { conn.Close() })
				if i%32 == 0 {
					conn.SetDeadline(time.Now().Add(50 * time.Millisecond))
				}
				if _, err := conn.Write(b); err == nil {
					io.Copy(io.Discard, conn)
				}
				stop()
				conn.Close()
			}
		})
	}
	wait.Go(func() {
		for n := 1; every(ctx, time.Second); n++ {
			for i := range 64 {
				m.Respond(server(i), longServer(t, n), nil)
			}
		}
	})
	under, answered := median(max(*attackFor, 2*time.Second))
	cancel()
	t.Logf("idle %v, under attack %v, %.0f %% answered; %+v", idle, under, 100*answered, m.Stats())
	if answered < minAnswered || under > 10*idle || under > 50*time.Millisecond {
		t.Errorf("honest lists take %v, idle %v; %.0f %% answered", under, idle, 100*answered)
	}
}
