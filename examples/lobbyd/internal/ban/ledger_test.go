package ban

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func merge(t *testing.T, l *Ledger, r Record, want bool) {
	t.Helper()
	if isNew, err := l.Merge(r); err != nil || isNew != want {
		t.Errorf("%+v: new %v, %v", r, isNew, err)
	}
}

// A ban survives a restart, ends at its time, and a later record of any node counts.
func TestLaterRecordOfABanCounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "bans.json")
		var l Ledger
		if _, err := l.Load(path); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		first := Record{Kind: KindPrefix, Value: "192.0.2.0/24", Reason: "floods", Note: "ticket 7", At: start}
		short := Record{Kind: KindServer, Value: "198.51.100.7:6500", At: start.Add(1), Until: start.Add(time.Hour)}
		merge(t, &l, first, true)
		merge(t, &l, short, true)
		merge(t, &l, first, false)
		var again Ledger
		if _, err := again.Load(path); err != nil {
			t.Fatal(err)
		}
		active, next := again.Active(time.Now())
		if diff := cmp.Diff([]Record{first, short}, active); diff != "" || !next.Equal(short.Until) {
			t.Errorf("the first end is %v\n%s", next, diff)
		}
		time.Sleep(time.Hour)
		ended := first
		ended.At, ended.Ended = start.Add(time.Minute), true
		merge(t, &again, ended, true)
		merge(t, &again, first, false) // from a node that was away
		if active, next := again.Active(time.Now()); len(active) != 0 || !next.IsZero() {
			t.Errorf("%v, until %v", active, next)
		}
		if all := again.All(); len(all) != 2 {
			t.Errorf("%v", all)
		}
	})
}

func TestUnreadableFileIsSetAside(t *testing.T) {
	for _, content := range []string{"", "{", `{"format": "other"}`} {
		path := filepath.Join(t.TempDir(), "bans.json")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		var l Ledger
		if kept, err := l.Load(path); err == nil || kept != path+".bad" {
			t.Errorf("%q is read, or kept as %q: %v", content, kept, err)
		}
		if b, err := os.ReadFile(path + ".bad"); err != nil || string(b) != content {
			t.Errorf("%q is not kept: %q, %v", content, b, err)
		}
		merge(t, &l, Record{Kind: KindPattern, Value: "x", At: time.Now()}, true)
	}
}

func TestCheckRefusesInvalidRecords(t *testing.T) {
	for _, r := range []Record{
		{Kind: KindPrefix, Value: "192.0.2.0/99"}, {Kind: KindServer, Value: "192.0.2.1"},
		{Kind: KindPattern, Value: "("}, {Kind: KindPattern},
		{Kind: KindPattern, Value: "x", Note: string(make([]byte, MaxReason+1))},
		{Kind: "other", Value: "x"}, {Kind: KindPattern, Value: "x", Reason: string(make([]byte, MaxReason+1))},
	} {
		if _, err := r.Check(); err == nil {
			t.Errorf("%+v is accepted", r)
		}
	}
	if r, err := (Record{Kind: KindPrefix, Value: "::ffff:192.0.2.7"}).Check(); err != nil || r.Value != "192.0.2.7/32" {
		t.Errorf("%+v, %v", r, err)
	}
}

// Bans of a later version are kept, with unknown members and kinds. Bans that this version cannot
// enforce are not in force.
func TestBansOfLaterVersionsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "bans.json")
	const later = `{"format":"lobbyd bans 1","records":[
		{"kind":"prefix","value":"192.0.2.0/24","at":"2026-01-02T12:00:00Z","later":{"x":1}},
		{"kind":"country","value":"XX","at":"2026-01-02T12:00:01Z","later":[1]},
		{"kind":"pattern","value":"(?later)","at":"2026-01-02T12:00:02Z"}],"later":5}`
	if err := os.WriteFile(path, []byte(later), 0o600); err != nil {
		t.Fatal(err)
	}
	var l Ledger
	if _, err := l.Load(path); err != nil {
		t.Fatal(err)
	}
	if active, _ := l.Active(time.Now()); len(active) != 1 || active[0].Value != "192.0.2.0/24" || len(l.All()) != 3 {
		t.Errorf("%+v of %+v", active, l.All())
	}
	one := Record{Kind: "country", Value: "YY", At: time.Now()} // of another node
	const record = `{"kind":"country","value":"YY","at":"2026-01-02T12:00:03Z","later":7}`
	if err := json.Unmarshal([]byte(record), &one); err != nil {
		t.Fatal(err)
	}
	merge(t, &l, one, true)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.TrimSuffix(later, `],"later":5}`) +
		`,{"kind":"country","value":"YY","at":"2026-01-02T12:00:03Z","later":7}],"later":5}`
	var got, wanted any
	if err := errors.Join(json.Unmarshal(b, &got), json.Unmarshal([]byte(want), &wanted)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(wanted, got); diff != "" {
		t.Error(diff)
	}
	if _, err := l.Merge(Record{Kind: "country", Value: strings.Repeat("x", maxRecord), At: time.Now()}); err == nil {
		t.Error("a huge record is kept")
	}
}
