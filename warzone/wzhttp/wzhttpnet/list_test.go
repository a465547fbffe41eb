package wzhttpnet

import (
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// httpGameAt returns a game of an HTTP lobby.
func httpGameAt(i int) warzonegames.Entry {
	e := warzonegames.Entry{Key: netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}),
		2100)}
	setRoom(&e, wzhttp.Room{
		Version: "4.7.0", Netcode: wzhttp.Netcode47(), Name: fmt.Sprintf("Game %d, grüße", i),
		Host:    wzhttp.Player{Name: "GoTester", PublicKey: "AISvCVmVREY6hfgWZRpHqAjGVfi+3dF8zDRJmqd6Po4="},
		Map:     wzhttp.Map{Name: "Sk-Rush"},
		Players: wzhttp.Seats{Current: 1, Max: 4}, Spectators: wzhttp.Seats{Current: 1, Max: 3},
	})
	e.HTTP.Session = uint64(i) + 1
	return e
}

// After any changes, the list has each game once, with games of HTTP lobbies first. Earlier
// lists do not change.
func TestEachGameIsListedOnce(t *testing.T) {
	g := &warzonegames.Games{Limits: warzonegames.Limits{MaxGames: 5000, MaxPerPrefix: 5000}, MaxListed: 5000}
	rows := newLines(g)
	r := rand.New(rand.NewPCG(1, 2))
	listed := map[netip.AddrPort]uint32{}
	given, copied := rows.List(), ""
	for step := range 3000 {
		rows.pace.took = 0 // so that every list is joined
		e := httpGameAt(r.IntN(700))
		if e.Key.Addr().As4()[3]%3 == 0 {
			e = gamestest.At(int(e.Key.Addr().As4()[2])<<8 | int(e.Key.Addr().As4()[3]))
		}
		switch id := listed[e.Key]; {
		case id == 0:
			listed[e.Key] = gamestest.Add(t, g, e).ID
		case r.IntN(3) == 0:
			g.Remove(id)
			delete(listed, e.Key)
		default:
			if _, err := g.Update(id,
				func(e *warzonegames.Entry) { e.Game.CurrentPlayers = r.Uint32N(100) }); err != nil {
				t.Fatal(err)
			}
		}
		if step%100 > 0 {
			continue
		}
		if string(given) != copied {
			t.Fatal("a list that was given out has changed")
		}
		given = rows.List()
		copied = string(given)
		var want []string
		for _, id := range listed {
			e, _ := g.FindID(id)
			want = append(want, string(lineOf(&e)))
		}
		got := slices.Collect(strings.Lines(copied))
		isOther := func(line string) bool { return strings.Contains(line, `"pk":""`) }
		if first := slices.IndexFunc(got, isOther); first >= 0 &&
			slices.ContainsFunc(got[first:], func(l string) bool { return !isOther(l) }) {
			t.Fatal("a game of an HTTP lobby comes after others")
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("step %d: %d lines, want %d", step, len(got), len(want))
		}
	}
}

// A change encodes one line, however many games there are.
func TestRowsAreIncremental(t *testing.T) {
	count := func(n int) float64 {
		g := &warzonegames.Games{Limits: warzonegames.Limits{MaxGames: n, MaxPerPrefix: n}, MaxListed: n}
		rows := newLines(g)
		var ids []uint32
		for i := range n {
			ids = append(ids, gamestest.Add(t, g, httpGameAt(i)).ID)
		}
		unchanged := &rows.List()[0]
		if &rows.List()[0] != unchanged {
			t.Error("a list without a change is assembled again")
		}
		i := 0
		return testing.AllocsPerRun(50, func() {
			i++
			rows.pace.took = 0
			if _, err := g.Update(ids[i], func(e *warzonegames.Entry) { e.Game.CurrentPlayers++ }); err != nil {
				t.Fatal(err)
			}
			rows.List()
		})
	}
	if few, many := count(200), count(1000); few != many || many > 40 {
		t.Errorf("a change and a list allocate %v times with 200 games, %v with 1000", few, many)
	}
}

// Joining lines takes at most a tenth of the time, and the last change is not lost.
func TestRowsAreJoinedSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := new(warzonegames.Games)
		rows := newLines(g)
		rows.List()
		rows.pace.took = time.Millisecond
		gamestest.Add(t, g, httpGameAt(1))
		if got := rows.List(); len(got) > 0 {
			t.Errorf("joined again at once: %q", got)
		}
		time.Sleep(9 * time.Millisecond)
		if got := rows.List(); len(got) == 0 {
			t.Error("a game is not listed in time")
		}
	})
}

// MaxListed limits the list.
func TestRowsEndAtMaxListed(t *testing.T) {
	g := &warzonegames.Games{Limits: warzonegames.Limits{MaxPerPrefix: 1000}, MaxListed: 300}
	rows := newLines(g)
	for i := range 600 {
		gamestest.Add(t, g, httpGameAt(i))
	}
	if n := strings.Count(string(rows.List()), "\n"); n != 300 {
		t.Errorf("%d lines, want 300", n)
	}
}

// The id of a game can be typed and does not look like an address.
func TestGameIDsCanBeTyped(t *testing.T) {
	for _, id := range []uint32{1, 31, 32, 1<<31 - 1, 0x12345678} {
		text := gameIDOf(id)
		got := parseGameID(strings.ToLower(text))
		if got != id || !wzhttp.ValidID(text) || text[0] < 'A' || text[0] > 'Z' {
			t.Errorf("%d: %s, %d", id, text, got)
		}
	}
	for _, text := range []string{"", "A", "AAAAAAO", "9999999", "AAAAAAAA", "AAAAAA\xff", "ZZZZZZZ"} {
		if id := parseGameID(text); id != 0 {
			t.Errorf("%q is the id of %d", text, id)
		}
	}
}
