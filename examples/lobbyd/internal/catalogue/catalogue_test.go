package catalogue_test

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

var start = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

func entry(id string, f catalogue.Family, players int) catalogue.Entry {
	return catalogue.Entry{ID: id, Family: f, Players: players, Fields: []catalogue.Field{{Name: "a", Value: "b"}}}
}

func ids(entries []*catalogue.Entry) (all []string) {
	for _, e := range entries {
		all = append(all, e.ID)
	}
	return all
}

// set sets the entries of a family.
func set(c *catalogue.Catalogue, f catalogue.Family, now time.Time, entries ...catalogue.Entry) {
	var put []*catalogue.Entry
	var gone []string
	for _, e := range c.Snapshot().Entries {
		if e.Family == f {
			gone = append(gone, e.ID)
		}
	}
	for _, e := range entries {
		put = append(put, &e)
	}
	c.Update(put, gone, now)
}

func TestUpdateReportsChanges(t *testing.T) {
	var c catalogue.Catalogue
	sub, first := c.Subscribe()
	defer sub.Close()
	if first.Version != 0 || len(first.Entries) != 0 {
		t.Errorf("begins with %+v", first)
	}
	set := func(f catalogue.Family, after time.Duration, entries ...catalogue.Entry) {
		set(&c, f, start.Add(after), entries...)
	}
	expect := func(put, gone []string) {
		t.Helper()
		select {
		case got := <-sub.C:
			if diff := cmp.Diff(put, ids(got.Put)) + cmp.Diff(gone, got.Gone); diff != "" {
				t.Errorf("change:\n%s", diff)
			}
			if got.Version != c.Snapshot().Version {
				t.Errorf("version %d of %d", got.Version, c.Snapshot().Version)
			}
		default:
			if len(put)+len(gone) > 0 {
				t.Errorf("no change, want %v and %v", put, gone)
			}
		}
	}

	set(catalogue.Warzone, 0, entry("w2", catalogue.Warzone, 1), entry("w1", catalogue.Warzone, 2))
	expect([]string{"w1", "w2"}, nil)
	set(catalogue.Bomberman, time.Second, entry("b", catalogue.Bomberman, -1))
	expect([]string{"b"}, nil)
	if got := ids(c.Snapshot().Entries); !slices.Equal(got, []string{"b", "w1", "w2"}) {
		t.Errorf("in order: got %v", got)
	}
	before := c.Snapshot()
	again := entry("w1", catalogue.Warzone, 2)
	again.Seen = start.Add(time.Minute)
	set(catalogue.Warzone, time.Minute, again, entry("w3", catalogue.Warzone, 0))
	expect([]string{"w3"}, []string{"w2"})
	set(catalogue.Warzone, time.Minute, again, entry("w3", catalogue.Warzone, 0))
	expect(nil, nil)

	if got, ok := c.Snapshot().Find("w1"); !ok || !got.Since.Equal(start) || !got.Seen.Equal(again.Seen) {
		t.Errorf("found again: got %+v, %v", got, ok)
	}
	if _, ok := c.Snapshot().Find("w2"); ok {
		t.Error("what is gone is found")
	}
	if _, ok := before.Find("w2"); !ok {
		t.Error("a snapshot has changed")
	}
}

// Of two entries with an ID, the last counts. The same entry again, or removing a missing entry,
// is not a change.
func TestSameEntryIsNoChange(t *testing.T) {
	var c catalogue.Catalogue
	sub, _ := c.Subscribe()
	defer sub.Close()
	for range 2 {
		first, last := entry("b", catalogue.Bomberman, 1), entry("b", catalogue.Bomberman, 2)
		c.Update([]*catalogue.Entry{&first, &last}, []string{"a", "b", "c"}, start)
		if got, ok := c.Snapshot().Find("b"); !ok || got != &last || len(c.Snapshot().Entries) != 1 {
			t.Errorf("got %+v", c.Snapshot().Entries)
		}
	}
	if got := <-sub.C; len(got.Put) != 1 || got.Put[0].Players != 2 || len(got.Gone) != 0 {
		t.Errorf("changes are %+v", got)
	}
	if got := c.Snapshot().Version; got != 1 {
		t.Errorf("version %d of the same", got)
	}
}

// Any sequence of updates leaves the entries that remain, in their order.
func TestUpdateKeepsOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var c catalogue.Catalogue
	want := make(map[string]int)
	for n := range 300 {
		var put []*catalogue.Entry
		var gone []string
		for range random.IntN(8) {
			id := fmt.Sprint("w", random.IntN(50))
			gone = append(gone, id)
			delete(want, id)
		}
		for range random.IntN(8) {
			e := entry(fmt.Sprint("w", random.IntN(50)), catalogue.Warzone, n)
			put = append(put, &e)
			want[e.ID] = n
		}
		c.Update(put, gone, start)
		got := c.Snapshot().Entries
		if all := ids(got); !slices.Equal(all, slices.Sorted(maps.Keys(want))) {
			t.Fatalf("after %d updates: %q", n+1, all)
		}
		for _, e := range got {
			if e.Players != want[e.ID] {
				t.Fatalf("after %d updates: %+v", n+1, e)
			}
		}
	}
}

// The channel of a subscriber that does not read is closed, and the others are not
// delayed.
func TestSlowSubscribersAreClosed(t *testing.T) {
	var c catalogue.Catalogue
	sub, _ := c.Subscribe()
	for i := range 100 {
		set(&c, catalogue.Warzone, start, entry("w", catalogue.Warzone, i))
	}
	n := 0
	for range sub.C {
		n++
	}
	if n == 0 || n == 100 {
		t.Errorf("%d changes", n)
	}
	sub.Close()
	sub.Close()
}

func TestHistoryHasTheMaximaOfSpans(t *testing.T) {
	var c catalogue.Catalogue
	for i := range 200 {
		now := start.Add(time.Duration(i) * catalogue.Span)
		hidden := entry("q", catalogue.Warzone, 1000)
		hidden.Quarantine = "absurd"
		for _, players := range []int{i, i / 2} {
			set(&c, catalogue.Warzone, now,
				entry("w", catalogue.Warzone, players), entry("v", catalogue.Warzone, -1), hidden)
		}
	}
	got := c.History("", catalogue.Day)
	if len(got) != 144 {
		t.Fatalf("%d points", len(got))
	}
	for i, p := range got {
		want := catalogue.Point{Time: start.Add(time.Duration(i+56) * catalogue.Span), Servers: 2, Players: i + 56}
		if !p.Time.Equal(want.Time) || p.Servers != want.Servers || p.Players != want.Players {
			t.Errorf("got %+v, want %+v", p, want)
		}
	}
}

// Each scale has the maxima of its spans, of all servers and of each game, also after a restart.
func TestScalesSurviveRestarts(t *testing.T) {
	var c catalogue.Catalogue
	const month = 30 * 24 * 6
	for i := range month + 100 {
		gun, rush := entry("g", catalogue.GameAgent, i), entry("r", catalogue.Warzone, 1)
		gun.Game, rush.Game = "Gun", "rush"
		now := start.Add(time.Duration(i) * catalogue.Span)
		set(&c, catalogue.Warzone, now, rush)
		if i%2 == 0 {
			set(&c, catalogue.GameAgent, now, gun)
		} else {
			set(&c, catalogue.GameAgent, now)
		}
	}
	end := start.Add((month + 100) * catalogue.Span)
	var file bytes.Buffer
	if err := c.SaveHistory(&file); err != nil {
		t.Fatal(err)
	}
	var next catalogue.Catalogue
	if err := next.RestoreHistory(&file, end); err != nil {
		t.Fatal(err)
	}
	for scale, want := range map[catalogue.Scale]int{catalogue.Day: 144, catalogue.Week: 168, catalogue.Month: 180} {
		for game, servers := range map[string]int{"": 2, "GUN": 1, "rush": 1} {
			got := c.History(game, scale)
			if len(got) != want {
				t.Fatalf("%q has %d points, want %d", game, len(got), want)
			}
			for i, p := range got[1 : want-1] {
				wrong := scale != catalogue.Day && p.Servers != servers // a span of a day has only one look
				if gap := p.Time.Sub(got[i].Time); gap != scale.Span() || wrong {
					t.Fatalf("%q: %+v after %v", game, p, gap)
				}
			}
			// The oldest span may have ended too long ago by now.
			restored := next.History(game, scale)
			if diff := cmp.Diff(got[len(got)-len(restored):], restored); diff != "" || len(restored) < want-1 {
				t.Errorf("%q after a restart:\n%s", game, diff)
			}
		}
	}
	p := c.History("gun", catalogue.Week)[50]
	if first := int(p.Time.Sub(start) / catalogue.Span); p.Players != first+4 { // the last one with a server
		t.Errorf("%+v is not the maximum of an hour", p)
	}
	if got := c.History("other", catalogue.Day); got != nil {
		t.Errorf("a game that was never listed: %v", got)
	}
}

// The file of a version that had only a day continues on all scales.
func TestHistoryOfADayContinuesOnAllScales(t *testing.T) {
	at := start.Unix() / 600
	const totals = `{"at":%d,"servers":2,"players":3},{"at":%d,"servers":1,"players":5}`
	file := fmt.Sprintf(`{"span":600,"totals":[`+totals+`]}`, at-1, at)
	var c catalogue.Catalogue
	if err := c.RestoreHistory(strings.NewReader(file), start); err != nil {
		t.Fatal(err)
	}
	for scale, want := range map[catalogue.Scale]int{catalogue.Day: 2, catalogue.Week: 2, catalogue.Month: 1} {
		if got := c.History("", scale); len(got) != want || got[want-1].Players != 5 {
			t.Errorf("%d: %+v", scale, got)
		}
	}
}

// A catalogue keeps a limited number of games. A new one takes the place of one without servers.
func TestGamesAreBounded(t *testing.T) {
	var c catalogue.Catalogue
	named := func(i, players int) catalogue.Entry {
		e := entry(fmt.Sprintf("e%03d", i), catalogue.Warzone, players)
		e.Game = fmt.Sprint("game", i)
		return e
	}
	kept := func(i int) bool { return c.History(fmt.Sprint("game", i), catalogue.Day) != nil }
	var all []catalogue.Entry
	for i := range 100 {
		all = append(all, named(i, 100-i))
	}
	set(&c, catalogue.Warzone, start, all...)
	count := 0
	for i := range all {
		if kept(i) {
			count++
		}
	}
	if count != 64 || !kept(63) || kept(64) {
		t.Fatalf("%d games", count)
	}
	set(&c, catalogue.Warzone, start, append(all[:10:10], all[12:]...)...)
	set(&c, catalogue.Warzone, start, append(all[:10:10], append(all[12:], named(200, 1))...)...)
	if !kept(200) || kept(11) || !kept(10) {
		t.Error("a new game is not in the place of the absent one with the fewest players")
	}
	long := named(300, 1)
	long.Game = strings.Repeat("x", 100)
	set(&c, catalogue.Warzone, start, long)
	if c.History(long.Game, catalogue.Day) != nil {
		t.Error("a name without end is kept")
	}
}

// BenchmarkUpdate changes some of a hundred thousand servers, as in each second.
func BenchmarkUpdate(b *testing.B) {
	var c catalogue.Catalogue
	var put []*catalogue.Entry
	for i := range 100_000 {
		e := entry(fmt.Sprintf("w%06d", i), catalogue.Warzone, 1)
		put = append(put, &e)
	}
	c.Update(put, nil, start)
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		some := make([]*catalogue.Entry, 0, 2000)
		for i := n % 50; i < len(put); i += 50 {
			e := *put[i]
			e.Players = n
			some = append(some, &e)
		}
		c.Update(some, nil, start)
	}
}
