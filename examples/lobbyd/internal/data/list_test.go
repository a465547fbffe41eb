package data

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

var from = netip.MustParseAddrPort("192.0.2.1:2100")

// A watched is a List with the entries of its master.
type watched[E any, K comparable] struct {
	*List[E, K]
	listed map[K]E
}

func watch[E any, K comparable](l *List[E, K]) *watched[E, K] {
	w := &watched[E, K]{l, make(map[K]E)}
	l.Watch(func(e E) { w.listed[l.form.KeyOf(e)] = e }, func(k K) { delete(w.listed, k) })
	return w
}

// opened opens a list of a directory, as it is after a restart at a time.
func opened[E any, K comparable](t *testing.T, of func(d *Dir) *List[E, K], d *Dir, now time.Time) *watched[E, K] {
	t.Helper()
	l := of(d)
	if err := l.restore(now); err != nil {
		t.Fatal(err)
	}
	return watch(l)
}

func (w *watched[E, K]) mustWrite(t *testing.T, now time.Time) {
	t.Helper()
	if err := w.write(now); err != nil {
		t.Fatal(err)
	}
}

func (w *watched[E, K]) wantListed(t *testing.T, want ...K) {
	t.Helper()
	var got []K
	for k := range w.listed {
		got = append(got, k)
	}
	text := func(a, b K) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) }
	slices.SortFunc(got, text)
	slices.SortFunc(want, text)
	if !slices.Equal(got, want) {
		t.Errorf("listed %v, want %v", got, want)
	}
}

func open(t *testing.T, path string) *Dir {
	t.Helper()
	d, err := Open(t.Context(), path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func warzones(d *Dir) *List[warzonegames.Entry, uint32] {
	return newList(d, entries.Warzone(), warzonePolicy())
}

// A game with binary texts and the join tokens that players have used is restored.
func TestRestoresBinaryTextsAndTokens(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	w := opened(t, warzones, d, now)
	e := warzonegames.Entry{Key: from, ID: 5, Source: warzonegames.SourceHTTP, Verified: true,
		Opened:  now.Add(-time.Hour).UTC().Truncate(time.Second),
		Expires: now.Add(100 * time.Second).UTC().Truncate(time.Second)}
	e.Game.Name = "Z\xfcrich"
	e.Mods = []wzhttp.Mod{{Name: "a", Hash: "b"}}
	e.HTTP.Joins = append(e.HTTP.Joins, struct {
		Expires       int64
		Nonce, Player [8]byte
	}{e.Expires.Unix(), [8]byte{0xff, 0xfe}, [8]byte{0xfd}})
	w.Put(e)
	w.mustWrite(t, now)

	w = opened(t, warzones, d, now)
	same := cmp.Options{cmpopts.EquateComparable(netip.AddrPort{}), cmpopts.IgnoreFields(e, "Seen"),
		cmpopts.EquateApproxTime(time.Second)}
	if diff := cmp.Diff(map[uint32]warzonegames.Entry{5: e}, w.listed, same); diff != "" {
		t.Error(diff)
	}
	if got := w.state("5"); got != catalogue.Unchecked {
		t.Errorf("it is %q", got)
	}
	w.answered("5") // which says nothing about such a game
	if got := w.state("5"); got != catalogue.Unchecked {
		t.Errorf("it is %q", got)
	}
	w.Put(w.listed[5])
	if got := w.state("5"); got != catalogue.Live {
		t.Errorf("it is %q after its host has returned", got)
	}
	if info, err := os.Stat(d.Path("warzone.list")); err != nil || info.Mode() != fileMode {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func server(n int, now time.Time) gamespy1net.Entry {
	game := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, byte(n >> 8), byte(n)}), 25600)
	return gamespy1net.Entry{Game: game, Seen: now, Heartbeat: fmt.Sprintf(";level;%d;\xff", n)}
}

func agents(d *Dir) *List[gamespy1net.Entry, netip.AddrPort] {
	return newList(d, entries.GameAgent(), udpPolicy[gamespy1net.Entry](gamespy1net.Expiry))
}

// Servers that answer a check stay listed, the others are removed, also from the file. A
// removed server is not restored. Once the list is frozen, only removals do not count.
func TestSilentServersAreRemoved(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	w := opened(t, agents, d, now)
	var all []gamespy1net.Entry
	for n := range 5 {
		all = append(all, server(n, now))
	}
	for _, e := range all[1:] {
		w.Put(e)
	}
	w.mustWrite(t, now)
	w.Remove(all[4].Game)
	w.mustWrite(t, now)
	w.freeze()
	w.Put(all[0])
	w.Remove(all[1].Game)
	w.mustWrite(t, now)

	later := now.Add(10 * time.Minute)
	w = opened(t, agents, d, later)
	w.wantListed(t, all[0].Game, all[1].Game, all[2].Game, all[3].Game)
	if left := w.listed[all[0].Game].Seen.Add(gamespy1net.Expiry).Sub(later); left != grace {
		t.Errorf("listed for %v", left)
	}
	id := func(n int) string { return w.form.ID(all[n].Game) }
	w.answered(id(0))
	w.answered(id(4)) // which was removed
	w.silent(id(1), later)
	w.silent(id(3), now.Add(time.Minute)) // so soon after its last heartbeat, the query may be lost
	w.silent(id(2), later)
	w.wantListed(t, all[0].Game, all[3].Game)
	if e := w.listed[all[0].Game]; time.Since(e.Seen) > time.Minute || w.state(id(0)) != catalogue.Checked {
		t.Errorf("%q, seen %v", w.state(id(0)), e.Seen)
	}
	if n := w.unverified(); n != 1 {
		t.Errorf("%d are unverified", n)
	}
	w.mustWrite(t, later)

	w = opened(t, agents, d, later)
	w.wantListed(t, all[0].Game, all[3].Game)
	w = opened(t, agents, d, now.Add(halfAnHour+time.Second))
	w.wantListed(t)
}

// A server without a further Put expires in the file, too, and so does a restored server.
func TestRestoredServersExpire(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	w := opened(t, agents, d, now)
	w.Put(server(1, now))
	w.mustWrite(t, now)
	gone := now.Add(gamespy1net.Expiry + lateness + time.Second)
	w.mustWrite(t, gone)
	opened(t, agents, d, gone).wantListed(t)

	w.Put(server(1, now))
	w.mustWrite(t, gone)
	w = opened(t, agents, d, gone)
	w.wantListed(t, server(1, now).Game)
	w.mustWrite(t, gone.Add(gamespy1net.Expiry+lateness+time.Second))
	if n := w.unverified(); n != 0 {
		t.Errorf("%d are unverified", n)
	}
	opened(t, agents, d, gone).wantListed(t)
}

// The file does not grow without bound, and an entry that does not change is not written.
func TestFileDoesNotGrow(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	w := opened(t, agents, d, now)
	size := func() int64 {
		info, err := os.Stat(d.Path("gameagent.list"))
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	const servers = 1000
	for round := range 20 {
		for n := range servers {
			e := server(n, now)
			e.Heartbeat += fmt.Sprint(round)
			w.Put(e)
		}
		w.mustWrite(t, now)
	}
	if got := size(); got > 2*w.journal.live+longJournal || got != w.journal.size {
		t.Errorf("%d bytes, of which %d count", got, w.journal.live)
	}
	before := size()
	for n := range servers {
		e := server(n, now.Add(time.Second))
		e.Heartbeat += "19"
		w.Put(e)
	}
	w.mustWrite(t, now)
	if got := size(); got != before {
		t.Errorf("%d bytes were written without a change", got-before)
	}
	w = opened(t, agents, d, now)
	if len(w.listed) != servers {
		t.Errorf("%d are restored", len(w.listed))
	}
}

// A game server of Bomberman that registers again takes the place of the restored one, which
// had another ID.
func TestReturnWithAnotherIDReplacesTheEntry(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	of := func(d *Dir) *List[bombermannet.Entry, uint64] {
		return newList(d, entries.Bomberman(), bombermanPolicy())
	}
	w := opened(t, of, d, now)
	e := bombermannet.Entry{ID: 1, From: from, Seen: now,
		Server: bomberman.Server{Name: "a", Address: "192.0.2.1", Port: 3}}
	other := e
	other.ID, other.Server.Port = 2, 4
	w.Put(e)
	w.Put(other)
	w.mustWrite(t, now)
	w = opened(t, of, d, now)
	w.silent("1", now.Add(time.Hour)) // it may not accept connections from here
	w.wantListed(t, 1, 2)
	e.ID, e.From = 3, netip.AddrPortFrom(e.From.Addr(), 77)
	w.Put(e)
	w.mustWrite(t, now)
	w.wantListed(t, 2)
	w.mustWrite(t, now)
	opened(t, of, d, now).wantListed(t, 2, 3)
}

// logged returns the log of Lists, and the Lists.
func logged(t *testing.T, d *Dir) (*Lists, *bytes.Buffer) {
	log := new(bytes.Buffer)
	l := d.Lists(slog.New(slog.NewTextHandler(log, nil)))
	t.Cleanup(l.Close)
	return l, log
}

// Files that cannot be read are kept aside, with a warning. Their readable lines count,
// unless the file has another format. A file that lacks only its end causes a warning, and
// stays.
func TestUnreadableFilesAreKeptAside(t *testing.T) {
	const file = "gameagent.list"
	now := time.Now()
	for _, tt := range []struct {
		name   string
		change func(b []byte) []byte
		want   int
		warns  bool // and is kept, unless it is cut
	}{
		{"unchanged", func(b []byte) []byte { return b }, 9, false},
		{"cut", func(b []byte) []byte { return b[:len(b)-5] }, 8, true},
		{"cut in the middle", func(b []byte) []byte { return b[:len(b)/2] }, 4, true},
		{"damaged", func(b []byte) []byte { b[len(b)/2] ^= 1; return b }, 8, true},
		{"another port in a line",
			func(b []byte) []byte { return bytes.Replace(b, []byte("25600"), []byte("25601"), 1) }, 8, true},
		{"foreign line", func(b []byte) []byte { return append(b, "hello\n"...) }, 9, true},
		{"long line", func(b []byte) []byte { return append(b, strings.Repeat("x", 2*maxLine)+"\n"...) }, 9, true},
		{"foreign", func([]byte) []byte { return []byte(`[{"id":5}]`) }, 0, true},
		{"empty", func([]byte) []byte { return nil }, 0, true},
		{"another format",
			func(b []byte) []byte { return bytes.Replace(b, []byte("format 1"), []byte("format 2"), 1) }, 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := open(t, t.TempDir())
			w := opened(t, agents, d, now)
			for n := range 9 {
				w.Put(server(n, now))
			}
			w.mustWrite(t, now)
			b, err := os.ReadFile(d.Path(file))
			if err != nil {
				t.Fatal(err)
			}
			b = tt.change(b)
			if err := os.WriteFile(d.Path(file), b, fileMode); err != nil {
				t.Fatal(err)
			}
			l, log := logged(t, d)
			if got := watch(l.GameAgent); len(got.listed) != tt.want {
				t.Errorf("restored %d, want %d", len(got.listed), tt.want)
			}
			aside, err := os.ReadFile(d.Path(file + files.Aside))
			isKept := tt.warns && !strings.HasPrefix(tt.name, "cut")
			if (err == nil) != isKept || isKept && !bytes.Equal(aside, b) {
				t.Errorf("kept aside %d bytes, %v", len(aside), err)
			}
			l.GameAgent.Put(server(99, now))
			l.Close()
			said := log.String()
			if warns := strings.Contains(said, "WARN"); warns != tt.warns || strings.Contains(said, files.Aside) != isKept {
				t.Errorf("log %q", log)
			}
			if w := opened(t, agents, d, now); len(w.listed) != tt.want+1 {
				t.Errorf("restored %d after another change, want %d", len(w.listed), tt.want+1)
			}
		})
	}
}

// If a file cannot be written, the log reports it once, and the changes are written when
// that is possible again.
func TestChangesOnAFullDiskAreWrittenLater(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_RDWR, 0)
	if err != nil {
		t.Skip(err)
	}
	d, now := open(t, t.TempDir()), time.Now()
	log := new(bytes.Buffer)
	l := d.newLists(slog.New(slog.NewTextHandler(log, nil)))
	l.GameAgent.journal.file = full
	l.GameAgent.Put(server(1, now))
	for range 3 {
		if l.write() {
			t.Fatal("a full disk was written to")
		}
	}
	if s := l.Stats(); s.OK || s.Failed != 3 || strings.Count(log.String(), "latest changes are not saved") != 1 ||
		!strings.Contains(log.String(), "no space left") {
		t.Errorf("%+v, log %q", s, log)
	}
	l.GameAgent.journal.file = nil
	if err := full.Close(); err != nil {
		t.Fatal(err)
	}
	if !l.write() || !l.Stats().OK || !strings.Contains(log.String(), "saved again") {
		t.Errorf("log %q", log)
	}
	opened(t, agents, d, now).wantListed(t, server(1, now).Game)
}

// nodes is a Store that notes which servers it has.
type nodes map[netip.AddrPort]bool

func (n nodes) Put(e gamespy1net.Entry) { n[e.Game] = true }
func (n nodes) Remove(k netip.AddrPort) { delete(n, k) }
func (nodes) Expire(netip.AddrPort)     {}
func (n nodes) Watch(put func(gamespy1net.Entry), _ func(netip.AddrPort)) (stop func()) {
	put(server(2, time.Now()))
	return func() {}
}

// Restored entries are shared with other nodes while they answer. Entries that have moved
// to another node are no longer restored ones.
func TestRestoredEntriesAreShared(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	w := opened(t, agents, d, now)
	for n := range 3 {
		w.Put(server(n, now))
	}
	w.mustWrite(t, now)

	l, others := agents(d), make(nodes)
	if err := l.restore(now.Add(time.Minute)); err != nil {
		t.Fatal(err)
	}
	for _, e := range l.kept {
		e.heard = now.Add(-time.Minute)
	}
	listed := make(map[netip.AddrPort]bool)
	ours := func(string) bool { return false }
	l.Shared(others, ours).Watch(func(e gamespy1net.Entry) { listed[e.Game] = true },
		func(k netip.AddrPort) { delete(listed, k) })
	id := func(n int) string { return l.form.ID(server(n, now).Game) }
	if len(listed) != 3 || len(others) != 0 || l.state(id(2)) != catalogue.Live {
		t.Errorf("listed %v, shared %v, and one elsewhere is %q", listed, others, l.state(id(2)))
	}
	l.answered(id(0))
	l.answered(id(1))
	if len(others) != 2 {
		t.Errorf("shared %v", others)
	}
	l.silent(id(0), now.Add(time.Hour))
	if len(others) != 1 || len(listed) != 2 {
		t.Errorf("listed %v, shared %v", listed, others)
	}
}
