package main

import (
	stdcmp "cmp"
	"context"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/internal/browser"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// fetchAll returns the entries that ui shows for the given flags, by protocol and
// address.
func fetchAll(t *testing.T, u browsing) (found map[string]browser.Entry, sources int) {
	t.Helper()
	u.Settings = protocols.Settings{Timeout: 500 * time.Millisecond, Attempts: 3, Chunks: 1}
	u.every = time.Second
	favourites, err := browser.LoadFavourites("")
	if err != nil {
		t.Fatal(err)
	}
	all, err := u.sources(newUICommand(tap.Sockets{}), favourites)
	if err != nil {
		t.Fatal(err)
	}
	found = map[string]browser.Entry{}
	var mu sync.Mutex
	for _, s := range all {
		failures := s(t.Context(), func(e browser.Entry) {
			mu.Lock()
			defer mu.Unlock()
			found[e.Protocol+" "+stdcmp.Or(e.Address, e.ID)] = e
		})
		if failures != nil {
			t.Errorf("failures: %v", failures)
		}
	}
	return found, len(all)
}

// The browser gets servers from lists and by queries: a server with a name by the
// address that answers, and a server of a game by its query port.
func TestUISources(t *testing.T) {
	suite.Localhost(t)
	sqp, _ := background(t, "serve", "sqp", "-name", "Ours", "127.0.0.1:0")
	_, port, _ := strings.Cut(sqp, ":")
	lobby, _ := background(t, "master", "warzone", "127.0.0.1:0")
	master, _ := background(t, "master", "gameagent", "127.0.0.1:0")
	game, query := serveBelowSilence(t)
	closed := nettest.ClosedUDP(t)
	found, sources := fetchAll(t, browsing{
		servers: []string{"sqp=" + sqp, "sqp=localhost:" + port, "sqp=" + closed, "sqp=host.invalid:1", "serioussam=" + game},
		lists:   []string{"warzone=" + lobby, "gameagent=" + master},
	})
	if e := found["sqp "+sqp]; e.View.Name != "Ours" || e.RTT <= 0 || e.Err != nil {
		t.Errorf("the server of a target: %+v", e)
	}
	if e := found["gameagent 127.0.0.1:"+strconv.Itoa(query)]; e.View.Name != "Karnak" {
		t.Errorf("the server of a master: %+v", e)
	}
	for _, silent := range []string{"sqp " + closed, "sqp host.invalid:1"} {
		if e := found[silent]; e.Err == nil {
			t.Errorf("%s: %+v", silent, e)
		}
	}
	if sources != 3 || len(found) != 4 {
		t.Errorf("%d sources, found %v", sources, found)
	}
}

// The servers on the list of a GameSpy master are queried. A server that is also given
// by a flag appears once.
func TestUIShowsGameSpyMasters(t *testing.T) {
	list := programtest.UnusedAddr(t)
	master, _ := background(t, "master", "gamespy2", "127.0.0.1:0", list)
	addr, _ := background(t, "serve", "gamespy2", "127.0.0.1:0", "-register", master, "-name", "Listed")
	awaitRow(t, []string{"list", "gamespy2", "-game", "gmtest", "-key", "HA6zkS", list})
	found, _ := fetchAll(t, browsing{
		lists: []string{"gamespy2=" + list}, servers: []string{"gamespy2=" + addr},
		gamespy2: gamespy2Query{game: "gmtest", fields: "hostname"}, key: "HA6zkS",
	})
	if e := found["gamespy2 "+addr]; e.View.Name != "Listed" || e.RTT <= 0 || len(found) != 1 {
		t.Errorf("found %v", found)
	}
}

// A favourite is queried in its own form, whatever -ask is for others.
func TestUIQueriesFavouritesInTheirForm(t *testing.T) {
	addr, _ := background(t, "serve", "gameagent", "127.0.0.1:0")
	file := filepath.Join(t.TempDir(), "favourites")
	if err := os.WriteFile(file, []byte("gameagent "+addr+"\ngameagent "+addr+" legacy\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	favourites, err := browser.LoadFavourites(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []string{"", "full", "legacy"} {
		u := browsing{Settings: protocols.Settings{Ask: ask, Timeout: time.Second, Attempts: 3}, every: time.Second}
		sources, err := u.sources(newUICommand(tap.Sockets{}), favourites)
		if err != nil {
			t.Fatal(err)
		}
		found := map[browser.Key]error{}
		for _, s := range sources {
			s(t.Context(), func(e browser.Entry) {
				found[browser.Key{Protocol: e.Protocol, Form: e.Form, Address: e.Address}] = e.Err
			})
		}
		want := map[browser.Key]error{}
		for _, f := range favourites.All() {
			want[f] = nil
		}
		if diff := cmp.Diff(want, found); diff != "" {
			t.Errorf("-ask %q (-want +got):\n%s", ask, diff)
		}
	}
}

// Each game of a list without addresses has its own row.
func TestUIKeepsGamesApart(t *testing.T) {
	rows := map[string]bool{}
	for _, row := range []lobbywire.Row{
		{Seen: []lobbywire.Sighting{{Protocol: "wzhttp", ID: "AAAAAAA"}}},
		{Seen: []lobbywire.Sighting{{Protocol: "wzhttp", ID: "BBBBBBB"}}},
		{Seen: []lobbywire.Sighting{{Protocol: "warzone"}}, View: lobbywire.View{Name: "One"}},
		{Seen: []lobbywire.Sighting{{Protocol: "warzone"}}, View: lobbywire.View{Name: "Two"}},
	} {
		e := entryOf(row)
		rows[e.ID] = true
		if e.Address != "" {
			t.Errorf("%+v has an address", e)
		}
	}
	if len(rows) != 4 {
		t.Errorf("rows %v", rows)
	}
}

// A claims is a list that names one game at an address.
type claims string

func (c claims) ListViews(context.Context, string) lobbywire.ListResult {
	v := lobbywire.View{Name: string(c), Host: "192.0.2.1", Port: 2100}
	return lobbywire.ListResult{Protocol: "warzone", Servers: []lobbywire.Listed{{View: v}}}
}

// A list that names a game of another one otherwise does not take its row.
func TestUIKeepsClaimsApart(t *testing.T) {
	u := browsing{lists: []string{"one", "two"}}
	names := map[string]string{}
	u.browse([]lobbywire.Source{
		{List: lobbywire.List{Lister: claims("Rush")}}, {List: lobbywire.List{Lister: claims("Evil")}},
	})(t.Context(), func(e browser.Entry) { names[e.Address] = e.View.Name })
	if len(names) != 2 {
		t.Errorf("%v", names)
	}
}

// A server gets the command of its game under any name of it, or else the one of its
// protocol.
func TestUILaunches(t *testing.T) {
	var l launches
	for _, s := range []string{"gamespy2=go {address}", "Unreal Tournament=go -ut {address}", "bf2=go -bf2 {address}"} {
		if err := l.Set(s); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ protocol, game, want string }{
		{"gamespy2", "battlefield2", "go -bf2 {address}"},
		{"gamespy2", "BF2", "go -bf2 {address}"},
		{"gameagent", "ut", "go -ut {address}"},
		{"gamespy2", "another game", "go {address}"},
		{"gamespy2", "", "go {address}"},
		{"sqp", "another game", ""},
	} {
		if got := strings.Join(l.command(tt.protocol, tt.game), " "); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.protocol, tt.game, got, tt.want)
		}
	}
}

func TestUIRefuses(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"ui"}, exitUsage, "nothing to show"},
		{[]string{"ui", "-list", "warzone"}, exitUsage, "PROTOCOL=ADDRESS"},
		{[]string{"ui", "-list", "sqp=127.0.0.1:1"}, exitUsage, "no master"},
		{[]string{"ui", "-list", "gamespy2=127.0.0.1:1"}, exitUsage, "needs -game and -key"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-game", "duel"}, exitUsage, "-game is for gamespy2 only"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-key", "k"}, exitUsage, "-key is for gamespy2 only"},
		{[]string{"ui", "-server", "sqp=127.0.0.1"}, exitUsage, "port is missing"},
		{[]string{"ui", "-server", "warzone=127.0.0.1:1"}, exitUsage, "queries"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-every", "0s"}, exitUsage, "-every"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-launch", "warzone"}, exitUsage, "want GAME='command {address}'"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-launch", "nogame=go {address}"}, exitUsage, `no PROTOCOL or GAME "nogame"`},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-launch", "warzone=go"}, exitUsage, "the command has no {address}"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1", "-launch", "warzone=no-such-program {address}"}, exitUsage, "no-such-program"},
		{[]string{"ui", "-list", "warzone=127.0.0.1:1"}, exitFailed, "needs a terminal"},
	} {
		code, _, stderr := gamequery(nil, tt.args...)
		if code != tt.code || !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: exit code %d, %s", tt.args, code, stderr)
		}
	}
}

// A list that hangs does not delay the servers of other sources, and ends with ui.
func TestUIShowsServersWhileListsHang(t *testing.T) {
	sqp, _ := background(t, "serve", "sqp", "-name", "Ours", "127.0.0.1:0")
	u := browsing{
		Settings: protocols.Settings{Timeout: time.Hour, Attempts: 1, Chunks: 1},
		lists:    []string{"warzone=" + silentLobby(t), "bomberman=" + silentLobby(t)},
		servers:  []string{"sqp=" + sqp},
		every:    time.Second,
	}
	favourites, err := browser.LoadFavourites("")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := u.sources(newUICommand(tap.Sockets{}), favourites)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	found := make(chan browser.Entry, 1)
	var running sync.WaitGroup
	for _, s := range sources {
		running.Go(func() { s(ctx, func(e browser.Entry) { found <- e }) })
	}
	if e := <-found; e.Address != sqp || e.View.Name != "Ours" {
		t.Errorf("first %+v", e)
	}
	cancel()
	running.Wait()
}

// silentLobby returns the address of a server that accepts connections and sends nothing.
func silentLobby(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l.Addr().String()
}
