package cluster

import (
	"encoding/json"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// lease is how long a game of another node stays that the cluster says nothing
// of. It is told again much sooner.
const lease = 2 * time.Minute

// warzoneBody is a game but for its ID, which is the key, and what Games sets.
type warzoneBody struct {
	Key      netip.AddrPort    `json:"k"`
	Source   warzonenet.Source `json:"p,omitempty"`
	Started  bool              `json:"r,omitempty"`
	Verified bool              `json:"v,omitempty"`
	Opened   int64             `json:"o"` // all times in milliseconds
	Seen     int64             `json:"s"`
	Expires  int64             `json:"e"`
	Layout   warzone.Layout    `json:"l,omitempty"`
	Port     uint16            `json:"h,omitempty"`
	Limits   warzone.Limits    `json:"i,omitempty"`
	OS       warzone.OS        `json:"w,omitempty"`
	Numbers  [15]uint32        `json:"n"`
	Texts    [10][]byte        `json:"t"` // any bytes
}

// numbersOf returns where a game has its numbers, textsOf its texts, in the order
// of the body.
func numbersOf(g *warzone.Game) [15]*uint32 {
	u := &g.UserFlags
	return [...]*uint32{
		&g.Version, &g.Size, &g.Flags, &g.MaxPlayers, &g.CurrentPlayers, &u[0], &u[1], &u[2], &u[3],
		&g.NetcodeMajor, &g.NetcodeMinor, &g.Private, &g.Pure, &g.Mods, &g.NetcodeWord,
	}
}

func textsOf(e *warzonenet.Entry) [10]*string {
	g := &e.Game
	return [...]*string{
		&g.Name, &g.Misc, &g.SecondaryHosts[0], &g.SecondaryHosts[1], &g.Extra, &g.MapName, &g.HostName,
		&g.VersionString, &g.ModList, &e.Tech,
	}
}

func warzoneStore(c *Cluster) *shared[warzonenet.Entry, uint32] {
	return &shared[warzonenet.Entry, uint32]{
		cluster: c,
		family:  catalogue.Warzone,
		id:      numberID[uint32],
		parseID: parseNumberID[uint32],
		encode:  encodeWarzone,
		decode: func(id uint32, body []byte, floor time.Time) (warzonenet.Entry, bool) {
			e, ok := decodeWarzone(id, body)
			// The clocks of nodes differ, and a node that is cut off keeps what
			// it has: it is the cluster that tells when a game has gone.
			e.Expires = latest(e.Expires, time.Now().Add(max(lease, 2*c.options.TTL)))
			e.Seen = latest(e.Seen, floor)
			return e, ok
		},
	}
}

func encodeWarzone(e warzonenet.Entry) (uint32, []byte, time.Time) {
	b := warzoneBody{
		Key: e.Key, Source: e.Source, Started: e.Started, Verified: e.Verified,
		Opened: e.Opened.UnixMilli(), Seen: e.Seen.UnixMilli(), Expires: e.Expires.UnixMilli(),
		Layout: e.Game.Layout, Port: e.Game.HostPort, Limits: e.Game.Limits, OS: e.Game.OS,
	}
	for i, n := range numbersOf(&e.Game) {
		b.Numbers[i] = *n
	}
	for i, s := range textsOf(&e) {
		b.Texts[i] = []byte(*s)
	}
	body, _ := json.Marshal(b) // does not fail
	return e.ID, body, e.Expires
}

func decodeWarzone(id uint32, body []byte) (e warzonenet.Entry, ok bool) {
	var b warzoneBody
	if json.Unmarshal(body, &b) != nil {
		return e, false
	}
	e = warzonenet.Entry{
		ID: id, Key: b.Key, Source: b.Source, Started: b.Started, Verified: b.Verified,
		Opened: time.UnixMilli(b.Opened), Seen: time.UnixMilli(b.Seen), Expires: time.UnixMilli(b.Expires),
		Game: warzone.Game{Layout: b.Layout, HostPort: b.Port, Limits: b.Limits, OS: b.OS},
	}
	for i, n := range numbersOf(&e.Game) {
		*n = b.Numbers[i]
	}
	for i, s := range textsOf(&e) {
		*s = string(b.Texts[i])
	}
	return e, true
}
