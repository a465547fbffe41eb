package gamespy1net_test

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/laws"
)

func TestEntryObeysTheLaws(t *testing.T) {
	laws.Entry[gamespy1net.Entry, *gamespy1net.Entry]{
		Fix:   func(e *gamespy1net.Entry) { e.Withheld = false },
		Early: `{"s":1767355200000,"h":"/DoA","t":"/DoA","g":"/DoA","y":true}`,
		Lacks: func(e *gamespy1net.Entry) {
			e.Game, e.Local, e.Session = netip.AddrPort{}, netip.Addr{}, gamespy1net.Session{}
		},
	}.Test(t)
}

// What a later version has added to an entry stays, also when its server has moved to this node.
func TestStoreKeepsUnknownMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m, n := newNode(h)
		extra := map[string]json.RawMessage{"later": []byte("1")}
		h.Node().Put(gamespy1net.Entry{Game: gameagent.GameAddr(gameServer), Seen: time.Now(), Heartbeat: "new",
			Extra: extra})
		time.Sleep(time.Minute)
		silent(t, m, gameServer, periodic)
		if puts := n.Puts(); len(puts) != 1 || !reflect.DeepEqual(puts[0].Extra, extra) {
			t.Errorf("%+v", puts)
		}
	})
}
