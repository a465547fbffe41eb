package entries

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
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

var noon = time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC).Local()

// equal compares entries except for what each master sets.
var equal = cmp.Options{
	cmpopts.EquateComparable(netip.AddrPort{}),
	cmpopts.IgnoreFields(warzonegames.Entry{}, "Withheld"),
	cmpopts.IgnoreFields(warzone.Game{}, "Host", "GameID"),
	cmpopts.IgnoreFields(bombermannet.Entry{}, "Withheld"),
	cmpopts.IgnoreFields(gameagentnet.Entry{}, "Withheld"),
	cmpopts.IgnoreFields(gamespy2net.Entry{}, "Withheld"),
	cmpopts.IgnoreFields(bomberman.Server{}, "Extra"),
}

// fill sets every field of a struct. Texts are not valid UTF-8.
func fill(t *testing.T, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[time.Time]():
			v.Set(reflect.ValueOf(noon))
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

// All fields of an entry are kept.
func TestForms(t *testing.T) {
	keeps(t, GameAgent(), noon.Add(gameagentnet.Expiry))
	keeps(t, GameSpy(), noon.Add(gamespy2net.Expiry))
	keeps(t, Bomberman(), noon.Add(bombermannet.Expiry))
	keeps(t, Warzone(), noon)
}

func keeps[E, K any](t *testing.T, f *Form[E, K], until time.Time) {
	var e E
	fill(t, reflect.ValueOf(&e).Elem())
	if spy, ok := any(&e).(*gamespy2net.Entry); ok {
		spy.Game = "gmtest" // from the configuration, so always UTF-8
	}
	k, ok := f.ParseID(f.ID(f.Key(e)))
	if diff := cmp.Diff(f.Key(e), k, equal); diff != "" || !ok {
		t.Errorf("%s: %v, %s", f.Family, ok, diff)
	}
	got, ok := f.Decode(k, f.Encode(e))
	if diff := cmp.Diff(e, got, equal); diff != "" || !ok {
		t.Errorf("%s: %v\n%s", f.Family, ok, diff)
	}
	if !f.Until(got).Equal(until) || !f.Seen(&got).Equal(noon) {
		t.Errorf("%s: until %v", f.Family, f.Until(got))
	}
	for _, body := range []string{"", "5", `{"s":"x"}`, `{"seen":5}`} {
		if _, ok := f.Decode(k, []byte(body)); ok && !(body == `{"seen":5}` && f.Expires == nil) {
			t.Errorf("%s: %q is an entry", f.Family, body)
		}
	}
}

func TestIDs(t *testing.T) {
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
