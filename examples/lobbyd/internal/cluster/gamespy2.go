package cluster

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// gameSpyBody is an entry of GameSpy without its address, which is the key.
type gameSpyBody struct {
	Game      string `json:"g"`
	Seen      int64  `json:"s"` // in milliseconds
	Heartbeat []byte `json:"h"` // any bytes
}

func gameSpyStore(c *Cluster) *shared[gamespy2net.Entry, netip.AddrPort] {
	return &shared[gamespy2net.Entry, netip.AddrPort]{
		cluster: c,
		family:  catalogue.GameSpy,
		id:      addrID,
		parseID: parseAddrID,
		encode: func(e gamespy2net.Entry) (netip.AddrPort, []byte, time.Time) {
			body, _ := json.Marshal(gameSpyBody{e.Game, e.Seen.UnixMilli(), []byte(e.Heartbeat)}) // does not fail
			return e.Addr, body, e.Seen.Add(gamespy2net.Expiry)
		},
		decode: func(addr netip.AddrPort, body []byte, floor time.Time) (gamespy2net.Entry, bool) {
			var b gameSpyBody
			if json.Unmarshal(body, &b) != nil {
				return gamespy2net.Entry{}, false
			}
			return gamespy2net.Entry{
				Game:      b.Game,
				Addr:      addr,
				Seen:      latest(time.UnixMilli(b.Seen), floor),
				Heartbeat: string(b.Heartbeat),
			}, true
		},
	}
}
