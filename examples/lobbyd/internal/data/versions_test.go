package data

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/files"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// A list that a later version has saved, with one more member everywhere, is restored, and the
// unknown members are saved again.
func TestListsOfLaterVersionsAreKept(t *testing.T) {
	now := time.Now()
	extra := map[string]json.RawMessage{"later": []byte(`{"x":1}`)}
	restoresLater(t, entries.GameAgent(), udpPolicy[gamespy1net.Entry](gamespy1net.Expiry),
		gamespy1net.Entry{Game: from, Seen: now, Heartbeat: ";level;\xff", Extra: extra},
		func(e gamespy1net.Entry) any { return e.Extra })
	restoresLater(t, entries.GameSpy(), udpPolicy[gamespy2net.Entry](gamespy2net.Expiry),
		gamespy2net.Entry{Game: "gmtest", Addr: from, Seen: now, Heartbeat: "\xff", Extra: extra},
		func(e gamespy2net.Entry) any { return e.Extra })
	restoresLater(t, entries.Bomberman(), bombermanPolicy(),
		bombermannet.Entry{ID: 1, From: from, Seen: now, Extra: extra},
		func(e bombermannet.Entry) any { return e.Extra })
	for source := range warzonegames.SourceHTTP + 2 { // also of a protocol that this version does not know
		restoresLater(t, entries.Warzone(), warzonePolicy(), warzonegames.Entry{ID: 1, Key: from, Source: source,
			Seen: now, Expires: now.Add(time.Minute), Extra: map[string]json.RawMessage{
				"later": []byte(`{"x":1}`), "game": []byte(`{"later":1}`), "http": []byte(`{"later":2}`)}},
			func(e warzonegames.Entry) any { return e.Extra })
	}
}

func restoresLater[E any, K comparable](t *testing.T, f *entries.Form[E, K], p policy[E], e E, extra func(E) any) {
	t.Helper()
	d, now := open(t, t.TempDir()), time.Now()
	of := func(d *Dir) *List[E, K] { return newList(d, f, p) }
	w := opened(t, of, d, now)
	w.Put(e)
	w.mustWrite(t, now)
	for range 2 {
		w = opened(t, of, d, now)
		restored, ok := w.listed[f.KeyOf(e)]
		if !ok || fmt.Sprint(extra(restored)) != fmt.Sprint(extra(e)) {
			t.Errorf("%s: %v, %+v, want %v", f.Family, ok, restored, extra(e))
		}
		w.Put(restored)
		if err := w.replace(); err != nil {
			t.Fatal(err)
		}
		w.mustWrite(t, now)
	}
}

// Entries in a form that this version would misread stay in the file, without a warning, until they
// expire: the later version has them again. A later version's line may have more members, too.
func TestFormsOfLaterVersionsStayInTheFile(t *testing.T) {
	d, now := open(t, t.TempDir()), time.Now()
	w := opened(t, warzones, d, now)
	const later = `{"version":2,"key":{"host":"x"}}`
	line := func(id, body string) string {
		return string(appendLine(nil, record{id, now.UnixMilli(), now.Add(time.Hour).UnixMilli(), []byte(body)}))
	}
	text := w.journal.format + line("7", later) + line("8", `{"id":8,"key":"192.0.2.1:2100"}`)
	if err := os.WriteFile(d.Path("warzone.list"), []byte(text), fileMode); err != nil {
		t.Fatal(err)
	}
	l, log := logged(t, d)
	listed := watch(l.Warzone).listed
	got := slices.Collect(maps.Keys(listed))
	if !slices.Equal(got, []uint32{8}) || strings.Contains(log.String(), "WARN") {
		t.Errorf("restored %v, log %s", got, log)
	}
	l.Warzone.Put(listed[8])
	l.Close()
	w = opened(t, warzones, d, now)
	if err := w.replace(); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(d.Path("warzone.list")); err != nil || !strings.Contains(string(b), later) {
		t.Errorf("%s, %v", b, err)
	}
	if _, err := os.Stat(d.Path("warzone.list" + files.Aside)); err == nil {
		t.Error("the file is kept aside")
	}
	w.mustWrite(t, now.Add(time.Hour+lateness+time.Second))
	if _, saved := w.saved[7]; saved {
		t.Error("it stays after its end")
	}
}
