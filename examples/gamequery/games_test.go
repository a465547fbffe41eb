package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Every row is complete, and no two games share a name.
func TestGamesTableIsWhole(t *testing.T) {
	owner := map[string]string{}
	for _, p := range protocols.All() {
		owner[p.Name] = p.Name
	}
	known := games.All()
	if !slices.IsSortedFunc(known, func(a, b games.Game) int { return strings.Compare(a.Name, b.Name) }) ||
		len(known) < 100 {
		t.Errorf("%d games, or not in order", len(known))
	}
	table, err := os.ReadFile("internal/games/games.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(table)) {
		if !strings.HasPrefix(line, "#") && strings.Count(line, "\t") != 7 {
			t.Errorf("columns of %q", line)
		}
	}
	for _, g := range known {
		for _, name := range append([]string{g.Name}, g.Aliases...) {
			if owner[name] != "" || name != strings.ToLower(name) {
				t.Errorf("%s: %q is a name of %s, or not in small letters", g.Name, name, owner[name])
			}
			owner[name] = g.Name
		}
		if i := slices.IndexFunc(known, func(other games.Game) bool { return other.Is(g.Title) }); known[i].Name != g.Name {
			t.Errorf("the title %q is that of %s", g.Title, known[i].Name)
		}
		p, ok := protocols.Named(g.Protocol)
		if !ok || g.Title == "" || g.Ask != "" && !slices.Contains(p.Asks, g.Ask) {
			t.Errorf("%s: protocol %q, ask %q, title %q", g.Name, g.Protocol, g.Ask, g.Title)
		}
		if _, err := strconv.ParseUint(g.Port, 10, 16); g.Port != "" && err != nil {
			t.Errorf("%s: port %q", g.Name, g.Port)
		}
		if n, err := strconv.Atoi(g.Query); g.Query != "" && g.Query != "=" && (err != nil || n == 0) {
			t.Errorf("%s: query %q", g.Name, g.Query)
		}
		if (g.Query == "=" || strings.ContainsAny(g.Query, "+-")) && g.Ports().Query == 0 {
			t.Errorf("%s: query %q of port %q", g.Name, g.Query, g.Port)
		}
	}
}

// The table contains the games that the documentation of the protocols names.
func TestDocumentedGamesAreInTheTable(t *testing.T) {
	for name, want := range map[string]string{
		"ut2003": "gameagent", "Unreal Tournament 2004": "gameagent",
		"battlefield2": "gamespy2", "ut3": "gamespy2", "crysis": "gamespy2", "swat4": "gamespy2", "halo": "gamespy2",
		"minecraft": "gamespy2", "SeriousSam": "gameagent", "warzone2100": "warzone", "unity": "sqp", "ut99": "gameagent",
		"unreal tournament": "gameagent",
	} {
		if p, ok := protocols.Named(name); !ok || p.Name != want {
			t.Errorf("%s is of %q, want %s", name, p.Name, want)
		}
	}
}

// The table of absent games names the protocol of each, and no game that the library
// knows.
func TestAbsentGamesHaveAProtocol(t *testing.T) {
	for name, want := range map[string]string{
		"csgo": "A2S", "cs2": "A2S", "Rust": "A2S", "a2s": "A2S", "steam": "A2S", "valheim": "A2S", "gmod": "A2S",
		"quake3": "Quake", "CoD4": "Quake", "urbanterror": "Quake",
		"minecrft": "did you mean minecraft?", "battlefeild2": "did you mean battlefield2?", "nothinglikeit": "there are sqp",
	} {
		code, _, stderr := gamequery(nil, "query", name, "127.0.0.1:27015")
		if code != exitUsage || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit code %d, %s", name, code, stderr)
		}
	}
	for _, g := range games.All() {
		for _, name := range append([]string{g.Name, g.Title}, g.Aliases...) {
			if games.Absent(name) != "" {
				t.Errorf("%s is a game, and absent", name)
			}
		}
	}
}

// Each game type of gamedig for one of our protocols is the name of a game with the
// same ports.
func TestGamedigTypesAreGames(t *testing.T) {
	suite.Tool(t, querytools.Gamedig("battlefield2"))
	out, err := exec.Command("node", "-e", `
const {games} = require('gamedig');
const ours = ['gamespy1', 'gamespy2', 'gamespy3', 'ut3', 'jc2mp', 'minecraft'];
for (const [name, g] of Object.entries(games)) {
	const o = g.options, names = [name];
	if (g.extra && g.extra.old_id) names.push(g.extra.old_id);
	if (ours.includes(o.protocol)) console.log(JSON.stringify({
		names, protocol: o.protocol, game: o.port, query: o.port_query || (o.port || 0) + (o.port_query_offset || 0),
	}));
}`).Output()
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for dec := json.NewDecoder(bytes.NewReader(out)); dec.More(); found++ {
		var theirs struct {
			Names       []string
			Protocol    string
			Game, Query uint16
		}
		if err := dec.Decode(&theirs); err != nil {
			t.Fatal(err)
		}
		want := "gamespy2"
		if theirs.Protocol == "gamespy1" {
			want = "gameagent"
		}
		for _, name := range theirs.Names {
			p, ok := protocols.Named(name)
			if !ok || p.Name != want || p.Ports.Game != theirs.Game || p.Ports.Query != theirs.Query {
				t.Errorf("%s: %s with ports %+v, want %s with %d and %d", name, p.Name, p.Ports, want, theirs.Game, theirs.Query)
			}
		}
	}
	if found < 100 {
		t.Errorf("%d types of gamedig found", found)
	}
}

// The types of qstat for our protocols are names of games, with the same form of query.
func TestQstatTypesAreGames(t *testing.T) {
	for ask, types := range map[string]string{
		"plain": "ams gs2", "split": "gs3", "challenge": "gs4 ut3s",
		"legacy": "crs d3g gps mas netp sgs sms uns",
	} {
		for name := range strings.FieldsSeq(types) {
			if p, ok := protocols.Named(name); !ok || p.Asks[0] != ask {
				t.Errorf("%s is %s, and asks in the ways %q", name, p.Name, p.Asks)
			}
		}
	}
}

// A game is found by its name, and its query port is derived from its game port.
func TestQueryFindsThePortOfAGame(t *testing.T) {
	t.Parallel()
	suite.Localhost(t)
	addr, query := serveBelowSilence(t)
	text := strconv.Itoa(query)
	game := net.JoinHostPort("127.0.0.1", strconv.Itoa(query-1))
	for _, at := range []string{game, addr, "localhost:" + strconv.Itoa(query-1)} {
		for _, name := range []string{"serioussam", "SMS", "serioussamnative"} {
			code, stdout, stderr := gamequery(nil, "query", name, at)
			if code != exitOK || !strings.Contains(stdout, "address  "+game+"\nquery    "+addr+"\n") {
				t.Errorf("%s %s: exit code %d, %s%s", name, at, code, stderr, stdout)
			}
		}
	}
	for _, at := range []string{game, addr} {
		code, stdout, stderr := gamequery(nil, "scan", "-timeout", "500ms", "serioussam", at)
		if code != exitOK || !strings.Contains(stdout, game+"  :"+text+" ") ||
			!strings.HasPrefix(stderr, "answered 1, silent 0,") {
			t.Errorf("scan %s: exit code %d, %s%s", at, code, stderr, stdout)
		}
	}
}

// serveBelowSilence starts a gameagent server such that nothing answers at the port
// above its own.
func serveBelowSilence(t *testing.T) (addr string, port int) {
	t.Helper()
	for {
		addr, stop := background(t, "serve", "gameagent", "127.0.0.1:0", "-name", "Karnak")
		at := netip.MustParseAddrPort(addr)
		silent, err := net.ListenPacket("udp", netip.AddrPortFrom(at.Addr(), at.Port()+1).String())
		if err == nil {
			t.Cleanup(func() { silent.Close() })
			return addr, int(at.Port())
		}
		stop()
	}
}

// If the server at the query port of a game names another port than the given one, query, scan and
// watch say so.
func TestQueryNamesAnotherPort(t *testing.T) {
	t.Parallel()
	const offset = 97 // of Medal of Honor
	var running sync.WaitGroup
	for _, tt := range []struct {
		name, game string
		given      int // from the query port
		named      int // from the query port; 0 if the server names none
		isOther    bool
	}{
		{"the game at its port", "mohaa", -offset, -offset, false},
		{"another game", "mohaa", -offset, -offset + 5, true},
		{"another game, by the query port", "mohaa", 0, -offset + 5, false},
		{"no port", "mohaa", -offset, 0, false},
		{"another game in a protocol", "gamespy1", 0, -offset + 5, false},
		{"another game of another kind", "ut", -1, 3, true},
	} {
		var answer atomic.Value
		answer.Store([]byte(nil))
		at := answerBy(t, func() []byte { return answer.Load().([]byte) })
		query := int(at.Port())
		text := `\gamename\x\hostname\Omaha\numplayers\0\maxplayers\8`
		if tt.named != 0 {
			text += `\hostport\` + strconv.Itoa(query+tt.named)
		}
		answer.Store([]byte(text + `\final\\queryid\1.1`))
		given := query + tt.given
		want, member := "", ""
		if tt.isOther {
			want = fmt.Sprintf("the server that answers at the query port %d says that its own port is %d, not %d",
				query, query+tt.named, given)
			member = fmt.Sprintf(`"given":%d`, given)
		}
		for _, args := range [][]string{{"query"}, {"query", "-json"}, {"scan"}, {"scan", "-json"}, {"watch", "-health"}} {
			running.Go(func() {
				args := append(args, tt.game, "127.0.0.1:"+strconv.Itoa(given))
				code, stdout, stderr := gamequery(nil, args...)
				said := stderr
				if args[0] == "watch" {
					said = stdout
				}
				if code != exitOK || !strings.Contains(stdout, "Omaha") || !strings.Contains(said, want) ||
					strings.Contains(said, "its own port") != tt.isOther {
					t.Errorf("%s: %q: exit code %d, %s%s", tt.name, args, code, stderr, stdout)
				}
				if args[1] == "-json" &&
					(!strings.Contains(stdout, member) || strings.Contains(stdout, `"given"`) != tt.isOther) {
					t.Errorf("%s: %q: %s", tt.name, args, stdout)
				}
			})
		}
	}
	running.Wait()
}

// If nothing listens at one of two possible ports, and the answer at the other cannot be
// read, the error is about the answer.
func TestErrorIsAboutTheUnreadableAnswer(t *testing.T) {
	t.Parallel()
	suite.Localhost(t)
	at := serveGarbage(t)
	inTime(t, func(timeout string) (wrong []string) {
		flags := []string{"-timeout", timeout, "-attempts", "1"}
		for _, args := range [][]string{
			{"query", "-json", "serioussam", at}, {"query", "-json", "serioussamnative", at},
			{"scan", "-json", "serioussam", at},
		} {
			_, stdout, stderr := gamequery(nil, append(args, flags...)...)
			if !strings.Contains(stdout, `"query":"`+at+`"`) || !strings.Contains(stdout, `"code":"invalid"`) {
				wrong = append(wrong, fmt.Sprintf("%q: %s%s", args, stderr, stdout))
			}
		}
		_, stdout, stderr := gamequery(nil,
			append([]string{"watch", "-health", "-failures", "1", "serioussam", at}, flags...)...)
		if !strings.Contains(stdout+stderr, "does not answer: other, ") {
			wrong = append(wrong, fmt.Sprintf("watch: %s%s", stderr, stdout))
		}
		return wrong
	})
}

// serveGarbage answers datagrams with a text of no protocol, at a port below one at which
// nothing listens.
func serveGarbage(t *testing.T) (addr string) {
	t.Helper()
	for {
		server, err := net.ListenPacket("udp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { server.Close() })
		at := netip.MustParseAddrPort(server.LocalAddr().String())
		above, err := net.ListenPacket("udp", netip.AddrPortFrom(at.Addr(), at.Port()+1).String())
		if err != nil {
			continue
		}
		above.Close()
		go func() {
			b := make([]byte, 64)
			for {
				_, from, err := server.ReadFrom(b)
				if err != nil {
					return
				}
				server.WriteTo([]byte("hello"), from)
			}
		}()
		return at.String()
	}
}

// A scan reports a server that answers at neither of its two possible ports only once,
// with the likelier port.
func TestSilentGameIsReportedOnce(t *testing.T) {
	code, stdout, stderr := gamequery(nil, "scan", "-json", "-timeout", "20ms", "-attempts", "1", "swat4",
		"127.0.0.1:1", "127.0.0.1:7-8")
	var got []string
	for line := range strings.Lines(stdout) {
		var server struct{ Query string }
		if err := json.Unmarshal([]byte(line), &server); err != nil {
			t.Fatal(err)
		}
		got = append(got, server.Query)
	}
	slices.Sort(got)
	if want := []string{"127.0.0.1:10", "127.0.0.1:3", "127.0.0.1:9"}; code != exitFailed || !slices.Equal(got, want) {
		t.Errorf("exit code %d, servers %q, want %q; %s", code, got, want, stderr)
	}
}

func TestGamesHaveProtocols(t *testing.T) {
	code, stdout, _ := gamequery(nil, "games", "battlefield 2")
	want := lines(
		"GAME            TITLE                           PROTOCOL  ASK    PORT  QUERY  ALIASES",
		"battlefield2    Battlefield 2                   gamespy2  auto  16567  29900  bf2",
		"battlefield2142 Battlefield 2142                gamespy2  auto  16567  29900  bf2142",
		"projectreality  Project Reality: Battlefield 2  gamespy2  auto  16567  29900  prb2 prbf2",
	)
	if code != exitOK || blanks(stdout) != blanks(want) {
		t.Errorf("exit code %d,\n%swant\n%s", code, stdout, want)
	}
	code, stdout, _ = gamequery(nil, "games", "-json", "swat")
	line := `{"game":"swat4","title":"SWAT 4","protocol":"gamespy2","ask":"plain","port":10480,"query":10482,"offset":2,"aliases":[]}` + "\n"
	if code != exitOK || stdout != line {
		t.Errorf("exit code %d, %s", code, stdout)
	}
	code, stdout, _ = gamequery(nil, "games", "quake")
	if code != exitOK || stdout != "no game has that in its name\n" {
		t.Errorf("exit code %d, %s", code, stdout)
	}
}
