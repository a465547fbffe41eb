package bombermannet_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/internal/test/laws"
)

func TestEntryKeepsItsServer(t *testing.T) {
	laws.Entry[bombermannet.Entry, *bombermannet.Entry]{
		Fix: func(e *bombermannet.Entry) {
			e.Withheld, e.Server.Extra, e.Server.Players.Extra = false, nil, nil
		},
		Early: `{"s":1767355200000,"f":"[2001:db8::1]:2100","n":"/DoA","a":"/DoA","p":-3,"c":-3,"m":-3,"o":true,"g":-3}`,
		Lacks: func(e *bombermannet.Entry) { e.ID = 0 },
	}.Test(t)
}

// What a later version has added to an entry stays.
func TestStoreKeepsUnknownMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m := new(bombermannet.ManagementServer)
		startNode(t, h, m)
		extra := map[string]json.RawMessage{"later": []byte("1")}
		h.Node().Put(bombermannet.Entry{ID: 1, Server: listed("A", 1, 1, 4, true, 1), Seen: time.Now(), Extra: extra})
		all := slices.Collect(m.Servers())
		if len(all) != 1 || !reflect.DeepEqual(all[0].Extra, extra) {
			t.Errorf("%+v", all)
		}
	})
}
