package lobbywire_test

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// A game answers queries in four protocols. It describes itself once.
func Example_setView() {
	view := lobbywire.View{
		Name: "Duel", Game: "duel", Map: "Harbor", Mode: "ctf", Version: "1.2", Port: 25600, Max: new(8),
		Roster: []lobbywire.Player{{Name: "Ada", Score: new(12)}},
	}
	servers := []interface {
		SetView(v lobbywire.View) (changed []string)
		Serve(socket net.PacketConn) error
		Close() error
	}{new(gameagentnet.Server), new(gamespy1net.Server), new(gamespy2net.Server), new(sqpnet.Server)}
	for _, server := range servers {
		server.SetView(view)                                  // and whenever something changes
		socket, err := net.ListenPacket("udp", "127.0.0.1:0") // of the first two: the port after the game's
		if err != nil {
			fmt.Println(err)
			return
		}
		go server.Serve(socket)
		defer server.Close()
	}
	fmt.Println(len(servers), "servers")
	// Output: 4 servers
}

// described is a View with all that SetView uses.
func described() lobbywire.View {
	return lobbywire.View{
		Name: "Duel", Game: "duel", Map: "Harbor", Mode: "ctf", Version: "1.2", Port: 7777,
		Players: new(3), Max: new(8), Password: new(true),
		Bots: new(1),
		Roster: []lobbywire.Player{
			{Name: "Ada", Score: new(12), Ping: new(20), Team: "Red", Bot: new(false), Kills: new(0), Deaths: new(4),
				Rules: []lobbywire.Rule{{Key: "skill_", Value: "7"}, {Key: "time_", Value: "60"}}},
			{Name: "Bob", Score: new(-1), Ping: new(30), Team: "Blue", Bot: new(true), Deaths: new(1),
				Rules: []lobbywire.Rule{{Key: "time_", Value: "61"}}},
		},
		Teams: []lobbywire.Team{{Name: "Red", Score: new(5)}, {Name: "Blue", Score: new(0)}},
		Rules: []lobbywire.Rule{{Key: "gravity", Value: "800"}},
	}
}

// What SetView sets is what clients see, as far as the protocol has it.
func TestSetViewSetsWhatClientsSee(t *testing.T) {
	sqpView := described()
	sqpView.Game, sqpView.Password, sqpView.Bots = "", nil, nil

	gamespyView := described()
	gamespyView.Rules = append([]lobbywire.Rule{
		{Key: "hostname", Value: "Duel"}, {Key: "gamename", Value: "duel"}, {Key: "gamever", Value: "1.2"},
		{Key: "mapname", Value: "Harbor"}, {Key: "gametype", Value: "ctf"}, {Key: "numplayers", Value: "3"},
		{Key: "maxplayers", Value: "8"}, {Key: "password", Value: "1"}, {Key: "hostport", Value: "7777"},
		{Key: "numbots", Value: "1"},
	}, gamespyView.Rules...)

	gameagentView := described()
	gameagentView.Bots, gameagentView.Rules = nil, nil
	for i := range gameagentView.Roster {
		gameagentView.Roster[i].Bot = nil
	}

	want := map[netip.AddrPort]lobbywire.View{atSQP: sqpView, atGameSpy: gamespyView, atGameAgent: gameagentView}
	synctest.Test(t, func(t *testing.T) {
		n := newMixedNet(t)
		for _, s := range n.servers {
			if changed := s.SetView(described()); changed != nil {
				t.Errorf("%q are changed", changed)
			}
		}
		n.sqp.ViewChunks = sqp.ChunkServerInfo | sqp.ChunkServerRules | sqp.ChunkPlayerInfo | sqp.ChunkTeamInfo
		got := map[netip.AddrPort]lobbywire.View{}
		for r := range resultsOf(t.Context(),
			clientScan{&n.sqp, slices.Values([]netip.AddrPort{atSQP})},
			clientScan{&n.gamespy2, slices.Values([]netip.AddrPort{atGameSpy})},
			clientScan{&n.gamespy1, slices.Values([]netip.AddrPort{atGameAgent})},
		) {
			if r.Query == atGameAgent {
				r.View.Rules = nil // the keys of the protocol
			}
			got[r.Query] = r.View
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// A state that is set while a server starts is kept.
func TestSetViewAtTheStartIsKept(t *testing.T) {
	from := netip.MustParseAddrPort("192.0.2.1:5000")
	type server interface {
		SetView(v lobbywire.View) (changed []string)
		Respond(from netip.AddrPort, req []byte, dst [][]byte) (answers [][]byte, ok bool)
	}
	for name, tt := range map[string]struct {
		make func() server
		ask  func(s server) []byte // returns a request
	}{
		"sqp": {func() server { return new(sqpnet.Server) }, func(s server) []byte {
			req, _ := sqp.ChallengeRequest{}.AppendBinary(nil)
			challenge, err := sqp.ParseChallengeResponse(nettest.Answers(s.Respond(from, req, nil))[0])
			if err != nil {
				t.Fatal(err)
			}
			req, _ = sqp.QueryRequest{Token: challenge.Token, Chunks: sqp.ChunkServerInfo}.AppendBinary(nil)
			return req
		}},
		"gamespy2": {func() server { return new(gamespy2net.Server) }, func(server) []byte {
			req, _ := gamespy2.Request{Type: gamespy2.TypeQuery, Info: gamespy2.All()}.AppendBinary(nil)
			return req
		}},
		"gameagent": {func() server { return new(gameagentnet.Server) }, func(server) []byte {
			req, _ := gameagent.StatusRequest{}.AppendBinary(nil)
			return req
		}},
		"gamespy1": {func() server { return new(gamespy1net.Server) }, func(server) []byte { return []byte(`\info\`) }},
	} {
		for range suite.Pick(100, 300) {
			s := tt.make()
			var starting sync.WaitGroup
			starting.Go(func() { s.Respond(from, nil, nil) })
			s.SetView(described())
			starting.Wait()
			if got, _ := s.Respond(from, tt.ask(s), nil); len(got) == 0 || !bytes.Contains(got[0], []byte("Duel")) {
				t.Fatalf("%s: %q", name, got)
			}
		}
	}
}

// The same for what keeps a game listed, at masters on loopback.
func TestSetViewSetsWhatMastersList(t *testing.T) {
	game, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	v := described()
	v.Host, v.Max, v.Port = "127.0.0.1", new(4), game.Addr().(*net.TCPAddr).AddrPort().Port()

	var masters bombermannet.ManagementServer
	var lobby warzonenet.Lobby
	registrar := bombermannet.Registrar{Addr: serveTCP(t, &masters)}
	host := warzonenet.Host{Addr: serveTCP(t, &lobby)}
	if changed := slices.Concat(registrar.SetView(v), host.SetView(v)); changed != nil {
		t.Errorf("%q are changed", changed)
	}
	for _, run := range []func(context.Context) error{registrar.Run, host.Run,
		func(context.Context) error { return host.ServeAlive(game) }} {
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			run(t.Context())
		}()
		t.Cleanup(func() { <-ended })
	}
	t.Cleanup(func() { host.Close() })

	var bomberman bombermannet.Client
	var warzone warzonenet.Client
	bomberman.ListEvery, warzone.ListEvery = -1, -1
	wantListed(t, v, func() ([]lobbywire.View, error) {
		l, err := bomberman.List(t.Context(), registrar.Addr)
		return l.Views(), err
	})
	wantListed(t, v, func() ([]lobbywire.View, error) {
		l, err := warzone.List(t.Context(), host.Addr)
		return l.Views(), err
	})
}

// serveTCP serves on loopback until the test ends, and returns where.
func serveTCP(t *testing.T, s interface {
	Serve(net.Listener) error
	Close() error
}) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Serve(l)
	}()
	t.Cleanup(func() {
		s.Close()
		<-ended
	})
	return l.Addr().String()
}

// wantListed waits for a game with the places, players and name of v.
func wantListed(t *testing.T, v lobbywire.View, list func() ([]lobbywire.View, error)) {
	t.Helper()
	var got []lobbywire.View
	tries := time.NewTicker(10 * time.Millisecond)
	defer tries.Stop()
	for range 1000 {
		<-tries.C
		var err error
		got, err = list()
		if err != nil {
			t.Fatal(err)
		}
		// The players and places of Bomberman come after the registration.
		if len(got) == 1 && got[0].Name == v.Name && *got[0].Players == *v.Players && *got[0].Max == *v.Max &&
			got[0].Port == v.Port && got[0].Host == v.Host {
			return
		}
	}
	t.Errorf("%+v is listed, want %+v", got, v)
}
