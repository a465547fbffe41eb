package health

import (
	"net/netip"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// Only hosts since about 4.2 send their spectators.
func TestOnlyNewHostsSendSpectators(t *testing.T) {
	version := func(v, spectators uint32) warzone.Game {
		return warzone.Game{Version: v, UserFlags: [4]uint32{uint32(warzone.GameTypeSkirmish), spectators}}
	}
	known := func(now, most int) catalogue.Spectators {
		return catalogue.Spectators{Known: true, Now: now, Max: most}
	}
	since47 := wzhttpnet.GameOf(wzhttp.Room{Name: "A game", Spectators: wzhttp.Seats{Current: 1, Max: 3}})
	for _, tt := range []struct {
		name string
		e    warzonegames.Entry
		want catalogue.Spectators
	}{
		{"2.2", warzonegames.Entry{Game: version(warzone.Version2, 1<<16|5)}, catalogue.Spectators{}},
		{"3.4", warzonegames.Entry{Game: version(warzone.Version3, 1<<16|5)}, catalogue.Spectators{}},
		{"4.0", warzonegames.Entry{Game: version(warzone.Version4, 0)}, catalogue.Spectators{}},
		{"4.3", warzonegames.Entry{Game: version(warzone.Version4, 2<<16|10)}, known(2, 10)},
		{"4.3, none of 10", warzonegames.Entry{Game: version(warzone.Version4, 10)}, known(0, 10)},
		{"4.3, impossible", warzonegames.Entry{Game: version(warzone.Version4, 1<<16|65535)}, known(1, 65535)},
		{"4.7", warzonegames.Entry{Source: warzonegames.SourceHTTP, Game: since47}, known(1, 3)},
		{"4.7 without places", warzonegames.Entry{Source: warzonegames.SourceHTTP}, known(0, 0)},
		{"a proposal", warzonegames.Entry{Source: warzonegames.SourceText}, catalogue.Spectators{}},
	} {
		if got := warzoneEntry(tt.e).Spectators; got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}

// otherNode is a Store with the games of another node.
type otherNode []warzonegames.Entry

func (o otherNode) Put(warzonegames.Entry) {}
func (o otherNode) Remove(uint32)          {}
func (otherNode) Expire(uint32)            {}
func (o otherNode) Watch(put func(warzonegames.Entry), _ func(uint32)) (stop func()) {
	for _, e := range o {
		put(e)
	}
	return func() {}
}

// A game that its lobby withholds because it does not answer is hidden, with the reason. The
// Watcher does not connect to games that their lobby checks.
func TestWithheldGameIsHiddenWithTheReason(t *testing.T) {
	at := listen(t)
	asked := counted(at)
	entry := func(id uint32, name string, unreachable bool) warzonegames.Entry {
		return warzonegames.Entry{
			Key: netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), portOf(at)+uint16(id)), ID: 1 + id,
			Verified: true, Unreachable: unreachable, Expires: time.Now().Add(time.Hour),
			Game: warzone.Game{Version: warzone.Version4, Name: name, MaxPlayers: 4},
		}
	}
	w := watcher()
	w.ProbeEvery = time.Millisecond
	w.Warzone = &warzonegames.Games{
		Admit: w.Judge.AdmitWarzone,
		Store: otherNode{entry(0, "Open", false), entry(1, "Closed", true)},
	}
	defer w.Warzone.ForLobbies().Share()()
	for range 3 {
		w.look(t.Context(), time.Now())
		w.visits.running.Wait()
	}
	before := slices.Collect(w.Warzone.All())
	w.look(t.Context(), time.Now())
	if after := slices.Collect(w.Warzone.All()); !reflect.DeepEqual(after, before) {
		t.Error("the list changes at each look")
	}
	for _, e := range w.Catalogue.Snapshot().Entries {
		switch {
		case e.Name == "Open" && e.Reach == catalogue.Reachable && e.Quarantine == "" && e.Cause == "":
		case e.Name == "Closed" && e.Reach == catalogue.Unreachable && e.Cause == catalogue.Silent &&
			e.Quarantine == "does not answer at its port":
		default:
			t.Errorf("a game: %+v", *e)
		}
	}
	if st := w.Warzone.Stats(); st.Listed != 1 || st.Withheld != 1 {
		t.Errorf("stats: %+v", st)
	}
	if n := asked.Load(); n > 0 {
		t.Errorf("connected %d times", n)
	}
}
