package health

import (
	"fmt"
	"net"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// game adds a game of a host on 127.0.0.1.
func game(t *testing.T, g *warzonegames.Games, port uint16, name string, players uint32) warzonegames.Entry {
	t.Helper()
	e, err := g.Add(warzonegames.Entry{
		Key: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), port),
		Game: warzone.Game{Version: warzone.Version4, Name: name, MapName: "Rush", MaxPlayers: 4,
			CurrentPlayers: players},
	})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func watcher() *Watcher {
	j := new(Judge)
	return &Watcher{Catalogue: new(catalogue.Catalogue), Judge: j, Node: "here", ProbeEvery: -1}
}

// quarantined returns why games are hidden, by their names.
func quarantined(c *catalogue.Catalogue) map[string]string {
	all := make(map[string]string)
	for _, e := range c.Snapshot().Entries {
		all[e.Name] = e.Quarantine
	}
	return all
}

// New rules apply to games that are already listed. A game is listed again when it no
// longer violates the rules.
func TestNewRulesApplyToListedGames(t *testing.T) {
	w := watcher()
	w.Warzone = &warzonegames.Games{Admit: w.Judge.AdmitWarzone}
	good := game(t, w.Warzone, 2100, "Good", 2)
	game(t, w.Warzone, 2101, "Coins", 2)
	mad := game(t, w.Warzone, 2102, "Mad", 1000)
	listed := func(want ...string) {
		t.Helper()
		var got []string
		for e := range w.Warzone.All() {
			if !e.Withheld {
				got = append(got, e.Game.Name)
			}
		}
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("listed:\n%s", diff)
		}
	}
	w.look(t.Context(), time.Now())
	listed("Coins", "Good")
	if diff := cmp.Diff(map[string]string{"Good": "", "Coins": "", "Mad": "claims 1000 players of 4"},
		quarantined(w.Catalogue)); diff != "" {
		t.Error(diff)
	}

	w.Judge.SetRules(Rules{Patterns: []*regexp.Regexp{regexp.MustCompile("^Coins$")}})
	if _, err := w.Warzone.Update(mad.ID, func(e *warzonegames.Entry) { e.Game.CurrentPlayers = 3 }); err != nil {
		t.Fatal(err)
	}
	listed("Coins", "Good", "Mad")
	w.look(t.Context(), time.Now())
	listed("Good", "Mad")

	w.Judge.SetRules(Rules{Banned: set(t, "127.0.0.0/8")})
	w.look(t.Context(), time.Now())
	listed()
	w.Judge.SetRules(Rules{})
	w.look(t.Context(), time.Now())
	listed("Coins", "Good", "Mad")

	if e, ok := w.Catalogue.Snapshot().Find(fmt.Sprint("warzone-", good.ID)); !ok || e.Address != "127.0.0.1:2100" ||
		e.Map != "Rush" ||
		e.Players != 2 || e.MaxPlayers != 4 || e.Node != "here" || e.Source != "lobby" || e.Reach != catalogue.Unknown {
		t.Errorf("got %+v", e)
	}
}

// A game that waits too long for its start is hidden, although its state does not change, and
// listed again if it starts.
func TestUnstartedGamesAreHidden(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watcher()
		w.Warzone = &warzonegames.Games{Admit: w.Judge.AdmitWarzone}
		w.Judge.SetRules(Rules{Unstarted: time.Hour})
		expect := func(step string, want map[string]string) {
			t.Helper()
			w.look(t.Context(), time.Now())
			if diff := cmp.Diff(want, quarantined(w.Catalogue)); diff != "" {
				t.Errorf("%s:\n%s", step, diff)
			}
			for e := range w.Warzone.All() {
				if e.Withheld != (want[e.Game.Name] != "") {
					t.Errorf("%s: %s is withheld: %v", step, e.Game.Name, e.Withheld)
				}
			}
		}
		old := game(t, w.Warzone, 2100, "Old", 1)
		expect("new", map[string]string{"Old": ""})
		time.Sleep(59 * time.Minute)
		game(t, w.Warzone, 2101, "Young", 1)
		expect("soon", map[string]string{"Old": "", "Young": ""})
		time.Sleep(time.Minute)
		const late = "has not started for 1h0m0s"
		expect("late", map[string]string{"Old": late, "Young": ""})
		before := w.Catalogue.Snapshot().Version
		expect("later", map[string]string{"Old": late, "Young": ""})
		if after := w.Catalogue.Snapshot().Version; after != before {
			t.Errorf("version %d became %d", before, after)
		}
		if _, err := w.Warzone.Update(old.ID, func(e *warzonegames.Entry) { e.Started = true }); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Hour)
		expect("started", map[string]string{"Old": "", "Young": late})
		w.Judge.SetRules(Rules{})
		expect("off", map[string]string{"Old": "", "Young": ""})
	})
}

// Only a server that has proved that it is at the marked address is official: not a server with its
// name, at another port of its machine, without a check, or that only claims its port.
func TestOnlyProvenServersAreOfficial(t *testing.T) {
	w := watcher()
	w.Warzone = &warzonegames.Games{Admit: w.Judge.AdmitWarzone}
	w.Bomberman = new(bombermannet.ManagementServer)
	marked := netip.MustParseAddrPort("127.0.0.1:2100")
	w.Judge.SetRules(Rules{Official: map[netip.AddrPort]bool{marked: true}})
	add := func(at string, verified bool) uint32 {
		t.Helper()
		e, err := w.Warzone.Add(warzonegames.Entry{Key: netip.MustParseAddrPort(at), Verified: verified,
			Game: warzone.Game{Version: warzone.Version4, Name: "Ours", MaxPlayers: 4}})
		if err != nil {
			t.Fatal(err)
		}
		return e.ID
	}
	official := func() (all []string) {
		w.look(t.Context(), time.Now())
		for _, e := range w.Catalogue.Snapshot().Entries {
			if e.Official {
				all = append(all, e.Address)
			}
		}
		return all
	}
	add("127.0.0.1:2101", true)
	add("127.0.0.2:2100", true)
	unchecked := add(marked.String(), false)
	if got := official(); got != nil {
		t.Errorf("%q is official", got)
	}
	w.Warzone.Remove(unchecked)
	add(marked.String(), true)
	if got := official(); !slices.Equal(got, []string{marked.String()}) {
		t.Errorf("%q is official", got)
	}
	w.Judge.SetRules(Rules{})
	if got := official(); got != nil {
		t.Errorf("%q is official without a mark", got)
	}

	claimed := bombermannet.Entry{ID: 1, From: marked,
		Server: bomberman.Server{Name: "Ours", Address: "127.0.0.1", Port: int(marked.Port())}}
	x := bombermanItem(claimed)
	w.Judge.SetRules(Rules{Official: map[netip.AddrPort]bool{marked: true}})
	var s server
	w.read(new(look), catalogue.Bomberman, &s, x)
	if !s.shown.Verified || s.shown.At != marked || s.shown.Official {
		t.Errorf("a claimed port: %+v", s.shown)
	}
}

// A look changes only catalogue entries of changed servers, and updates when a server was last
// heard of only from time to time.
func TestLookKeepsTheRest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := watcher()
		w.Warzone = &warzonegames.Games{Admit: w.Judge.AdmitWarzone}
		node := "far"
		w.Origin = func(catalogue.Family, string) string { return node }
		var ids []uint32
		for i := range 3 {
			ids = append(ids, game(t, w.Warzone, uint16(2100+i), fmt.Sprint("Game ", i), 1).ID)
		}
		look := func() map[string]*catalogue.Entry {
			w.look(t.Context(), time.Now())
			all := make(map[string]*catalogue.Entry)
			for _, e := range w.Catalogue.Snapshot().Entries {
				all[e.Name] = e
			}
			return all
		}
		before := look()
		expect := func(step string, changed ...string) {
			t.Helper()
			after := look()
			for name, e := range after {
				if (before[name] != e) != slices.Contains(changed, name) {
					t.Errorf("%s: %s has changed: %v", step, name, before[name] != e)
				}
			}
			before = after
		}
		expect("nothing")
		if _, err := w.Warzone.Update(ids[0], func(e *warzonegames.Entry) { e.Game.CurrentPlayers++ }); err != nil {
			t.Fatal(err)
		}
		expect("a player", "Game 0")
		w.Warzone.Remove(ids[2])
		expect("one less")
		if len(before) != 2 {
			t.Errorf("%d are left", len(before))
		}
		heard := func(id uint32) {
			if _, err := w.Warzone.Update(id, func(*warzonegames.Entry) {}); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(SeenEvery / 2)
		heard(ids[1])
		expect("heard of again")
		node = "near"
		expect("another node", "Game 1") // the other was not heard of
		time.Sleep(SeenEvery)
		heard(ids[1])
		expect("heard of later", "Game 1")
		w.Judge.SetRules(Rules{Patterns: []*regexp.Regexp{regexp.MustCompile("Game 0")}})
		expect("other rules", "Game 0", "Game 1")
		if before["Game 0"].Quarantine == "" || w.Warzone.Stats().Withheld != 1 {
			t.Errorf("it is listed: %+v", before["Game 0"])
		}
		expect("the same rules", "Game 0") // the master withholds it since
		expect("again the same rules")
	})
}

// If very many games of an address share a name, only the first are listed until fewer
// have the name.
func TestSameNamesOfAnAddressAreFew(t *testing.T) {
	w := watcher()
	w.Warzone = &warzonegames.Games{Admit: w.Judge.AdmitWarzone}
	w.Judge.SetRules(Rules{SameName: 10})
	game(t, w.Warzone, 1, "One", 1)
	first := game(t, w.Warzone, 99, "Spam", 1)
	w.look(t.Context(), time.Now())
	var last warzonegames.Entry
	for i := range 14 {
		last = game(t, w.Warzone, uint16(100+i), strings.Repeat(" ", i%3)+"Spam", 1)
	}
	for range 2 { // the first counts, the second judges
		w.look(t.Context(), time.Now())
	}
	count := func() (all, withheld int) {
		for e := range w.Warzone.All() {
			all++
			if e.Withheld {
				withheld++
			}
		}
		return all, withheld
	}
	if all, withheld := count(); all != 16 || withheld != 5 {
		t.Errorf("%d of %d are withheld", withheld, all)
	}
	if e, ok := w.Warzone.FindID(first.ID); !ok || e.Withheld {
		t.Error("the first is withheld")
	}
	if e, _ := w.Catalogue.Snapshot().Find(fmt.Sprint("warzone-",
		last.ID)); e.Quarantine != "one of more than 10 of this name at its address" {
		t.Errorf("got %q", e.Quarantine)
	}
	changes, _ := w.Catalogue.Subscribe()
	defer changes.Close()
	game(t, w.Warzone, 200, "Spam", 1)
	w.look(t.Context(), time.Now())
	w.look(t.Context(), time.Now())
	if got := <-changes.C; len(got.Put) != 1 || len(changes.C) != 0 {
		t.Errorf("one more of them changes %d", len(got.Put))
	}
	removed := []uint32{first.ID}
	for e := range w.Warzone.All() {
		if e.Withheld && len(removed) < 6 {
			removed = append(removed, e.ID)
		}
	}
	for _, id := range removed {
		w.Warzone.Remove(id)
	}
	for range 2 {
		w.look(t.Context(), time.Now())
	}
	if all, withheld := count(); all != 11 || withheld != 0 {
		t.Errorf("%d of %d are withheld", withheld, all)
	}
}

// until looks repeatedly until done returns true, for at most 20 seconds.
func until(t *testing.T, w *Watcher, done func() bool) {
	t.Helper()
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(2 * time.Minute); !done(); <-tick.C {
		if time.Now().After(deadline) {
			for _, e := range w.Catalogue.Snapshot().Entries {
				t.Logf("%+v", *e)
			}
			t.Fatal("not in time")
		}
		w.look(t.Context(), time.Now())
	}
	w.visits.running.Wait()
}

// reach returns the Reach of the server with a name.
func reach(w *Watcher, name string) catalogue.Reach {
	for _, e := range w.Catalogue.Snapshot().Entries {
		if e.Name == name {
			return e.Reach
		}
	}
	return ""
}

// listen returns a socket on 127.0.0.1.
func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

func portOf(l net.Listener) uint16 { return uint16(l.Addr().(*net.TCPAddr).Port) }

// A game that answers with its ID is reachable. A game that gives another answer or none
// is not.
func TestReachableWarzoneGamesAnswerWithTheirID(t *testing.T) {
	w := watcher()
	w.ProbeEvery = time.Millisecond
	w.Warzone = new(warzonegames.Games)
	ours, others, gone := listen(t), listen(t), listen(t)
	here := game(t, w.Warzone, portOf(ours), "Here", 1)
	game(t, w.Warzone, portOf(others), "Other", 1)
	game(t, w.Warzone, portOf(gone), "Gone", 1)
	gone.Close()
	for _, l := range []net.Listener{ours, others} {
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				answer, _ := warzone.AliveReply{Version: warzone.AliveVersion, GameID: here.ID}.AppendBinary(nil)
				c.Write(answer)
				c.Close()
			}
		}()
	}
	until(t, w, func() bool {
		return reach(w, "Here") == catalogue.Reachable && reach(w, "Other") == catalogue.Unreachable &&
			reach(w, "Gone") == catalogue.Unreachable
	})
}

// Any number of games that never answer does not prevent probes of other games.
func TestSilentGamesDelayNoProbes(t *testing.T) {
	w := watcher()
	w.ProbeEvery, w.timeout = time.Millisecond, 100*time.Millisecond
	w.Warzone = &warzonegames.Games{Limits: warzonegames.Limits{MaxPerAddress: 1000}}
	for i := range maxProbes {
		game(t, w.Warzone, portOf(listen(t)), fmt.Sprint("Silent ", i), 1)
	}
	at := listen(t)
	game(t, w.Warzone, portOf(at), "Another", 1)
	asked := counted(at)
	until(t, w, func() bool { return asked.Load() > 0 })
}

// counted counts the connections to l and closes them.
func counted(l net.Listener) *atomic.Int32 {
	n := new(atomic.Int32)
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			n.Add(1)
			c.Close()
		}
	}()
	return n
}

// The watcher does not probe hidden games until they no longer violate the rules.
func TestWithheldIsLeftAlone(t *testing.T) {
	w := watcher()
	w.ProbeEvery = time.Millisecond
	w.Warzone = new(warzonegames.Games)
	at := listen(t)
	asked := counted(at)
	game(t, w.Warzone, portOf(at), "Here", 1)
	for _, rules := range []Rules{
		{Banned: set(t, "127.0.0.0/8")},
		{Patterns: []*regexp.Regexp{regexp.MustCompile("Here")}},
	} {
		w.Judge.SetRules(rules)
		w.look(t.Context(), time.Now())
		w.visits.running.Wait()
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("asked %d times", n)
	}
	w.Judge.SetRules(Rules{})
	until(t, w, func() bool { return asked.Load() > 0 })
}

// A GameAgent server with a banned address is not queried. A server that violates other
// rules is, because its name may have changed.
func TestBannedIsNotScanned(t *testing.T) {
	w := watcher()
	w.ProbeEvery = time.Millisecond
	w.GameAgent = new(gamespy1net.Master)
	server, from := yard(t)
	enlist(t, w.GameAgent, from)
	w.Judge.SetRules(Rules{Banned: set(t, "127.0.0.0/8")})
	w.look(t.Context(), time.Now())
	w.visits.running.Wait()
	if got := w.Catalogue.Snapshot().Entries; len(got) != 1 || got[0].Name != "" {
		t.Fatalf("got %+v", got)
	}
	if n := server.Stats().Received; n > 0 {
		t.Errorf("asked %d times", n)
	}
	w.Judge.SetRules(Rules{MaxPlayers: 1}) // the server claims more
	until(t, w, func() bool { return reach(w, "Yard") == catalogue.Reachable })
}

// The watcher connects to a Bomberman server only if it claims the address that it has
// registered from.
func TestOnlyOwnAddressesOfBombermanAreProbed(t *testing.T) {
	w := watcher()
	w.ProbeEvery = time.Millisecond
	w.Bomberman = new(bombermannet.ManagementServer)
	at := listen(t)
	go w.Bomberman.Serve(at)
	defer w.Bomberman.Close()
	there, elsewhere := listen(t), listen(t)
	for name, s := range map[string]bomberman.Server{
		"There":     {Address: "127.0.0.1", Port: int(portOf(there))},
		"Elsewhere": {Address: "127.0.0.2", Port: int(portOf(elsewhere))},
	} {
		s.Name, s.Players.Max, s.GameplayMode = name, 4, bomberman.GameplayModeStandardA
		r := bombermannet.Registrar{Addr: at.Addr().String()}
		if err := r.Set(s); err != nil {
			t.Fatal(err)
		}
		go r.Run(t.Context())
	}
	until(t, w, func() bool { return reach(w, "There") == catalogue.Reachable && reach(w, "Elsewhere") != "" })
	if got := reach(w, "Elsewhere"); got != catalogue.Unknown {
		t.Errorf("got %q", got)
	}
	for _, e := range w.Catalogue.Snapshot().Entries {
		if e.Verified != (e.Name == "There") {
			t.Errorf("%s: verified %v", e.Name, e.Verified)
		}
	}
}

// The watcher queries GameAgent servers for their names, which heartbeats lack.
func TestGameAgentServersAreQueriedForNames(t *testing.T) {
	w := watcher()
	w.ProbeEvery, w.timeout = time.Millisecond, 100*time.Millisecond
	w.GameAgent = &gamespy1net.Master{Admit: w.Judge.AdmitGameAgent}
	server, from := yard(t)
	enlist(t, w.GameAgent, from)
	until(t, w, func() bool { return reach(w, "Yard") == catalogue.Reachable })

	w.Judge.SetRules(Rules{Patterns: []*regexp.Regexp{regexp.MustCompile("Yard")}})
	w.look(t.Context(), time.Now())
	if s := w.GameAgent.Stats(); s.Listed != 0 {
		t.Errorf("%d listed", s.Listed)
	}
	server.Close()
	until(t, w, func() bool { return reach(w, "Yard") == catalogue.Unreachable })
}

// A native server that another node has listed has its name at once, before it is queried here.
func TestNativeServersOfOtherNodesHaveNames(t *testing.T) {
	_, from := yard(t)
	here := watcher()
	here.ProbeEvery = time.Millisecond
	here.GameAgent = new(gamespy1net.Master)
	defer here.GameAgent.Close()
	enlist(t, here.GameAgent, from)
	until(t, here, func() bool { return reach(here, "Yard") == catalogue.Reachable })

	var shared gamespy1net.Entry
	for e := range here.GameAgent.Servers() {
		b, err := e.MarshalBinary() // as it is sent and saved
		if err != nil || shared.UnmarshalBinary(b) != nil {
			t.Fatal(err)
		}
	}
	there := watcher() // without probes
	there.GameAgent = &gamespy1net.Master{Store: given{shared}}
	defer there.GameAgent.Close()
	there.look(t.Context(), time.Now())
	if entries := there.Catalogue.Snapshot().Entries; len(entries) != 1 || entries[0].Name != "Yard" {
		t.Errorf("%+v", entries)
	}
}

// A given Store has an entry of another node.
type given struct{ gamespy1net.Entry }

func (given) Put(gamespy1net.Entry) {}
func (given) Remove(netip.AddrPort) {}
func (given) Expire(netip.AddrPort) {}

func (g given) Watch(put func(gamespy1net.Entry), _ func(netip.AddrPort)) (stop func()) {
	put(g.Entry)
	return func() {}
}

// yard runs a GameAgent server with the name Yard on 127.0.0.1, and returns it with its
// address.
func yard(t *testing.T) (server *gameagentnet.Server, from netip.AddrPort) {
	t.Helper()
	pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server = new(gameagentnet.Server)
	if err := server.Set(gameagentnet.State{SessionName: "Yard", MaxPlayers: 8, Level: "Dunes"}); err != nil {
		t.Fatal(err)
	}
	go server.Serve(pc)
	t.Cleanup(func() { server.Close() })
	return server, pc.LocalAddr().(*net.UDPAddr).AddrPort()
}

// enlist registers a server with a master.
func enlist(t testing.TB, m *gamespy1net.Master, from netip.AddrPort) {
	t.Helper()
	join, err := gameagent.Join{}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	answers, _ := m.Respond(from, join, nil)
	if len(answers) != 1 {
		t.Fatalf("%d answers to a join", len(answers))
	}
	c, err := gameagent.ParseChallenge(answers[0])
	if err != nil {
		t.Fatal(err)
	}
	heartbeat, err := gameagent.Heartbeat{Challenge: c.Challenge, MaxPlayers: new(8), Level: "Dunes"}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	m.Respond(from, heartbeat, nil)
}

// A server is local if players elsewhere cannot use its address, but only while the list is public:
// because a server at a public address is listed, or because the lobby is on the internet.
func TestServersAreLocalOnlyInPublicLists(t *testing.T) {
	w := watcher()
	w.Warzone = &warzonegames.Games{Admit: w.Judge.AdmitWarzone}
	w.Public = func(at netip.AddrPort) netip.AddrPort {
		if at.Port() == 2103 {
			return netip.MustParseAddrPort("203.0.113.7:2103")
		}
		return at
	}
	var began []string
	w.OnLocal = func(e catalogue.Entry) { began = append(began, e.Name) }
	local := func() (names []string) {
		for _, e := range w.Catalogue.Snapshot().Entries {
			if e.Local {
				names = append(names, e.Name)
			}
		}
		slices.Sort(names)
		return names
	}
	add := func(at, name string, source warzonegames.Source) uint32 {
		e, err := w.Warzone.Add(warzonegames.Entry{Key: netip.MustParseAddrPort(at), Source: source,
			Game: warzone.Game{Version: warzone.Version4, Name: name, MaxPlayers: 4}})
		if err != nil {
			t.Fatal(err)
		}
		return e.ID
	}
	want := func(step string, wantLocal, wantBegan []string) {
		t.Helper()
		began = nil
		for range 2 { // the first counts
			w.look(t.Context(), time.Now())
		}
		slices.Sort(began)
		if diff := cmp.Diff([][]string{wantLocal, wantBegan}, [][]string{local(), began}); diff != "" {
			t.Errorf("%s:\n%s", step, diff)
		}
	}
	add("127.0.0.1:2100", "loopback", warzonegames.SourceLobby)
	add("192.168.1.2:2101", "private", warzonegames.SourceLobby)
	add("10.0.0.2:2102", "4.7", warzonegames.SourceHTTP)
	add("[fd00::1]:2102", "IPv6", warzonegames.SourceLobby)
	add("100.64.0.1:2102", "provider", warzonegames.SourceLobby)
	want("a private list", nil, nil)
	all := []string{"4.7", "IPv6", "loopback", "private", "provider"}
	mapped := add("127.0.0.1:2103", "mapped", warzonegames.SourceLobby)
	want("one at a public address", all, all)
	want("again", all, nil)
	w.Warzone.Remove(mapped)
	want("a private list again", nil, nil)
	w.IsPublic = true
	want("on the internet", all, all)
	w.Judge.SetRules(Rules{Patterns: []*regexp.Regexp{regexp.MustCompile("^private$")}})
	want("hidden", []string{"4.7", "IPv6", "loopback", "provider"}, nil)
}

func TestIsInternetNeedsAPublicIPv4Address(t *testing.T) {
	parse := func(all ...string) (addrs []netip.Addr) {
		for _, a := range all {
			addrs = append(addrs, netip.MustParseAddr(a))
		}
		return addrs
	}
	home := parse("127.0.0.1", "192.168.1.2", "2001:db8::2")
	rented := parse("127.0.0.1", "203.0.113.7")
	for _, tt := range []struct {
		sockets, own []netip.Addr
		want         bool
	}{
		{parse("::"), home, false},
		{parse("::"), rented, true},
		{parse("0.0.0.0"), rented, true},
		{parse("127.0.0.1"), rented, false},
		{parse("127.0.0.1", "203.0.113.7"), rented, true},
		{parse("::ffff:203.0.113.7"), rented, true},
		{parse("192.168.1.2"), rented, false},
		{nil, rented, false},
	} {
		if got := IsInternet(tt.sockets, tt.own); got != tt.want {
			t.Errorf("%v of %v: %v", tt.sockets, tt.own, got)
		}
	}
}
