package gameagentnet_test

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/internal/test/laws"
)

func TestEntry(t *testing.T) {
	laws.Entry[gameagentnet.Entry, *gameagentnet.Entry]{
		Fix:   func(e *gameagentnet.Entry) { e.Withheld = false },
		Early: `{"s":1767355200000,"h":"/DoA","t":"/DoA","g":"/DoA","y":true}`,
		Lacks: func(e *gameagentnet.Entry) {
			e.Game, e.Local, e.Session = netip.AddrPort{}, netip.Addr{}, gameagentnet.Session{}
		},
	}.Test(t)
}

// What a later version has added to an entry stays, also when its server has moved to this node.
func TestStoreKeepsUnknownMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m, n := newNode(h)
		extra := map[string]json.RawMessage{"later": []byte("1")}
		h.Node().Put(gameagentnet.Entry{Game: gameagent.GameAddr(gameServer), Seen: time.Now(), Heartbeat: "new",
			Extra: extra})
		time.Sleep(time.Minute)
		silent(t, m, gameServer, periodic)
		if puts := n.Puts(); len(puts) != 1 || !reflect.DeepEqual(puts[0].Extra, extra) {
			t.Errorf("%+v", puts)
		}
	})
}
