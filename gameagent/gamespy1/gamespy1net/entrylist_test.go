package gamespy1net

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"time"
)

// The list has each field of an Entry.
func TestListKeepsEntries(t *testing.T) {
	e := Entry{
		Game: netip.MustParseAddrPort("192.0.2.1:25600"), Seen: time.Unix(1, 0), Heartbeat: "h", Status: "s",
		GameName: "g", Session: Session{"n", "p"}, Synced: true, Withheld: true, Local: netip.MustParseAddr("192.0.2.2"),
		Extra: map[string]json.RawMessage{"later": []byte("1")},
	}
	for i := range reflect.TypeFor[Entry]().NumField() {
		if v := reflect.ValueOf(e).Field(i); v.IsZero() {
			t.Errorf("the test lacks %s", reflect.TypeFor[Entry]().Field(i).Name)
		}
	}
	if got := entryOf(e.inList()); !reflect.DeepEqual(got, e) {
		t.Errorf("%+v, want %+v", got, e)
	}
}
