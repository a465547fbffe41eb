package entries

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

// GameAgent returns the form of servers of both forms of GameAgent.
func GameAgent() *Form[gameagentnet.Entry, netip.AddrPort] {
	return &Form[gameagentnet.Entry, netip.AddrPort]{
		Family:  catalogue.GameAgent,
		Expiry:  gameagentnet.Expiry,
		Key:     func(e gameagentnet.Entry) netip.AddrPort { return e.Game },
		ID:      addrID,
		ParseID: parseAddrID,
		Seen:    func(e *gameagentnet.Entry) *time.Time { return &e.Seen },
		Encode: func(e gameagentnet.Entry) []byte {
			body, _ := json.Marshal(gameAgentBody{ // does not fail
				e.Seen.UnixMilli(), []byte(e.Heartbeat), []byte(e.Status), []byte(e.GameName), e.Synced,
			})
			return body
		},
		Decode: func(game netip.AddrPort, body []byte) (gameagentnet.Entry, bool) {
			var b gameAgentBody
			if json.Unmarshal(body, &b) != nil {
				return gameagentnet.Entry{}, false
			}
			return gameagentnet.Entry{
				Game:      game,
				Seen:      time.UnixMilli(b.Seen),
				Heartbeat: string(b.Heartbeat),
				Status:    string(b.Status),
				GameName:  string(b.GameName),
				Synced:    b.Synced,
			}, true
		},
	}
}
