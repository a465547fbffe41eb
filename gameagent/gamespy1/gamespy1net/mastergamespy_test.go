package gamespy1net_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Addresses of a master.
var (
	heartbeatPort = netip.MustParseAddrPort("192.0.2.9:27900")
	listPort      = netip.MustParseAddrPort("192.0.2.9:28900")
)

// What a stock Serious Sam server sends: a heartbeat, and the answer to \status\.
const (
	stockHeartbeat = `\heartbeat\25601\gamename\serioussamse`
	stockStatus    = `\gamename\serioussamse\gamever\1.10\location\EU\hostname\Awesome Server\hostport\25600` +
		`\mapname\Yodeller` +
		`\gametype\Fragmatch\activemod\\numplayers\0\maxplayers\16\gamemode\openplaying\difficulty\Normal` +
		`\friendlyfire\0` +
		`\weaponsstay\1\ammosstay\1\healthandarmorstays\0\allowhealth\1\allowarmor\1\infinitearmor\0\respawninplace\0` +
		`\password\0\vipplayers\1\final\\queryid\333.1`
)

// A gameSpyNet is a master in memory.
type gameSpyNet struct {
	udp     nettest.Network
	tcp     nettest.Streams
	m       *gamespy1net.Master
	serving sync.WaitGroup
}

// serveGameSpy serves m.
func serveGameSpy(t *testing.T, m *gamespy1net.Master) *gameSpyNet {
	t.Helper()
	n := &gameSpyNet{m: m}
	n.udp.Route = func(p nettest.Packet) []nettest.Packet {
		p.Delay = time.Millisecond
		return []nettest.Packet{p}
	}
	n.serve(t, m, heartbeatPort, listPort)
	return n
}

func (n *gameSpyNet) serve(t *testing.T, m *gamespy1net.Master, udp, tcp netip.AddrPort) {
	t.Helper()
	m.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
		if network == "tcp" {
			return n.tcp.Dial(ctx, network, addr)
		}
		return n.udp.Dial(ctx, network, addr)
	}
	pc, err := n.udp.Listen(udp)
	if err != nil {
		t.Fatal(err)
	}
	l, err := n.tcp.Listen(tcp)
	if err != nil {
		t.Fatal(err)
	}
	n.serving.Go(func() { m.Serve(pc) })
	n.serving.Go(func() { m.ServeLists(l) })
}

func (n *gameSpyNet) close(t *testing.T, masters ...*gamespy1net.Master) {
	t.Helper()
	for _, m := range append(masters, n.m) {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	n.serving.Wait()
}

// host runs a server made of bytes at an address until stop is called. answer returns
// its answers to a datagram.
func (n *gameSpyNet) host(t *testing.T, at netip.AddrPort, answer func(req string) []string) (send func(text string),
	stop func()) {
	t.Helper()
	pc, err := n.udp.Listen(at)
	if err != nil {
		t.Fatal(err)
	}
	n.serving.Go(func() {
		b := make([]byte, 4096)
		for {
			size, from, err := pc.ReadFrom(b)
			if err != nil {
				return
			}
			for _, text := range answer(string(b[:size])) {
				pc.WriteTo([]byte(text), from)
			}
		}
	})
	send = func(text string) { pc.WriteTo([]byte(text), net.UDPAddrFromAddrPort(heartbeatPort)) }
	return send, func() { pc.Close() }
}

// stock answers as a stock Serious Sam server does.
func stock(req string) []string {
	if strings.Contains(req, `\status\`) {
		return []string{stockStatus}
	}
	return nil
}

// gameList returns what a master sends on a connection after its greeting.
func (n *gameSpyNet) gameList(t *testing.T, request func(validate string) []string) string {
	t.Helper()
	conn, err := n.tcp.Dial(t.Context(), "tcp", listPort.String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	greeting := make([]byte, 21)
	if _, err := io.ReadFull(conn, greeting); err != nil || !bytes.HasPrefix(greeting, []byte(`\basic\\secure\`)) {
		t.Fatalf("greeting %q, %v", greeting, err)
	}
	for _, part := range request(gamespy1.Validate(string(greeting[15:]), gamespy1.SeriousSamKey)) {
		if _, err := conn.Write([]byte(part)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Second)
	}
	list, err := io.ReadAll(conn)
	if err != nil {
		t.Fatal(err)
	}
	return string(list)
}

// engineRequest is what the engine sends in one write.
func engineRequest(validate string) []string {
	return []string{`\gamename\serioussamse\enctype\0\validate\` + validate +
		`\final\\queryid\1.1\list\cmp\gamename\serioussamse\gamever\1.05\final\`}
}

// A stock Serious Sam server is listed by a Master without settings, in both lists,
// for as long as it sends heartbeats and answers.
func TestGameSpyMasterListsAStockServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		send, stop := n.host(t, gameServer, stock)
		if got := n.gameList(t, engineRequest); got != `\final\` {
			t.Fatalf("empty list is %q", got)
		}
		send(stockHeartbeat)
		time.Sleep(time.Second)
		const entry = "\xc6\x33\x64\x01\x64\x01"
		for name, request := range map[string]func(string) []string{
			"engine": engineRequest,
			"333networks, in two writes": func(v string) []string {
				return []string{`\gamename\serioussamse\gamever\1.05\location\0\validate\` + v +
					`\enctype\0\final\\queryid\1.1\`, `\list\cmp\gamename\serioussamse\final\`}
			},
			"another game of the engine": func(v string) []string {
				return []string{`\gamename\serioussamfe\validate\` + v + `\final\`,
					`\list\cmp\gamename\serioussamse\final\`}
			},
		} {
			if got := n.gameList(t, request); got != entry+`\final\` {
				t.Errorf("%s: list %q", name, got)
			}
		}
		if got := n.gameList(t, func(v string) []string {
			return []string{`\gamename\serioussamse\validate\` + v + `\final\\list\\gamename\serioussamse\final\`}
		}); got != `\ip\198.51.100.1:25601\final\` {
			t.Errorf("list as text is %q", got)
		}
		expectListed(t, n.m, gameServer)
		for e := range n.m.Servers() {
			if s, err := e.ParseStatus(); err != nil || s.HostName != "Awesome Server" || *s.NumPlayers != 0 ||
				e.GameName != "serioussamse" ||
				e.Heartbeat != "" || e.Synced || e.View().Name != "Awesome Server" ||
				e.View().Address("") != "198.51.100.1:25600" {
				t.Errorf("entry %+v, %v", e, err)
			}
		}
		for range 4 {
			time.Sleep(150 * time.Second)
			send(stockHeartbeat)
			time.Sleep(time.Second)
			if st := n.m.Stats(); st.Listed != 1 {
				t.Fatalf("after the heartbeat: %+v", st)
			}
		}
		stop()
		time.Sleep(30 * time.Second)
		n.udp.Inject(nettest.Packet{From: gameServer, To: heartbeatPort, Data: []byte(stockHeartbeat)})
		time.Sleep(260 * time.Second)
		if st := n.m.Stats(); st.Listed != 1 || st.Unanswered != 1 {
			t.Errorf("a while after its end: %+v", st)
		}
		time.Sleep(20 * time.Second)
		expectListed(t, n.m)
		if st := n.m.Stats(); st.GameSpyLists != 5 || st.Challenges != 1 || st.Conns.Accepted != 5 {
			t.Errorf("at the end: %+v", st)
		}
		n.close(t)
	})
}

// A server that announces a change of its state, and then does not answer, is removed
// soon. One that answers stays.
func TestServerThatStopsIsRemovedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		time.Sleep(10 * time.Second)
		send(stockHeartbeat + `\statechanged`)
		time.Sleep(10 * time.Second)
		expectListed(t, n.m, gameServer)
		send(stockHeartbeat + `\statechanged`)
		stop()
		time.Sleep(5 * time.Second)
		expectListed(t, n.m)
		n.close(t)
	})
}

// A server whose answer has a backslash in its name, and no numbers, is listed with what
// can be read, and nothing is made up.
func TestGameSpyMasterListsPartialAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, &gamespy1net.Master{Games: map[string]gamespy1net.Game{"netpanzer": {}}})
		send, stop := n.host(t, netip.AddrPortFrom(gameServer.Addr(), 3030), func(string) []string {
			return []string{`gamename\netpanzer\hostname\X\Y\maxplayers\8\final\`}
		})
		send(`\heartbeat\3030\gamename\netpanzer`)
		time.Sleep(time.Second)
		listed := 0
		for e := range n.m.Servers() {
			listed++
			v := e.View()
			if v.Name != "X" || v.Players != nil || v.Max == nil || *v.Max != 8 || v.Password != nil || v.Port != 0 {
				t.Errorf("%+v", v)
			}
		}
		if listed != 1 {
			t.Errorf("%d servers", listed)
		}
		stop()
		n.close(t)
	})
}

// unreal are the settings for a game whose servers must validate. The key is made up.
func unreal() *gamespy1net.Master {
	return &gamespy1net.Master{Games: map[string]gamespy1net.Game{"ut": {Key: "secret", Validate: true}}}
}

// Servers of another game are listed if the operator allows it, and only there. Where
// answers to challenges are required, a server with a wrong or missing answer is not
// listed. The answer may come from the port of the heartbeat or from the query port.
func TestGameSpyMasterValidates(t *testing.T) {
	const heartbeat, answer = `\heartbeat\7778\gamename\ut\`, `\gamename\ut\hostname\x\hostport\7777\queryid\1.1\final\`
	validates := func(key string) func(string) []string {
		return func(req string) (answers []string) {
			if strings.Contains(req, `\status\`) {
				answers = append(answers, answer)
			}
			if _, secure, ok := strings.Cut(req, `\secure\`); ok {
				answers = append(answers, `\validate\`+gamespy1.Validate(secure, key)+`\final\`)
			}
			return answers
		}
	}
	// The servers of Unreal answer all of a request in one packet, or number the packets.
	together := func(key string, packets ...string) func(string) []string {
		return func(req string) []string {
			_, secure, _ := strings.Cut(req, `\secure\`)
			all := strings.ReplaceAll(strings.Join(packets, "\n"), "VALIDATE", gamespy1.Validate(secure, key))
			return strings.Split(all, "\n")
		}
	}
	const one = `\gamename\ut\hostname\x\hostport\7777\validate\VALIDATE\queryid\1.1\final\`
	const first, second = `\gamename\ut\hostname\x\hostport\7777\queryid\1.1`, `\validate\VALIDATE\queryid\1.2\final\`
	silent := func(string) []string { return nil }
	silentTo := func(word string, f func(string) []string) func(string) []string {
		return func(req string) []string {
			if strings.Contains(req, word) {
				return nil
			}
			return f(req)
		}
	}
	for _, tt := range []struct {
		name          string
		uplink, query func(string) []string
		want          bool
	}{
		{"at the port of the heartbeat", silentTo("status", validates("secret")),
			func(string) []string { return []string{answer} }, true},
		{"at the query port", silent, validates("secret"), true},
		{"in the status", silent, together("secret", one), true},
		{"in the status, with another key", silent, together("other", one), false},
		{"in the second packet of the status", silent, together("secret", first, second), true},
		{"in the second packet of the status, with another key", silent, together("other", first, second), false},
		{"with another key", validates("other"), validates("other"), false},
		{"not at all", silent, func(string) []string { return []string{answer} }, false},
		{"but does not answer queries", silentTo("status", validates("secret")), silent, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := serveGameSpy(t, unreal())
				send, stop := n.host(t, netip.MustParseAddrPort("198.51.100.1:5000"), tt.uplink)
				query := netip.MustParseAddrPort("198.51.100.1:7778")
				_, stopQuery := n.host(t, query, tt.query)
				send(heartbeat)
				time.Sleep(5 * time.Second)
				if got := n.m.Stats().Listed == 1; got != tt.want {
					t.Errorf("listed: %v, %+v", got, n.m.Stats())
				}
				if games := listing(t, n.m); len(games) != 0 {
					t.Errorf("native list with another game: %v", games)
				}
				got := n.gameList(t,
					func(string) []string {
						return []string{`\gamename\ut\validate\x\final\\list\cmp\gamename\ut\final\`}
					})
				if got != "" {
					t.Errorf("a client that does not know the key gets %q", got)
				}
				client := &gamespy1net.Client{Dial: n.tcp.Dial, Game: "ut", Key: "secret"}
				l, err := client.List(t.Context(), listPort.String())
				if err != nil || (len(l.Queries) == 1) != tt.want {
					t.Errorf("%+v, %v", l, err)
				}
				stop()
				stopQuery()
				n.close(t)
			})
		})
	}
}

// Forged heartbeats do not get their source listed, whatever else is sent with that
// source address. The number of datagrams to the source is bounded.
func TestForgedHeartbeatsListNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		var mu sync.Mutex
		bytes, packets, asked := 0, 0, []netip.AddrPort{}
		n.udp.Route = func(p nettest.Packet) []nettest.Packet {
			mu.Lock()
			defer mu.Unlock()
			if p.To.Addr() == gameServer.Addr() {
				bytes += len(p.Data)
				packets++
				asked = append(asked, p.From)
			}
			return []nettest.Packet{p}
		}
		inject := func(to netip.AddrPort, text string) {
			n.udp.Inject(nettest.Packet{From: gameServer, To: to, Data: []byte(text)})
		}
		inject(heartbeatPort, stockHeartbeat)
		for range 50 {
			time.Sleep(100 * time.Millisecond)
			inject(heartbeatPort, stockStatus)
			inject(heartbeatPort, `\validate\zbGgINC8\final\`)
		}
		if st := n.m.Stats(); st.Listed != 0 || st.Checks != 1 || st.Unanswered != 1 {
			t.Errorf("forged answers: %+v", st)
		}
		mu.Lock()
		defer mu.Unlock()
		// A challenge of 14 bytes and two queries of 8 bytes.
		if packets != 3 || bytes > len(stockHeartbeat) || asked[1] == asked[2] {
			t.Errorf("the victim received %d datagrams, %d bytes, from %v, for %d", packets, bytes, asked,
				len(stockHeartbeat))
		}
		for _, text := range []string{`\heartbeat\25601\gamename\other`,
			`\heartbeat\1\gamename\serioussamse`, `\heartbeat\25601`} {
			silent(t, n.m, otherServer, []byte(text))
		}
		silent(t, n.m, netip.MustParseAddrPort("[2001:db8::1]:25601"), []byte(stockHeartbeat))
		if st := n.m.Stats(); st.Foreign != 1 || st.Listed != 0 {
			t.Errorf("later heartbeats: %+v", st)
		}
		n.close(t)
	})
}

// Forged heartbeats and joins with the address of a listed server neither remove it nor
// cause frequent queries.
func TestForgedHeartbeatsRemoveNoServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		var queries atomic.Int64
		send, stop := n.host(t, gameServer, func(req string) []string {
			queries.Add(1)
			return stock(req)
		})
		send(stockHeartbeat)
		time.Sleep(time.Second)
		queries.Store(0)
		for range 100 {
			for _, text := range []string{stockHeartbeat, stockHeartbeat + `\statechanged\2`, "q", "u", "0;challenge;0",
				"0;challenge;1"} {
				n.udp.Inject(nettest.Packet{From: gameServer, To: heartbeatPort, Data: []byte(text)})
			}
			time.Sleep(time.Second)
			expectListed(t, n.m, gameServer)
		}
		if got := queries.Load(); got > 100*7 { // challenges of GameAgent, and queries every 5 s
			t.Errorf("%d queries in 100 s", got)
		}
		stop()
		n.close(t)
	})
}

// Both protocols share one list: a server that registers by both is one entry, and one
// that registers natively is in the list of its game.
func TestServerInBothFormsIsOneEntry(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := serveGameSpy(t, new(gamespy1net.Master))
		s, gamespy := agentServer(t), newServer(t, duel())
		s.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
			return gamespy.Respond(from, req, dst)
		}
		pc, err := n.udp.Listen(gameServer)
		if err != nil {
			t.Fatal(err)
		}
		n.serving.Go(func() { s.Serve(pc) })
		client := &gamespy1net.Client{Dial: n.tcp.Dial, ListEvery: -1}
		want := []netip.AddrPort{gameServer}
		for _, r := range []interface {
			Run(ctx context.Context) error
			Status() lobbywire.RegistrationStatus
		}{
			&gameagentnet.Registration{Server: s, Addr: heartbeatPort.String(), Conn: pc},
			&gamespy1net.Registration{Server: gamespy, Addr: heartbeatPort.String(), Key: gamespy1.SeriousSamKey, Conn: pc},
		} {
			_, byGameSpy := r.(*gamespy1net.Registration)
			n.serving.Go(func() { r.Run(t.Context()) })
			time.Sleep(time.Second)
			expectListed(t, n.m, gameServer)
			l, err := client.List(t.Context(), listPort.String())
			if diff := cmp.Diff(want, l.Queries, cmpopts.EquateComparable(netip.AddrPort{})); err != nil || diff != "" {
				t.Errorf("GameSpy %v: %v (-want +got)\n%s", byGameSpy, err, diff)
			}
			if st := r.Status(); byGameSpy == (st.Standing == lobbywire.StandingListed) {
				t.Errorf("GameSpy %v: %v", byGameSpy, st)
			}
		}
		for e := range n.m.Servers() {
			if e.Heartbeat == "" || e.Status == "" {
				t.Errorf("%+v", e)
			}
		}
		gamespy.Close()
		s.Close()
		n.close(t)
	})
}

// A Registration at a master that lists only servers which validate.
func TestRegistrationValidates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &gamespy1net.Master{Games: map[string]gamespy1net.Game{"serioussamse": {Key: "made up",
			Validate: true}}}
		n := serveGameSpy(t, m)
		s := newServer(t, duel())
		pc, err := n.udp.Listen(gameServer)
		if err != nil {
			t.Fatal(err)
		}
		r := &gamespy1net.Registration{Server: s, Addr: heartbeatPort.String(), Key: "made up", Conn: pc}
		n.serving.Go(func() { s.Serve(pc) })
		n.serving.Go(func() { r.Run(t.Context()) })
		time.Sleep(10 * time.Second)
		if st := m.Stats(); st.Listed != 1 || r.Status().Standing != lobbywire.StandingListed {
			t.Errorf("%+v, %v", st, r.Status())
		}
		// Only the master is answered.
		for _, text := range []string{`\secure\ABCDEF`, `\echo\x`} {
			if got, _ := s.Respond(browser, []byte(text), nil); len(got) != 0 {
				t.Errorf("%s of somebody else is answered with %q", text, got)
			}
			if got, _ := s.Respond(heartbeatPort, []byte(text), nil); len(got) != 1 ||
				len(nettest.Answers(s.Respond(heartbeatPort, got[0], nil))) != 0 {
				t.Errorf("%s of the master is answered with %q", text, got)
			}
		}
		s.Close()
		time.Sleep(10 * time.Second)
		if st := m.Stats(); st.Listed != 0 {
			t.Errorf("after the server has stopped: %+v", st)
		}
		n.close(t)
	})
}

// Masters share the servers that have registered with them. A server from another
// master is listed once it has answered, and is marked.
func TestMastersSync(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := &gamespy1net.Master{SyncFor: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
		n := serveGameSpy(t, first)
		send, stop := n.host(t, gameServer, stock)
		other, stopOther := n.host(t, otherServer, stock)
		send(stockHeartbeat)
		other(strings.Replace(stockHeartbeat, "25601", "25701", 1))
		time.Sleep(time.Second)
		stopOther()

		second := &gamespy1net.Master{SyncFrom: []string{listPort.String()}, SyncFor: first.SyncFor}
		third := &gamespy1net.Master{SyncFrom: []string{"192.0.2.10:28900"}}
		n.serve(t, second, netip.MustParseAddrPort("192.0.2.10:27900"), netip.MustParseAddrPort("192.0.2.10:28900"))
		time.Sleep(5 * time.Second)
		n.serve(t, third, netip.MustParseAddrPort("192.0.2.11:27900"), netip.MustParseAddrPort("192.0.2.11:28900"))
		time.Sleep(5 * time.Second)
		expectListed(t, second, gameServer)
		expectListed(t, third) // a master passes on only what has registered at it
		for e := range second.Servers() {
			if !e.Synced || e.GameName != "serioussamse" {
				t.Errorf("of the other master: %+v", e)
			}
		}
		time.Sleep(10 * time.Minute)
		expectListed(t, second) // it has expired at the first
		send(stockHeartbeat)
		time.Sleep(3 * time.Minute)
		expectListed(t, second, gameServer)

		// Heartbeats make it one of its own. The first one causes no check if it was just fetched and checked.
		for range 2 {
			n.udp.Inject(nettest.Packet{From: gameServer, To: netip.MustParseAddrPort("192.0.2.10:27900"),
				Data: []byte(stockHeartbeat)})
			time.Sleep(time.Minute)
		}
		time.Sleep(2 * time.Minute)
		expectListed(t, third, gameServer)
		for e := range second.Servers() {
			if e.Synced {
				t.Errorf("registered at both: %+v", e)
			}
		}
		stop()
		n.close(t, second, third)
	})
}

// Another master gets the public addresses of servers, and lists and queries them there.
func TestMastersExchangePublicAddresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := &gamespy1net.Master{
			SyncFor: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")},
			Public: func(server netip.AddrPort) netip.AddrPort {
				if server == gameServer {
					return otherServer
				}
				return server
			},
		}
		n := serveGameSpy(t, first)
		send, stop := n.host(t, gameServer, stock)
		_, stopOther := n.host(t, otherServer, stock)
		send(stockHeartbeat)
		time.Sleep(time.Second)
		second := &gamespy1net.Master{SyncFrom: []string{listPort.String()}}
		n.serve(t, second, netip.MustParseAddrPort("192.0.2.10:27900"), netip.MustParseAddrPort("192.0.2.10:28900"))
		time.Sleep(5 * time.Second)
		expectListed(t, second, otherServer)
		stop()
		stopOther()
		n.close(t, second)
	})
}

// A master that starts before its peer has its servers soon after the peer has started.
func TestPeerThatStartsLaterIsAskedSoon(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first := &gamespy1net.Master{SyncFor: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
		n := serveGameSpy(t, first)
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		later := "192.0.2.10:28900"
		var log bytes.Buffer
		third := &gamespy1net.Master{SyncFrom: []string{later}, Logger: slog.New(slog.NewTextHandler(&log, nil))}
		n.serve(t, third, netip.MustParseAddrPort("192.0.2.11:27900"), netip.MustParseAddrPort("192.0.2.11:28900"))
		time.Sleep(10 * time.Second)
		fourth := &gamespy1net.Master{SyncFor: first.SyncFor}
		n.serve(t, fourth, netip.MustParseAddrPort("192.0.2.10:27900"), netip.MustParseAddrPort(later))
		n.udp.Inject(nettest.Packet{
			From: gameServer, To: netip.MustParseAddrPort("192.0.2.10:27900"), Data: []byte(stockHeartbeat),
		})
		time.Sleep(20 * time.Second)
		expectListed(t, third, gameServer)
		stop()
		n.close(t, third, fourth)
		for _, want := range []string{"level=WARN msg=\"servers of another master not fetched\"",
			"level=INFO msg=\"servers of another master fetched again\""} {
			if got := strings.Count(log.String(), want); got != 1 {
				t.Errorf("%d lines have %s:\n%s", got, want, log.String())
			}
		}
		if got := third.Stats().NotSynced; got < 2 {
			t.Errorf("%d failures are counted", got)
		}
	})
}

// A peer that does not answer at first, or has no servers then, is asked again soon, and
// after a while as rarely as another.
func TestPeerThatIsNotReadyIsAskedSoon(t *testing.T) {
	const later = "192.0.2.10:28900"
	local := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	for _, starts := range []bool{true, false} {
		for name, before := range map[string]func(c net.Conn){
			"closes connections": func(net.Conn) {},
			"closes after a greeting": func(c net.Conn) {
				io.WriteString(c, `\basic\\secure\ABCDEF`)
				c.Read(make([]byte, 1000))
			},
			"answers with half a list": func(c net.Conn) {
				io.WriteString(c, `\basic\\secure\ABCDEF`)
				c.Read(make([]byte, 1000))
				io.WriteString(c, `\serioussamse\198.51`)
			},
			"has no servers": func(c net.Conn) {
				io.WriteString(c, `\basic\\secure\ABCDEF`)
				c.Read(make([]byte, 1000))
				io.WriteString(c, `\final\`)
			},
		} {
			synctest.Test(t, func(t *testing.T) {
				first := &gamespy1net.Master{SyncFrom: []string{later}}
				n := serveGameSpy(t, first)
				_, stop := n.host(t, gameServer, stock)
				l, err := n.tcp.Listen(netip.MustParseAddrPort(later))
				if err != nil {
					t.Fatal(err)
				}
				var accepted atomic.Int64
				var serving sync.WaitGroup
				serving.Go(func() {
					for {
						c, err := l.Accept()
						if err != nil {
							return
						}
						accepted.Add(1)
						before(c)
						c.Close()
					}
				})
				if !starts {
					time.Sleep(time.Hour)
					if got := accepted.Load(); got < 24 || got > 34 {
						t.Errorf("%s: %d connections in an hour", name, got)
					}
				}
				time.Sleep(10 * time.Second)
				l.Close()
				serving.Wait()
				if starts {
					second := &gamespy1net.Master{SyncFor: local}
					n.serve(t, second, netip.MustParseAddrPort("192.0.2.10:27900"), netip.MustParseAddrPort(later))
					n.udp.Inject(nettest.Packet{
						From: gameServer, To: netip.MustParseAddrPort("192.0.2.10:27900"), Data: []byte(stockHeartbeat),
					})
					time.Sleep(10 * time.Second)
					expectListed(t, first, gameServer)
					defer n.close(t, second)
				} else {
					defer n.close(t)
				}
				stop()
			})
		}
	}
}

// Lists go only to masters that may fetch them, and only with the right answer.
func TestSyncIsForPeersOnly(t *testing.T) {
	const request = `\gamename\333networks\gamever\1\validate\%s\queryid\1.1\final\\sync\all\msid\ABCDEF`
	for _, tt := range []struct {
		name   string
		master *gamespy1net.Master
		valid  bool
		want   string
	}{
		{"without peers", &gamespy1net.Master{}, true, ""},
		{"another peer",
			&gamespy1net.Master{SyncFor: []netip.Prefix{netip.MustParsePrefix("192.0.2.0/24")}}, true, ""},
		{"no key", &gamespy1net.Master{SyncFor: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}, false,
			`\serioussamse\198.51.100.1:25601\final\`},
		{"wrong answer", &gamespy1net.Master{SyncFor: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
			Games: map[string]gamespy1net.Game{"serioussamse": {},
				gamespy1.MasterGame: {Key: gamespy1.SeriousSamKey}}}, false, ""},
		{"right answer", &gamespy1net.Master{SyncFor: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")},
			Games: map[string]gamespy1net.Game{"serioussamse": {},
				gamespy1.MasterGame: {Key: gamespy1.SeriousSamKey}}}, true,
			`\serioussamse\198.51.100.1:25601\final\`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := serveGameSpy(t, tt.master)
				send, stop := n.host(t, gameServer, stock)
				send(stockHeartbeat)
				time.Sleep(time.Second)
				got := n.gameList(t, func(validate string) []string {
					if !tt.valid {
						validate = "x"
					}
					return []string{fmt.Sprintf(request, validate)}
				})
				if got != tt.want {
					t.Errorf("got %q, want %q", got, tt.want)
				}
				stop()
				n.close(t)
			})
		})
	}
}

// Another master may send anything. The Master reads a bounded number of bytes, and
// lists nothing that does not answer.
func TestSyncFromAHostileMasterIsBounded(t *testing.T) {
	for name, text := range map[string]string{
		"servers that are not there": `\serioussamse\` + strings.Repeat("198.51.100.1:25601 198.51.100.2:1 ", 5000) +
			`\final\`,
		"unknown games": `\a\198.51.100.1:25601\b\x\final\`,
		"no end":        `\serioussamse\` + strings.Repeat("198.51.100.1:25601 ", 200_000),
		"no list":       strings.Repeat("\x00", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var streams nettest.Streams
				l, err := streams.Listen(listPort)
				if err != nil {
					t.Fatal(err)
				}
				var serving sync.WaitGroup
				var accepted atomic.Int64
				serving.Go(func() {
					for {
						c, err := l.Accept()
						if err != nil {
							return
						}
						accepted.Add(1)
						serving.Go(func() {
							defer c.Close()
							c.Write([]byte(`\basic\\secure\ABCDEF\final\`))
							c.Read(make([]byte, 1<<10)) // the request
							c.Write([]byte(text))
						})
					}
				})
				var datagrams nettest.Network
				m := &gamespy1net.Master{SyncFrom: []string{listPort.String()},
					Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
						if network == "tcp" {
							return streams.Dial(ctx, network, addr)
						}
						return datagrams.Dial(ctx, network, addr)
					}}
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
				defer cancel()
				if err := m.Check(ctx); !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
				if st, got := m.Stats(), accepted.Load(); st.Listed != 0 || got < 3 || got > 10 ||
					st.Checks > uint64(got) {
					t.Errorf("%d connections, %+v", got, st)
				}
				l.Close()
				serving.Wait()
				m.Close()
			})
		})
	}
}

// Connections for the list end if their peers send nothing, send slowly, or do not read.
func TestGameSpyListEndsSlowPeers(t *testing.T) {
	for name, do := range map[string]func(conn net.Conn){
		"sends nothing": func(conn net.Conn) {},
		"sends slowly": func(conn net.Conn) {
			for _, c := range []byte(strings.Repeat(`\gamename\x`, 20)) {
				if _, err := conn.Write([]byte{c}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		},
		"sends too much": func(conn net.Conn) {
			_, _ = conn.Write([]byte(strings.Repeat(`\gamename\x`, 1000)))
		},
		"sends something else": func(conn net.Conn) {
			_, _ = conn.Write([]byte("GET / HTTP/1.0\r\n\r\n"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := serveGameSpy(t, new(gamespy1net.Master))
				conn, err := n.tcp.Dial(t.Context(), "tcp", listPort.String())
				if err != nil {
					t.Fatal(err)
				}
				start := time.Now()
				n.serving.Go(func() { do(conn) })
				if b, err := io.ReadAll(conn); err != nil || len(b) != 21 || time.Since(start) > 25*time.Second {
					t.Errorf("after %v: %q, %v", time.Since(start), b, err)
				}
				conn.Close()
				if st := n.m.Stats(); st.GameSpyLists != 0 || st.Conns.Open > 1 {
					t.Errorf("%+v", st)
				}
				n.close(t)
			})
		})
	}
}

// Nodes share servers of games.
func TestStoreSharesGameSpyServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		first, _ := newNode(h)
		second, _ := newNode(h)
		n := serveGameSpy(t, first)
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		time.Sleep(time.Second)
		expectListed(t, second, gameServer)
		n.m = second
		n.serve(t, second, netip.MustParseAddrPort("192.0.2.10:27900"), netip.MustParseAddrPort("192.0.2.10:28900"))
		client := &gamespy1net.Client{Dial: n.tcp.Dial}
		if l, err := client.List(t.Context(), "192.0.2.10:28900"); err != nil ||
			len(l.Queries) != 1 {
			t.Errorf("%+v, %v", l, err)
		}
		time.Sleep(10 * time.Second)
		send(stockHeartbeat + `\statechanged`)
		stop()
		time.Sleep(10 * time.Second)
		expectListed(t, first)
		expectListed(t, second)
		n.close(t, first)
	})
}

// Admit sees the status of servers, and withholds them from all lists.
func TestAdmitGameSpyServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		banned := false
		m := &gamespy1net.Master{Admit: func(e gamespy1net.Entry) bool {
			return !banned ||
				e.View().Name != "Awesome Server"
		}}
		n := serveGameSpy(t, m)
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		time.Sleep(time.Second)
		expectListed(t, m, gameServer)
		banned = true
		m.Review()
		if games := listing(t, m); len(games) != 0 {
			t.Errorf("native list: %v", games)
		}
		if got := n.gameList(t, engineRequest); got != `\final\` {
			t.Errorf("list %q", got)
		}
		if st := m.Stats(); st.Listed != 0 || st.Withheld != 1 {
			t.Errorf("%+v", st)
		}
		stop()
		n.close(t)
	})
}

// Heartbeats from a million sources need no memory, and no sockets except for checks.
func TestFloodOfHeartbeatsNeedsNoMemory(t *testing.T) {
	m := newMaster()
	dst := [][]byte{}
	for i := range 10_000 {
		dst, _ = m.Respond(manyServers(i), []byte(stockHeartbeat), dst[:0])
	}
	before := heap()
	n := suite.Pick(1<<16, 1<<18)
	for i := range n {
		dst, _ = m.Respond(manyServers(i), []byte(stockHeartbeat), dst[:0])
	}
	if grown := int64(heap()) - int64(before); grown > 1<<20 {
		t.Errorf("%d heartbeats took %d bytes", n, grown)
	}
	if st := m.Stats(); st.Listed != 0 || st.Challenges < uint64(n) {
		t.Errorf("%+v", st)
	}
}

// A flood of forged heartbeats, which fills what there is for servers that are not
// verified, neither keeps listed servers from staying so, nor servers that answer
// challenges from being listed.
func TestGameSpyFloodKeepsServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		n := serveGameSpy(t, m)
		send, stop := n.host(t, gameServer, stock)
		send(stockHeartbeat)
		time.Sleep(30 * time.Second)
		sendOther, stopOther := n.host(t, otherServer, func(req string) []string {
			if _, secure, ok := strings.Cut(req, `\secure\`); ok {
				return []string{`\validate\` + gamespy1.Validate(secure, gamespy1.SeriousSamKey) + `\final\`}
			}
			return stock(req)
		})
		var dst [][]byte
		for i := range 32 { // more than can be checked
			for j := range 200 {
				dst, _ = m.Respond(manyServers(i<<8+j), []byte(stockHeartbeat), dst[:0])
			}
			time.Sleep(10 * time.Second / 32)
			switch i {
			case 24:
				send(stockHeartbeat)
			case 25:
				sendOther(strings.Replace(stockHeartbeat, "25601", "25701", 1))
			}
		}
		expectListed(t, m, gameServer, otherServer)
		time.Sleep(295 * time.Second) // the heartbeat has kept it listed
		expectListed(t, m, gameServer, otherServer)
		stop()
		stopOther()
		n.close(t)
	})
}

// A master that is called in a loop of the game's own checks servers in Check.
func TestCheckWorksInAnOwnLoop(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(gamespy1net.Master)
		n := &gameSpyNet{m: m}
		m.Dial = n.udp.Dial
		_, stop := n.host(t, gameServer, stock)
		ctx, cancel := context.WithCancel(t.Context())
		n.serving.Go(func() { m.Check(ctx) })
		answer := one(t, nettest.Answers(m.Respond(gameServer, []byte(stockHeartbeat), nil)))
		if s, err := gamespy1.ParseSecure(answer); err != nil || len(answer) != 14 ||
			strings.Trim(s.Secure, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789") != "" {
			t.Errorf("answer %q, %v", answer, err)
		}
		time.Sleep(time.Second)
		expectListed(t, m, gameServer)
		cancel()
		stop()
		n.serving.Wait()
		if err := m.Close(); err != nil || !errors.Is(m.Check(t.Context()), lobbywire.ErrClosed) {
			t.Error(err)
		}
	})
}

// heap returns the bytes of the heap.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The list of a game has its servers that register by GameAgent, as the list of GameAgent has them.
func TestGameSpyListHasNativeServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		m.Limits.MaxPerAddress, m.Limits.MaxPerPrefix = 1<<20, 1<<20
		servers := suite.Pick(5000, 20_000)
		for i := range servers {
			enlistProduct(t, m, manyServers(i<<4))
		}
		n := serveGameSpy(t, m)
		client := &gamespy1net.Client{Dial: n.tcp.Dial}
		l, err := client.List(t.Context(), listPort.String())
		if err != nil || len(l.Queries) != servers || l.Partial {
			t.Fatalf("%d servers, %v", len(l.Queries), err)
		}
		for i, query := range l.Queries {
			l.Queries[i] = gameagent.GameAddr(query)
		}
		slices.SortFunc(l.Queries, netip.AddrPort.Compare)
		if diff := cmp.Diff(listing(t, m), l.Queries, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
			t.Errorf("(-GameAgent +GameSpy)\n%s", diff)
		}
		n.close(t)
	})
}

// The list of a game with more servers than it can have says so, to the operator by Cut and to the client
// by Partial, and the next list has the others. The list for other masters is cut, too.
func TestGameSpyListOfTooManyServersIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m, _ := newNode(h)
		m.Limits.MaxListPackets = 1 << 20
		m.SetLimits(gamespy1net.MasterLimits{MaxServers: 1 << 20, MaxPerAddress: 1 << 20, MaxPerPrefix: 1 << 20,
			MaxListPackets: 1 << 20})
		const servers = gamespy1.MaxServers + 100
		others := h.Node()
		for i := range servers {
			if i == gamespy1.MaxServers && m.Stats().Cut {
				t.Error("cut too early")
			}
			others.Put(gamespy1net.Entry{Game: gameagent.GameAddr(manyServers(i << 4)), Seen: time.Now(),
				GameName: "serioussamse", Status: stockStatus})
		}
		if st := m.Stats(); st.Listed != servers || !st.Cut {
			t.Errorf("%d listed, cut %v", st.Listed, st.Cut)
		}
		n := serveGameSpy(t, m)
		client := &gamespy1net.Client{Dial: n.tcp.Dial, ListEvery: -1}
		all := make(map[netip.AddrPort]bool)
		for range 2 {
			l, err := client.List(t.Context(), listPort.String())
			if err != nil || len(l.Queries) != gamespy1.MaxServers || !l.Partial {
				t.Errorf("%d servers, partial %v, %v", len(l.Queries), l.Partial, err)
			}
			for _, s := range l.Queries {
				all[s] = true
			}
			time.Sleep(time.Second)
		}
		if len(all) != servers {
			t.Errorf("two lists have %d servers", len(all))
		}
		n.close(t)
	})
}

// A server whose address and port are spelled as the end mark is in the native list
// only.
func TestGameSpyListOmitsItsEndMark(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		for _, from := range []string{"92.102.105.110:24940", "192.0.2.1:25601"} {
			enlistProduct(t, m, netip.MustParseAddrPort(from))
		}
		n := serveGameSpy(t, m)
		client := &gamespy1net.Client{Dial: n.tcp.Dial}
		l, err := client.List(t.Context(), listPort.String())
		if want := netip.MustParseAddrPort("192.0.2.1:25601"); err != nil || l.Partial ||
			!slices.Equal(l.Queries, []netip.AddrPort{want}) {
			t.Errorf("%+v, %v, want %v", l, err, want)
		}
		if listed := listing(t, m); len(listed) != 2 {
			t.Errorf("native list %v", listed)
		}
		n.close(t)
	})
}

// A native server that names a game as its product does not prove that it has the key of the
// game, so the list of a game whose servers must validate does not have it.
func TestGameSpyListOmitsNativeServersThatMustValidate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		games := func(validate bool) map[string]gamespy1net.Game {
			return map[string]gamespy1net.Game{"serioussamse": {Key: gamespy1.SeriousSamKey, Validate: validate}}
		}
		m := newMaster()
		m.Games = games(true)
		n := serveGameSpy(t, m)
		enlistProduct(t, m, gameServer)
		want := func(step string, inGame int) {
			t.Helper()
			client := &gamespy1net.Client{Dial: n.tcp.Dial} // one keeps lists for a while
			l, err := client.List(t.Context(), listPort.String())
			if err != nil || len(l.Queries) != inGame {
				t.Errorf("%s: %v, %v, want %d servers", step, l.Queries, err, inGame)
			}
			if native := listing(t, m); len(native) != 1 {
				t.Errorf("%s: native list %v", step, native)
			}
		}
		want("must validate", 0)
		m.SetGames(games(false))
		want("need not validate", 1)
		m.SetGames(games(true))
		want("must validate again", 0)
		n.close(t)
	})
}

// enlistProduct has a native server of Serious Sam listed.
func enlistProduct(t testing.TB, m *gamespy1net.Master, from netip.AddrPort) {
	t.Helper()
	silent(t, m, from, append(answerTo(challengeOf(t, nettest.Answers(m.Respond(from, join, nil)))),
		";product;serioussamse"...))
}
