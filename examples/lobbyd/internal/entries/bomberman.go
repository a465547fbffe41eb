package entries

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

// bombermanBody is an entry of Bomberman without its ID, which is the key, and
// without unknown JSON members.
type bombermanBody struct {
	Seen    int64                  `json:"s"` // in milliseconds
	From    netip.AddrPort         `json:"f"`
	Name    []byte                 `json:"n"` // any bytes
	Address []byte                 `json:"a"`
	Port    int                    `json:"p"`
	Current int                    `json:"c"`
	Max     int                    `json:"m"`
	Open    bool                   `json:"o,omitempty"`
	Mode    bomberman.GameplayMode `json:"g"`
}

// Bomberman returns the form of game servers of Bomberman.
func Bomberman() *Form[bombermannet.Entry, uint64] {
	return &Form[bombermannet.Entry, uint64]{
		Family:  catalogue.Bomberman,
		Expiry:  bombermannet.Expiry,
		Key:     func(e bombermannet.Entry) uint64 { return e.ID },
		ID:      numberID[uint64],
		ParseID: parseNumberID[uint64],
		Seen:    func(e *bombermannet.Entry) *time.Time { return &e.Seen },
		Encode: func(e bombermannet.Entry) []byte {
			s := e.Server
			body, _ := json.Marshal(bombermanBody{ // does not fail
				e.Seen.UnixMilli(), e.From, []byte(s.Name), []byte(s.Address), s.Port,
				s.Players.Current, s.Players.Max, s.IsLobbyOpen, s.GameplayMode,
			})
			return body
		},
		Decode: func(id uint64, body []byte) (bombermannet.Entry, bool) {
			var b bombermanBody
			if json.Unmarshal(body, &b) != nil {
				return bombermannet.Entry{}, false
			}
			return bombermannet.Entry{
				ID:   id,
				From: b.From,
				Seen: time.UnixMilli(b.Seen),
				Server: bomberman.Server{
					Name:         string(b.Name),
					Address:      string(b.Address),
					Port:         b.Port,
					Players:      bomberman.PlayerCount{Current: b.Current, Max: b.Max},
					IsLobbyOpen:  b.Open,
					GameplayMode: b.Mode,
				},
			}, true
		},
	}
}
