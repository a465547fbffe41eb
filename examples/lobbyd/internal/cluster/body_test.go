package cluster

import (
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// equal compares entries except for Withheld, which depends on the rules of each node.
var equal = cmp.Options{
	cmpopts.EquateComparable(netip.AddrPort{}),
	cmpopts.IgnoreFields(warzonegames.Entry{}, "Withheld"),
	cmpopts.IgnoreFields(bombermannet.Entry{}, "Withheld"),
	cmpopts.IgnoreFields(gameagentnet.Entry{}, "Withheld"),
	cmpopts.IgnoreFields(bomberman.Server{}, "Extra"),
}

// fill sets every field of a struct. Texts are not valid UTF-8.
func fill(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[time.Time]():
			v.Set(reflect.ValueOf(noon.Local()))
		case reflect.TypeFor[netip.AddrPort]():
			v.Set(reflect.ValueOf(netip.MustParseAddrPort("[2001:db8::1]:2100")))
		default:
			for i := range v.NumField() {
				fill(t, v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.String:
		v.SetString("\xfc:\x00")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(200)
	case reflect.Int, reflect.Int64:
		v.SetInt(-3)
	case reflect.Map: // unknown JSON members
	default:
		t.Fatalf("%v is not filled", v.Type())
	}
}

// All fields of an entry arrive at the other nodes.
func TestBodies(t *testing.T) {
	var g warzonegames.Entry
	fill(t, reflect.ValueOf(&g).Elem())
	id, body, until := encodeWarzone(g)
	got, ok := decodeWarzone(id, body)
	g.Game.Host, g.Game.GameID = "", 0 // Games sets these
	if diff := cmp.Diff(g, got, equal); diff != "" || !ok || !until.Equal(g.Expires) {
		t.Errorf("%v\n%s", ok, diff)
	}

	c := new(Cluster)
	var s bombermannet.Entry
	fill(t, reflect.ValueOf(&s).Elem())
	bomber := bombermanStore(c)
	n, body, until := bomber.encode(s)
	server, ok := bomber.decode(n, body, time.Time{})
	if diff := cmp.Diff(s, server, equal); diff != "" || !ok || until.Sub(s.Seen) != bombermannet.Expiry {
		t.Errorf("%v\n%s", ok, diff)
	}

	var e gameagentnet.Entry
	fill(t, reflect.ValueOf(&e).Elem())
	agent := gameAgentStore(c)
	addr, body, until := agent.encode(e)
	entry, ok := agent.decode(addr, body, time.Time{})
	if diff := cmp.Diff(e, entry, equal); diff != "" || !ok || until.Sub(e.Seen) != gameagentnet.Expiry {
		t.Errorf("%v\n%s", ok, diff)
	}
	// A node that is cut off sets Seen to the current time.
	if entry, _ := agent.decode(addr, body, noon.Add(time.Hour)); !entry.Seen.Equal(noon.Add(time.Hour)) {
		t.Errorf("seen %v", entry.Seen)
	}
}

// Values that other programs write to the bucket are ignored.
func TestInvalid(t *testing.T) {
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
	for _, id := range []string{"", "-1", "x", "4294967296"} {
		if n, ok := parseNumberID[uint32](id); ok {
			t.Errorf("%q is %d", id, n)
		}
		if a, ok := parseAddrID(id); ok {
			t.Errorf("%q is %v", id, a)
		}
	}
	c := new(Cluster)
	for _, body := range []string{"", "5", `{"s":"x"}`} {
		if _, ok := decodeWarzone(1, []byte(body)); ok {
			t.Errorf("%q is a game", body)
		}
		if _, ok := bombermanStore(c).decode(1, []byte(body), noon); ok {
			t.Errorf("%q is a game server", body)
		}
		if _, ok := gameAgentStore(c).decode(netip.AddrPort{}, []byte(body), noon); ok {
			t.Errorf("%q is a server", body)
		}
	}
	a := netip.MustParseAddrPort("192.0.2.1:25600")
	if got, ok := parseAddrID(addrID(a)); got != a || !ok || strings.ContainsAny(addrID(a), ".:[]") {
		t.Errorf("%v is %v as %q", a, got, addrID(a))
	}
}
