package entries

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// gameSpyBody is an entry of GameSpy without its address, which is the key.
type gameSpyBody struct {
	Game           string `json:"g"`
	Seen           int64  `json:"s"` // in milliseconds
	Heartbeat      []byte `json:"h"` // any bytes
	NeedsChallenge bool   `json:"n,omitempty"`
}

// GameSpy returns the form of servers of GameSpy.
func GameSpy() *Form[gamespy2net.Entry, netip.AddrPort] {
	return &Form[gamespy2net.Entry, netip.AddrPort]{
		Family:  catalogue.GameSpy,
		Expiry:  gamespy2net.Expiry,
		Key:     func(e gamespy2net.Entry) netip.AddrPort { return e.Addr },
		ID:      addrID,
		ParseID: parseAddrID,
		Seen:    func(e *gamespy2net.Entry) *time.Time { return &e.Seen },
		Encode: func(e gamespy2net.Entry) []byte {
			body, _ := json.Marshal(gameSpyBody{ // does not fail
				e.Game, e.Seen.UnixMilli(), []byte(e.Heartbeat), e.NeedsChallenge,
			})
			return body
		},
		Decode: func(addr netip.AddrPort, body []byte) (gamespy2net.Entry, bool) {
			var b gameSpyBody
			if json.Unmarshal(body, &b) != nil {
				return gamespy2net.Entry{}, false
			}
			return gamespy2net.Entry{
				Game:           b.Game,
				Addr:           addr,
				Seen:           time.UnixMilli(b.Seen),
				Heartbeat:      string(b.Heartbeat),
				NeedsChallenge: b.NeedsChallenge,
			}, true
		},
	}
}
