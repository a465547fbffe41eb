package gamespy2net_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// newListMaster returns a master without limits on requests for lists.
func newListMaster() *gamespy2net.Master {
	m := newMaster()
	m.Limits.Lists = m.Limits.Rates
	return m
}

// serveLists serves lists until the test ends.
func serveLists(t testing.TB, m *gamespy2net.Master) *nettest.Streams {
	t.Helper()
	network := new(nettest.Streams)
	l, err := network.Listen(masterAddr)
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- m.ServeLists(l) }()
	t.Cleanup(func() {
		m.Close()
		if err := <-ended; err != lobbywire.ErrClosed {
			t.Errorf("ServeLists: %v", err)
		}
	})
	return network
}

// goldenList returns a golden file of package sb2.
func goldenList(t testing.TB, name string) []byte {
	t.Helper()
	files, err := golden.ReadDir(filepath.Join("..", "sb2"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(files, func(f golden.File) bool { return f.Name == name })
	if i < 0 {
		t.Fatalf("no golden file %s", name)
	}
	return files[i].Data
}

// A listClient is a connection to a master that reads what it sends.
type listClient struct {
	net.Conn
	t      testing.TB
	stream sb2.MasterStream
	unread []byte
}

// connect connects to a master and sends bytes.
func connect(t testing.TB, network *nettest.Streams, b []byte) *listClient {
	t.Helper()
	conn, err := network.Dial(t.Context(), "tcp", masterAddr.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if _, err := conn.Write(b); err != nil {
		t.Fatal(err)
	}
	return &listClient{Conn: conn, t: t}
}

// ask connects and requests a list.
func ask(t testing.TB, network *nettest.Streams, request sb2.ListRequest) *listClient {
	t.Helper()
	c := connect(t, network, wireBytes(t, request))
	c.stream = sb2.MasterStream{Secret: gmtest.Key, Request: request}
	return c
}

// list reads a list.
func (c *listClient) list() (l sb2.List) {
	c.t.Helper()
	var servers []sb2.Server
	for {
		s, err := nextPart(c, c.stream.NextServer)
		if err == sb2.ErrEndOfList {
			_, l, _ = c.stream.Start()
			l.Servers = servers
			return l
		}
		if err != nil {
			c.t.Fatal(err)
		}
		servers = append(servers, s)
	}
}

// push reads a pushed message.
func (c *listClient) push() sb2.Push {
	c.t.Helper()
	m, err := nextPart(c, c.stream.NextPush)
	if err != nil {
		c.t.Fatal(err)
	}
	return m
}

// wantPush reads a pushed message.
func (c *listClient) wantPush(want sb2.Push) {
	c.t.Helper()
	if diff := cmp.Diff(want, c.push(), compareAddrs); diff != "" {
		c.t.Errorf("push (-want +got):\n%s", diff)
	}
}

// wantEnd waits until the master closes the connection, and returns how long it took.
func (c *listClient) wantEnd() time.Duration {
	c.t.Helper()
	start := time.Now()
	if b, err := io.ReadAll(c); err != nil {
		c.t.Errorf("%d bytes, %v", len(b), err)
	}
	return time.Since(start)
}

func nextPart[T any](c *listClient, next func(b []byte) (T, []byte, error)) (T, error) {
	for {
		part, rest, err := next(c.unread)
		c.unread = rest
		if err != lobbywire.ErrTruncated {
			return part, err
		}
		b := make([]byte, 1000)
		n, err := c.Read(b)
		if n == 0 {
			return part, err
		}
		c.unread = b[:n]
	}
}

func requestFor(fields ...string) sb2.ListRequest {
	return sb2.ListRequest{
		ForGame: "gmtest", FromGame: "gmtest", Challenge: sb2.MakeChallenge([8]byte{1, 2, 3}),
		Fields: sb2.MakeFieldList(fields...),
	}
}

// The recorded browser gets the server that it got from the master that it was recorded
// with: by request 0, and by request 1 with a filter.
func TestMasterAnswersTheRecordedBrowser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		enlist(t, m, gameServer, recorded(t, "heartbeat_first"))
		network := serveLists(t, m)
		for _, name := range []string{"", "_filter"} {
			b := goldenList(t, "list_request"+name)
			request, err := sb2.ParseListRequest(b)
			if err != nil {
				t.Fatal(err)
			}
			want, err := sb2.ParseAnswer(goldenList(t, "answer"+name), gmtest.Key, request)
			if err != nil {
				t.Fatal(err)
			}
			c := connect(t, network, b)
			c.stream = sb2.MasterStream{Secret: gmtest.Key, Request: request}
			got := c.list()
			if len(got.Servers) != 1 {
				t.Fatalf("%d servers", len(got.Servers))
			}
			// The lists of the recorded master do not have the flag for NAT negotiation.
			server := got.Servers[0]
			if name, _ := server.Lookup("hostname"); server.Flags&sb2.FlagNATNegotiation == 0 ||
				name != "GameSpy QR2 Sample" {
				t.Errorf("a server that negotiates: %+v", server)
			}
			server.Flags &^= sb2.FlagNATNegotiation | sb2.FlagFields
			server.Fields = nil
			if diff := cmp.Diff(want.List.Servers[0], server, compareAddrs); diff != "" {
				t.Errorf("request%s: server (-recorded +got):\n%s", name, diff)
			}
			var names, wantNames []string
			for i := range got.Keys {
				names, wantNames = append(names, got.Keys[i].Name), append(wantNames, want.List.Keys[i].Name)
			}
			if diff := cmp.Diff(wantNames, names); diff != "" || got.ClientIP != want.List.ClientIP {
				t.Errorf("request%s: client %v, keys (-recorded +got):\n%s", name, got.ClientIP, diff)
			}
		}
	})
}

// The list has the address of the client, or the one in its request.
func TestMasterReturnsTheAddressOfTheClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := serveLists(t, newListMaster())
		request := requestFor()
		if got := ask(t, network, request).list().ClientIP.String(); got != "127.0.0.1" {
			t.Errorf("client at %s", got)
		}
		request.Options, request.SourceIP = sb2.OptionSourceIP, netip.MustParseAddr("203.0.113.9")
		if got := ask(t, network, request).list().ClientIP; got != request.SourceIP {
			t.Errorf("client at %s, want %s", got, request.SourceIP)
		}
	})
}

// A town is a server of a test.
type town struct {
	addr  string
	pairs []string
}

// towns are servers with keys of all kinds.
var towns = []town{
	{"198.51.100.1:6500", []string{"hostname", "Harbour", "numplayers", "4", "password", "0", "gametype", "ctf"}},
	{"198.51.100.2:6500", []string{"hostname", "Reef", "numplayers", "12", "password", "1", "gametype", "ctf"}},
	{"198.51.100.3:7000", []string{"hostname", "it's", "numplayers", "0", "gametype", "arena"}},
	{"203.0.113.4:6500", []string{"hostname", "Caf\xe9", "numplayers", "7", "gametype", "arena", "tag", "5"}},
}

// enlistTowns lists the towns, the last one with NAT negotiation.
func enlistTowns(t testing.TB, m *gamespy2net.Master) {
	for i, town := range towns {
		enlist(t, m, netip.MustParseAddrPort(town.addr), townBeat(t, i))
	}
}

func townBeat(t testing.TB, i int, pairs ...string) []byte {
	identity := qr2.Identity{State: qr2.StateStart, GameName: "gmtest", NATNegotiation: i == len(towns)-1}
	if i == 0 {
		identity.LocalAddrs, identity.LocalPort = []netip.Addr{netip.MustParseAddr("10.0.0.1")}, 7777
	}
	m := qr2.Heartbeat{Key: [4]byte{byte(i)}, Info: identity.AppendTo(nil)}
	all := append(slices.Clone(towns[i].pairs), pairs...)
	for i := 0; i < len(all); i += 2 {
		m.Info = append(m.Info, gamespy2.KeyValue{Key: all[i], Value: all[i+1]})
	}
	return wireBytes(t, m)
}

// namesOf returns the sorted values of hostname.
func namesOf(servers []sb2.Server) []string {
	names := []string{}
	for _, s := range servers {
		name, _ := s.Lookup("hostname")
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// A filter of each kind, by our client.
func TestMasterAppliesFilters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Locate = func(addr netip.Addr) (country, region string) {
			if addr.As4()[0] == 203 {
				return "DE", "4"
			}
			return "", ""
		}
		enlistTowns(t, m)
		client := gamespy2net.Client{Dial: serveLists(t, m).Dial, ListEvery: -1}
		for _, tt := range []struct {
			filter string
			want   []string
		}{
			{"", []string{"Caf\xe9", "Harbour", "Reef", "it's"}},
			{"numplayers > 5", []string{"Caf\xe9", "Reef"}},
			{"numplayers <= 4 and gametype = 'ctf'", []string{"Harbour"}},
			{"gametype = 'arena' or password = 1", []string{"Caf\xe9", "Reef", "it's"}},
			{"hostname like '%ar%'", []string{"Harbour"}},
			{"hostname like 'it''s'", []string{"it's"}},
			{"country = 'DE'", []string{"Caf\xe9"}},
			{"region = 4", []string{"Caf\xe9"}},
			{"country is null", []string{"Harbour", "Reef", "it's"}},
			{"not (numplayers = 0)", []string{"Caf\xe9", "Harbour", "Reef"}},
			{"(tag & 4) = 4", []string{"Caf\xe9"}},
			{"unknown != 1 and numplayers <> 4", []string{"Caf\xe9", "Reef", "it's"}},
			{"numplayers > 100", []string{}},
		} {
			l, err := client.List(t.Context(), masterAddr.String(), gamespy2net.ListQuery{
				Game: "gmtest", Key: gmtest.Key, Filter: tt.filter,
				Fields: sb2.MakeFieldList("hostname", "country"), Options: sb2.OptionAllFields,
			})
			if err != nil {
				t.Fatalf("%s: %v", tt.filter, err)
			}
			if diff := cmp.Diff(tt.want, namesOf(l.Servers)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.filter, diff)
			}
		}
	})
}

// Servers have the flags and addresses that they registered with, and fields if the
// client cannot query them or requests those of all servers.
func TestMasterListsServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Games[0].RequireChallenge = true
		enlistTowns(t, m)
		network := serveLists(t, m)
		c := ask(t, network, requestFor("hostname", "mapname"))
		l := c.list()
		head, _, _ := c.stream.Start()
		if head.Options != sb2.GameChallenge || len(head.Challenge) != 25 || l.ClientIP.String() != "127.0.0.1" ||
			l.DefaultPort != 6500 {
			t.Errorf("head %+v, client %v, port %d", head, l.ClientIP, l.DefaultPort)
		}
		slices.SortFunc(l.Servers, func(a, b sb2.Server) int { return a.IP.Compare(b.IP) })
		addr := netip.MustParseAddr
		want := []sb2.Server{
			{Flags: sb2.FlagUnsolicitedUDP | sb2.FlagPrivateIP | sb2.FlagPrivatePort, IP: addr("198.51.100.1"),
				PrivateIP: addr("10.0.0.1"), PrivatePort: 7777},
			{Flags: sb2.FlagUnsolicitedUDP, IP: addr("198.51.100.2")},
			{Flags: sb2.FlagUnsolicitedUDP | sb2.FlagPort, IP: addr("198.51.100.3"), Port: 7000},
			{Flags: sb2.FlagUnsolicitedUDP | sb2.FlagNATNegotiation | sb2.FlagFields, IP: addr("203.0.113.4"),
				Fields: []sb2.KeyValue{
					{Key: "hostname", Value: "Caf\xe9"}, {Key: "mapname", Value: ""},
				}},
		}
		if diff := cmp.Diff(want, l.Servers, compareAddrs); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for _, tt := range []struct {
			name    string
			options sb2.RequestOptions
			max     uint32
			want    int
		}{
			{"a limit", sb2.OptionLimit, 2, 2},
			{"a limit above the number", sb2.OptionLimit, 1 << 31, 4},
			{"a limit of 0", sb2.OptionLimit, 0, 0},
			{"groups, which there are not", sb2.OptionGroups, 0, 0},
			{"no list", sb2.OptionNoList, 0, 0},
		} {
			request := requestFor()
			request.Options, request.MaxServers = tt.options, tt.max
			if l := ask(t, network, request).list(); len(l.Servers) != tt.want ||
				l.NoList != (tt.options == sb2.OptionNoList) {
				t.Errorf("%s: %d servers, want %d, no list %v", tt.name, len(l.Servers), tt.want, l.NoList)
			}
			request.Filter = "hostname like '%e%'"
			if l := ask(t, network, request).list(); len(l.Servers) > tt.want {
				t.Errorf("%s, with a filter: %d servers", tt.name, len(l.Servers))
			}
		}
	})
}

// A list is current: servers that are new, have changed or are gone.
func TestMasterKeepsLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		enlistTowns(t, m)
		network := serveLists(t, m)
		request := requestFor("hostname", "numplayers")
		request.Options = sb2.OptionAllFields
		list := func() string {
			var all []string
			for _, s := range ask(t, network, request).list().Servers {
				all = append(all, fmt.Sprint(s.IP, s.Fields))
			}
			slices.Sort(all)
			return strings.Join(all, "\n")
		}
		first := list()
		if again := list(); again != first {
			t.Errorf("the same list: %s, then %s", first, again)
		}
		noAnswer(t, m, netip.MustParseAddrPort(towns[1].addr), townBeat(t, 1, "numplayers", "13"))
		changed := strings.Replace(first, "{numplayers 12}", "{numplayers 13}", 1)
		if got := list(); got != changed || changed == first {
			t.Errorf("after a change:\n%s\nwant\n%s", got, changed)
		}
		time.Sleep(2 * time.Minute) // popular values are chosen again
		enlist(t, m, gameServer, recorded(t, "heartbeat_first"))
		if got := list(); got != "127.0.0.1 [{hostname GameSpy QR2 Sample} {numplayers 5}]\n"+changed {
			t.Errorf("with another server:\n%s", got)
		}
		time.Sleep(gamespy2net.Expiry - time.Minute)
		if got := list(); !strings.HasPrefix(got, "127.0.0.1") || strings.Contains(got, "\n") {
			t.Errorf("after all others are gone:\n%s", got)
		}
	})
}

// Requests that the master refuses get an error, and requests that make no sense end the
// connection.
func TestMasterRefusesRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		network := serveLists(t, m)
		var many []string
		for i := range 21 {
			many = append(many, fmt.Sprint("field", i))
		}
		unknown, bad, nested := requestFor(), requestFor(), requestFor()
		unknown.ForGame = "other"
		bad.Filter = "numplayers >"
		nested.Filter = strings.Repeat("(", 400)
		for _, tt := range []struct {
			request sb2.ListRequest
			want    string
		}{
			{unknown, "unknown game"},
			{requestFor(many...), "too many fields"},
			{bad, "invalid filter: "},
			{nested, "invalid filter: "},
		} {
			if l := ask(t, network, tt.request).list(); !strings.HasPrefix(l.Error, tt.want) ||
				l.DefaultPort != sb2.ErrorPort {
				t.Errorf("%q, want %q", l.Error, tt.want)
			}
		}
		foreign := requestFor()
		foreign.FromGame = "other"
		rules := wireBytes(t, sb2.RulesRequest{Addr: gameServer})
		twice := append(wireBytes(t, requestFor()), wireBytes(t, requestFor())...)
		for name, in := range map[string][]byte{
			"the game of the client is unknown": wireBytes(t, foreign),
			"rules before a list":               rules,
			"two lists":                         twice,
			"another protocol":                  []byte("GET / HTTP/1.1\r\n\r\n"),
			"a message that is too long":        append([]byte{0xff, 0xff, 0}, make([]byte, 100)...),
			"a version that is unknown":         {0, 5, 0, 2, 3},
		} {
			if took := connect(t, network, in).wantEnd(); took != 0 {
				t.Errorf("%s: the connection ends after %v", name, took)
			}
		}
		synctest.Wait()
		if s := m.Stats(); s.RefusedLists != 4 || s.Lists != 1 || s.Conns.Open != 4 {
			t.Errorf("%+v", s)
		}
	})
}

// Silent and slow clients are disconnected.
func TestMasterEndsSlowClients(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		for i := range 3000 {
			enlist(t, m, manyServers(i),
				beat{pairs: []string{"hostname", fmt.Sprint(i, strings.Repeat("x", 100))}}.wire(t))
		}
		network := serveLists(t, m)
		if took := connect(t, network, nil).wantEnd(); took != 10*time.Second {
			t.Errorf("silent: %v", took)
		}
		request := wireBytes(t, requestFor())
		trickling := connect(t, network, nil)
		go func() {
			for _, b := range request {
				if _, err := trickling.Write([]byte{b}); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}()
		if took := trickling.wantEnd(); took != 10*time.Second {
			t.Errorf("trickling: %v", took)
		}
		idle := ask(t, network, requestFor())
		idle.list()
		if took := idle.wantEnd(); took != 2*time.Minute {
			t.Errorf("idle: %v", took)
		}
		start := time.Now()
		all := requestFor("hostname")
		all.Options = sb2.OptionAllFields
		all.Filter = "hostname != 'x'"
		ask(t, network, all) // reads nothing
		synctest.Wait()
		for m.Stats().Conns.Open > 0 {
			time.Sleep(time.Second)
		}
		if took := time.Since(start); took > 11*time.Second {
			t.Errorf("a client that does not read: %v", took)
		}
	})
}

// A subscriber gets servers that are new, that change, and that leave the filter or the
// list.
func TestMasterPushesChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		enlistTowns(t, m)
		network := serveLists(t, m)
		request := requestFor("hostname", "numplayers")
		request.Options = sb2.OptionPush
		request.Filter = "numplayers < 20"
		c := ask(t, network, request)
		if n := len(c.list().Servers); n != 4 {
			t.Fatalf("%d servers", n)
		}
		keys := []sb2.Key{{Name: "hostname"}, {Name: "numplayers"}}
		c.wantPush(sb2.PushKeys{Keys: keys})

		reef := netip.MustParseAddrPort(towns[1].addr)
		pushed := func(addr netip.AddrPort, name, players string) sb2.PushServer {
			s := sb2.Server{Flags: sb2.FlagUnsolicitedUDP | sb2.FlagFields, IP: addr.Addr(),
				Fields: []sb2.KeyValue{{Key: "hostname", Value: name}, {Key: "numplayers", Value: players}}}
			if addr.Port() != 6500 {
				s.Flags |= sb2.FlagPort
				s.Port = addr.Port()
			}
			return sb2.PushServer{Keys: keys, Server: s}
		}
		noAnswer(t, m, reef, townBeat(t, 1, "numplayers", "13"))
		c.wantPush(pushed(reef, "Reef", "13"))
		// Of several changes of a server within a second, the last one counts.
		for _, players := range []string{"14", "15", "16"} {
			noAnswer(t, m, reef, townBeat(t, 1, "numplayers", players))
		}
		c.wantPush(pushed(reef, "Reef", "16"))
		enlist(t, m, gameServer, recorded(t, "heartbeat_first"))
		sample := pushed(gameServer, "GameSpy QR2 Sample", "5")
		sample.Flags |= sb2.FlagNATNegotiation
		c.wantPush(sample)
		noAnswer(t, m, reef, townBeat(t, 1, "numplayers", "20"))
		c.wantPush(sb2.DeleteServer{Addr: reef})
		time.Sleep(30 * time.Second)
		c.wantPush(sb2.Keepalive{})
		if _, err := c.Write(wireBytes(t, sb2.Keepalive{})); err != nil {
			t.Fatal(err)
		}
		var gone []string
		for len(gone) < 5 {
			switch m := c.push().(type) {
			case sb2.DeleteServer:
				gone = append(gone, m.Addr.String())
			case sb2.Keepalive:
				if _, err := c.Write(wireBytes(t, m)); err != nil {
					t.Fatal(err)
				}
			default:
				t.Fatalf("not expected: %+v", m)
			}
		}
		slices.Sort(gone)
		if want := []string{"127.0.0.1:11111", "198.51.100.1:6500", "198.51.100.2:6500", "198.51.100.3:7000",
			"203.0.113.4:6500"}; !slices.Equal(gone, want) {
			t.Errorf("gone are %v", gone)
		}
		if s := m.Stats(); s.Subscribers != 1 || s.Pushed != 9 {
			t.Errorf("stats: %+v", s)
		}
		c.Close()
		synctest.Wait()
		if s := m.Stats(); s.Subscribers != 0 || s.Conns.Open != 0 {
			t.Errorf("after the end: %+v", s)
		}
	})
}

// A client that does not answer keepalives is disconnected, and one beyond the limit gets a
// list and no changes.
func TestMasterLimitsSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Limits.MaxSubscribers = 1
		enlistTowns(t, m)
		network := serveLists(t, m)
		request := requestFor()
		request.Options = sb2.OptionPush
		start := time.Now()
		first, second := ask(t, network, request), ask(t, network, request)
		first.list()
		second.list()
		synctest.Wait()
		if s := m.Stats(); s.Subscribers != 1 || s.Lists != 2 {
			t.Errorf("%+v", s)
		}
		first.wantEnd()
		if took := time.Since(start); took != 2*time.Minute {
			t.Errorf("ended after %v", took)
		}
	})
}

// A subscriber that does not read its changes is disconnected.
func TestMasterEndsSlowSubscribers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Unchecked = true
		network := serveLists(t, m)
		request := requestFor("hostname")
		request.Options = sb2.OptionPush
		c := ask(t, network, request)
		c.list()
		synctest.Wait()
		enlist(t, m, gameServer, beat{}.wire(t))
		synctest.Wait()
		for i := range 5000 { // more than are kept
			noAnswer(t, m, gameServer, beat{pairs: []string{"hostname", fmt.Sprint(i)}}.wire(t))
		}
		start := time.Now()
		c.wantEnd()
		if took := time.Since(start); took > 2*time.Second { // later, the idle time ends it
			t.Errorf("ended after %v", took)
		}
		synctest.Wait()
		if s := m.Stats(); s.Conns.Open != 0 || s.Subscribers != 0 {
			t.Errorf("%+v", s)
		}
	})
}

// A client gets all keys of a server that is listed, and sends it messages.
func TestMasterSendsRulesAndForwardsMessages(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Games = append(m.Games, gamespy2net.Game{Name: "other", Key: gmtest.Key})
		m.Locate = func(netip.Addr) (country, region string) { return "DE", "" }
		enlist(t, m, gameServer, recorded(t, "heartbeat_first"))
		// A client of gmtest gets nothing of this one, and its messages do not reach it.
		enlist(t, m, otherServer, beat{game: "other"}.wire(t))
		var packets nettest.Network
		pc, err := packets.Listen(netip.MustParseAddrPort("192.0.2.100:27900"))
		if err != nil {
			t.Fatal(err)
		}
		server, err := packets.Listen(gameServer)
		if err != nil {
			t.Fatal(err)
		}
		defer server.Close()
		go m.Serve(pc)
		synctest.Wait()
		network := serveLists(t, m)
		synctest.Wait() // until it serves
		request := requestFor()
		request.Options = sb2.OptionNoList
		c := ask(t, network, request)
		c.list()
		for _, unlisted := range []sb2.Request{
			sb2.RulesRequest{Addr: otherServer},
			sb2.MessageRequest{Addr: otherServer, Data: []byte("x")},
			sb2.MessageRequest{Addr: gameServer, Data: make([]byte, 513)},
			sb2.MapLoopRequest{Addr: gameServer},
			sb2.PlayerSearchRequest{Name: "Ann"},
			sb2.Unknown{Type: 9},
			sb2.RulesRequest{Addr: gameServer},
			sb2.MessageRequest{Addr: gameServer, Data: qr2.NATNegotiation(7)},
		} {
			if _, err := c.Write(wireBytes(t, unlisted)); err != nil {
				t.Fatal(err)
			}
		}
		c.wantPush(sb2.PlayerSearch{Final: true}) // the only answer to a request before that for rules
		push, ok := c.push().(sb2.PushServer)
		if !ok || push.Flags != sb2.FlagUnsolicitedUDP|sb2.FlagNATNegotiation|sb2.FlagPort|sb2.FlagRules ||
			push.Port != 11111 {
			t.Fatalf("pushed: %+v", push)
		}
		for key, want := range map[string]string{
			"hostname": "GameSpy QR2 Sample", "gravity": "800", "country": "DE", "team_t1": "", "player_4": "",
		} {
			if got, ok := push.Lookup(key); !ok || want != "" && got != want {
				t.Errorf("%s is %q, %v", key, got, ok)
			}
		}
		if _, ok := push.Lookup("localip0"); ok {
			t.Error("rules have the local address")
		}
		b := make([]byte, 1000)
		n, from, err := server.ReadFrom(b)
		if err != nil {
			t.Fatal(err)
		}
		message, err := qr2.ParseClientMessage(b[:n])
		cookie, isNAT := message.NATCookie()
		if err != nil || message.Key != instance || cookie != 7 || !isNAT || from.String() != "192.0.2.100:27900" {
			t.Errorf("message %+v from %v, %v", message, from, err)
		}
		synctest.Wait() // the master counts a message after it has sent it
		if s := m.Stats(); s.Rules != 1 || s.Messages != 1 {
			t.Errorf("stats: %+v", s)
		}
	})
}

// A source has a limit on requests, over all its connections.
func TestMasterLimitsRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		network := serveLists(t, m)
		got := 0
		for range 25 {
			c := ask(t, network, requestFor())
			if _, err := nextPart(c, c.stream.NextServer); err == sb2.ErrEndOfList {
				got++
			}
			c.Close()
		}
		synctest.Wait()
		if s := m.Stats(); got != 10 || s.LimitedClients != 15 {
			t.Errorf("%d lists, %+v", got, s)
		}
		time.Sleep(time.Second)
		ask(t, network, requestFor()).list()
	})
}

// Shutdown ends idle connections and subscribers.
func TestMasterEndsLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		enlistTowns(t, m)
		network := serveLists(t, m)
		request := requestFor()
		request.Options = sb2.OptionPush
		subscriber, idle := ask(t, network, request), ask(t, network, requestFor())
		subscriber.list()
		idle.list()
		if err := m.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		subscriber.wantEnd()
		idle.wantEnd()
		if _, err := network.Dial(t.Context(), "tcp", masterAddr.String()); err == nil {
			t.Error("a connection after the end")
		}
	})
}

// Clients, subscribers and servers at once, over sockets.
func TestMasterListsAreSafeForConcurrentUse(t *testing.T) {
	t.Parallel()
	m := newListMaster()
	m.Unchecked = true
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- m.ServeLists(l) }()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	query := gamespy2net.ListQuery{Game: "gmtest", Key: gmtest.Key, Fields: sb2.MakeFieldList("hostname"),
		Options: sb2.OptionAllFields}
	const clients = 4
	servers := suite.Pick(100, 300)
	done := make(chan error, 2*clients)
	for i := range clients {
		query := query
		query.Filter = []string{"", "hostname like '%1%'"}[i%2]
		go func() {
			client := gamespy2net.Client{ListEvery: -1, Timeout: time.Minute}
			for ctx.Err() == nil {
				if _, err := client.List(ctx, l.Addr().String(), query); err != nil && ctx.Err() == nil {
					done <- err
					return
				}
				time.Sleep(time.Millisecond) // leaves the processors to the others
			}
			done <- nil
		}()
		go func() {
			client := gamespy2net.Client{Timeout: time.Minute}
			seen := map[netip.AddrPort]bool{}
			for change, err := range client.Subscribe(ctx, l.Addr().String(), query, true) {
				if err != nil {
					done <- err
					return
				}
				seen[change.Addr] = true // and the zero address
				if i%2 == 0 && len(seen) > servers {
					break
				}
			}
			done <- nil
		}()
	}
	for i := range servers {
		enlist(t, m, manyServers(i), beat{pairs: []string{"hostname", fmt.Sprint("Server ", i)}}.wire(t))
		time.Sleep(time.Millisecond)
	}
	for range clients / 2 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	cancel()
	for range 2*clients - clients/2 {
		if err := <-done; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
	m.Close()
	if err := <-ended; err != lobbywire.ErrClosed {
		t.Error(err)
	}
}

// However many different lists clients request, those that the Master keeps have a
// limit.
func TestMasterForgetsLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		m.Unchecked = true
		for i := range suite.Pick(1000, 2000) {
			enlist(t, m, manyServers(i),
				beat{pairs: []string{"hostname", fmt.Sprint(i, strings.Repeat("x", 1000))}}.wire(t))
		}
		network := serveLists(t, m)
		// The Master encodes and keeps whole lists, and sends one server of them.
		list := func(field string) {
			request := requestFor("hostname", field)
			request.Options, request.MaxServers = sb2.OptionAllFields|sb2.OptionLimit, 1
			c := ask(t, network, request)
			if n := len(c.list().Servers); n != 1 {
				t.Errorf("%d servers", n)
			}
			c.Close()
		}
		list("first")
		before := suite.Heap()
		for i := range 30 {
			list(fmt.Sprint("field", i))
		}
		if used := int64(suite.Heap()) - int64(before); used < 8<<20 || used > 24<<20 {
			t.Errorf("%d bytes of lists are kept", used)
		}
		runtime.KeepAlive(m)
	})
}
