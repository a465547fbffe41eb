package entries

import (
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)

// An entry is the same after coding, and expires at the same time, also with a body without the key,
// as early versions wrote it.
func TestCodedEntryIsTheSame(t *testing.T) {
	at := netip.MustParseAddrPort("192.0.2.1:25600")
	keeps(t, GameAgent(), gamespy1net.Entry{Game: at, Seen: noon, Heartbeat: "\xff"}, noon.Add(gamespy1net.Expiry),
		`{"s":1767355200000,"h":"/w=="}`)
	keeps(t, GameSpy(), gamespy2net.Entry{Addr: at, Seen: noon, Heartbeat: "\xff", Game: "gmtest"},
		noon.Add(gamespy2net.Expiry), `{"g":"gmtest","s":1767355200000,"h":"/w=="}`)
	keeps(t, Bomberman(), bombermannet.Entry{ID: 1 << 63, Seen: noon}, noon.Add(bombermannet.Expiry),
		`{"s":1767355200000}`)
	keeps(t, Warzone(), warzonegames.Entry{ID: 7, Seen: noon, Expires: noon.Add(time.Minute), Tech: "\xff"},
		noon.Add(time.Minute),
		`{"id":7,"withheld":false,"tech":"ÿ","seen":"2026-01-02T12:00:00Z","expires":"2026-01-02T12:01:00Z",
		"latin1":["/tech"]}`)
}

func keeps[E, K any](t *testing.T, f *Form[E, K], e E, until time.Time, early string) {
	same := cmp.Options{cmpopts.EquateComparable(netip.Addr{}, netip.AddrPort{})}
	k, ok := f.ParseID(f.ID(f.KeyOf(e)))
	if diff := cmp.Diff(f.KeyOf(e), k, same); diff != "" || !ok {
		t.Errorf("%s: %v, %s", f.Family, ok, diff)
	}
	body, err := f.Encode(e)
	if err != nil {
		t.Fatal(err)
	}
	for _, body := range []string{string(body), early} {
		got, err := f.Decode(k, []byte(body))
		if diff := cmp.Diff(e, got, same); diff != "" || err != nil {
			t.Errorf("%s: %v\n%s", f.Family, err, diff)
		}
		if !f.Until(got).Equal(until) || !f.Seen(&got).Equal(noon) {
			t.Errorf("%s: until %v", f.Family, f.Until(got))
		}
	}
	if _, err := f.Decode(k, []byte(`5`)); err == nil {
		t.Errorf("%s: a number is an entry", f.Family)
	}
}

func TestIDsAreSafe(t *testing.T) {
	for _, id := range []string{"", "-1", "x", "4294967296"} {
		if n, ok := parseNumberID[uint32](id); ok {
			t.Errorf("%q is %d", id, n)
		}
		if a, ok := parseAddrID(id); ok {
			t.Errorf("%q is %v", id, a)
		}
	}
	a := netip.MustParseAddrPort("192.0.2.1:25600")
	if got, ok := parseAddrID(addrID(a)); got != a || !ok || strings.ContainsAny(addrID(a), ".:[]") {
		t.Errorf("%v is %v as %q", a, got, addrID(a))
	}
	if id, ok := ID(catalogue.GameSpy, a.String()); id != addrID(a) || !ok {
		t.Errorf("of an address: %q, %v", id, ok)
	}
	if id, ok := ID(catalogue.Warzone, "7"); id != "7" || !ok {
		t.Errorf("of a game: %q, %v", id, ok)
	}
}
