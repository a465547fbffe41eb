package cluster

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/entries"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// Values that other programs write to the bucket are ignored.
func TestForeignValuesAreIgnored(t *testing.T) {
	for _, value := range []string{"", "\n", "node0 run", "node0\n{}", "a.b run\n{}", strings.Repeat("a", 65) +
		" run\n"} {
		if by, _, ok := parse([]byte(value)); ok {
			t.Errorf("%q is of %+v", value, by)
		}
	}
	w := writer{"node0", "run"}
	if by, body, ok := parse(w.sign([]byte("a\nb"))); by != w || string(body) != "a\nb" || !ok {
		t.Errorf("got %+v, %q, %v", by, body, ok)
	}
}

// A node that is cut off sets Seen to the current time.
func TestCutOffNodeRenewsSeen(t *testing.T) {
	s := &shared[gamespy1net.Entry, netip.AddrPort]{entries.GameAgent(), new(Cluster)}
	e := gamespy1net.Entry{Game: netip.MustParseAddrPort("192.0.2.1:25600"), Seen: time.Now().Add(-time.Hour)}
	body, err := s.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	if got, ok := s.decode(s.ID(e.Game), body, now); !ok || !got.Seen.Equal(now) {
		t.Errorf("%+v, %v", got, ok)
	}
}

// A node reads an entry of a later version, with members that it does not know, and sends them on
// when the host has moved to it. It ignores a form that it would misread.
func TestEntriesOfLaterVersionsAreKept(t *testing.T) {
	passesOn(t, entries.GameAgent(), addr, `{"a":"192.0.2.1:25600","s":1767355200000,"h":"AA==","later":1}`)
	passesOn(t, entries.GameSpy(), addr, `{"a":"192.0.2.1:25600","g":"gmtest","s":1767355200000,"h":"AA==","later":1}`)
	passesOn(t, entries.Bomberman(), uint64(7), `{"i":7,"s":1767355200000,"f":"","n":"AA==","a":"AA==","p":1,"c":1,"m":4,
		"g":1,"later":1}`)
	passesOn(t, entries.Warzone(), uint32(7), `{"key":"192.0.2.1:2100","id":7,"game":{"name":"x","later":1},
		"http":{"session":1,"later":1},"seen":"2026-01-02T12:00:00Z","expires":"2026-01-02T12:00:00Z","later":1}`)
}

var addr = netip.MustParseAddrPort("192.0.2.1:25600")

func passesOn[E, K any](t *testing.T, f *entries.Form[E, K], k K, later string) {
	c := &Cluster{own: outbox{items: make(map[string]*item)}, wake: make(chan struct{}, 1)}
	s := &shared[E, K]{f, c}
	id := f.ID(k)
	e, ok := s.decode(id, []byte(later), time.Time{})
	if !ok {
		t.Fatalf("%s: %s is not read", f.Family, later)
	}
	s.Put(e)
	sent := string(c.own.items[keyOf(f.Family, id)].body)
	if got, want := strings.Count(sent, `"later":1`), strings.Count(later, `"later":1`); got != want {
		t.Errorf("%s: it sends %s", f.Family, sent)
	}
	if _, ok := s.decode(id, []byte(`{"version":2}`), time.Time{}); ok {
		t.Errorf("%s: another form is read", f.Family)
	}
}
