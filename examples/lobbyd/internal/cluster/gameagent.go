package cluster

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
)

// gameAgentBody is an entry of GameAgent without its address, which is the key.
type gameAgentBody struct {
	Seen      int64  `json:"s"` // in milliseconds
	Heartbeat []byte `json:"h"` // any bytes
	Status    []byte `json:"t,omitempty"`
	GameName  []byte `json:"g,omitempty"`
	Synced    bool   `json:"y,omitempty"`
}

func gameAgentStore(c *Cluster) *shared[gameagentnet.Entry, netip.AddrPort] {
	return &shared[gameagentnet.Entry, netip.AddrPort]{
		cluster: c,
		family:  catalogue.GameAgent,
		id:      addrID,
		parseID: parseAddrID,
		encode: func(e gameagentnet.Entry) (netip.AddrPort, []byte, time.Time) {
			// does not fail
			body, _ := json.Marshal(gameAgentBody{e.Seen.UnixMilli(), []byte(e.Heartbeat), []byte(e.Status),
				[]byte(e.GameName), e.Synced})
			return e.Game, body, e.Seen.Add(gameagentnet.Expiry)
		},
		decode: func(game netip.AddrPort, body []byte, floor time.Time) (gameagentnet.Entry, bool) {
			var b gameAgentBody
			if json.Unmarshal(body, &b) != nil {
				return gameagentnet.Entry{}, false
			}
			return gameagentnet.Entry{
				Game:      game,
				Seen:      latest(time.UnixMilli(b.Seen), floor),
				Heartbeat: string(b.Heartbeat),
				Status:    string(b.Status),
				GameName:  string(b.GameName),
				Synced:    b.Synced,
			}, true
		},
	}
}
