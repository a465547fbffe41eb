package gamespy2net_test

import (
	"encoding/json"
	"net/netip"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/laws"
)

func TestEntryObeysTheLaws(t *testing.T) {
	laws.Entry[gamespy2net.Entry, *gamespy2net.Entry]{
		Fix:   func(e *gamespy2net.Entry) { e.Withheld = false },
		Early: `{"g":"\u00fc:\u0000","s":1767355200000,"h":"/DoA","n":true,"latin1":["/g"]}`,
		Lacks: func(e *gamespy2net.Entry) { e.Addr, e.Local = netip.AddrPort{}, netip.Addr{} },
	}.Test(t)
}

// What a later version has added to an entry stays, also when its server has moved to this node.
func TestStoreKeepsUnknownMembers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		m, n := newNode(h)
		heartbeat := beat{key: instance}.wire(t)
		extra := map[string]json.RawMessage{"later": []byte("1")}
		h.Node().Put(gamespy2net.Entry{Game: "gmtest", Addr: gameServer, Seen: time.Now(), Heartbeat: string(heartbeat),
			Extra: extra})
		time.Sleep(time.Minute)
		noAnswer(t, m, gameServer, heartbeat)
		if puts := n.Puts(); len(puts) != 1 || !reflect.DeepEqual(puts[0].Extra, extra) {
			t.Errorf("%+v", puts)
		}
	})
}
