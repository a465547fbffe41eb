package cluster

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

func bombermanStore(c *Cluster) *shared[bombermannet.Entry, uint64] {
	return &shared[bombermannet.Entry, uint64]{
		cluster: c,
		family:  catalogue.Bomberman,
		id:      numberID[uint64],
		parseID: parseNumberID[uint64],
		encode: func(e bombermannet.Entry) (uint64, []byte, time.Time) {
			s := e.Server
			body, _ := json.Marshal(bombermanBody{ // does not fail
				e.Seen.UnixMilli(), e.From, []byte(s.Name), []byte(s.Address), s.Port,
				s.Players.Current, s.Players.Max, s.IsLobbyOpen, s.GameplayMode,
			})
			return e.ID, body, e.Seen.Add(bombermannet.Expiry)
		},
		decode: func(id uint64, body []byte, floor time.Time) (bombermannet.Entry, bool) {
			var b bombermanBody
			if json.Unmarshal(body, &b) != nil {
				return bombermannet.Entry{}, false
			}
			return bombermannet.Entry{
				ID:   id,
				From: b.From,
				Seen: latest(time.UnixMilli(b.Seen), floor),
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
