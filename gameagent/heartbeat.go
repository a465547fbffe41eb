package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Heartbeat tells a master that a server is alive. A server sends it every
// 150 seconds, and at once as the answer to a [Challenge]. It is a line of text:
//
//	0;challenge;870699779;players;8;maxplayers;16;level;Yodeller;gametype;Fragmatch;version;1.10;product;serioussamse
//
// Nothing is escaped. Where the server is found is told by the address that the
// datagram comes from: its game has the port below.
type Heartbeat struct {
	// Challenge is that of the master, 0 if the heartbeat is periodic. It is 0
	// too if the packet has none, so a master should not hand out 0.
	Challenge int32

	Players    int    // on the server now, from 0
	MaxPlayers int    // it takes
	Level      string // as in Status, like the texts below
	GameType   string
	Version    string
	Product    string // the GameName of Status
	Extra      []Pair // what has no place above, as in Status
}

// ParseHeartbeat reads a [Heartbeat]. Keys may come in any order and may be
// missing. The challenge counts only in the form in which it is sent: 05 is
// not 5, and is left to Extra.
func ParseHeartbeat(b []byte) (Heartbeat, error) { return Options{}.ParseHeartbeat(b) }

// ParseHeartbeat reads a [Heartbeat].
func (o Options) ParseHeartbeat(b []byte) (Heartbeat, error) {
	r := wire.NewReader(b)
	var m Heartbeat
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return Heartbeat{}, err
	}
	return m, nil
}

// ExplainHeartbeat accounts for every byte of a [Heartbeat].
func ExplainHeartbeat(b []byte) lobbywire.Explanation {
	return wire.Explain(proto, "Heartbeat", b, func(r *wire.Reader) { new(Heartbeat).decode(r, Options{}) })
}

func (m *Heartbeat) decode(r *wire.Reader, o Options) {
	fields := m.fields()
	m.Extra = decodeLine(r, o, heartbeatKeys[:], fields[:], false)
}

// heartbeatKeys are in the order in which the engine sends them.
var heartbeatKeys = [...]key{
	{"challenge", "challenge"},
	{"players", "players"},
	{"maxplayers", "maxPlayers"},
	{"level", "level"},
	{"gametype", "gameType"},
	{"version", "version"},
	{"product", "product"},
}

// fields are in the order of heartbeatKeys.
func (m *Heartbeat) fields() [7]any {
	return [...]any{
		&m.Challenge, &m.Players, &m.MaxPlayers, &m.Level, &m.GameType,
		&m.Version, &m.Product,
	}
}

// AppendBinary appends the wire form to b: the keys in the engine's order, then
// Extra. It refuses numbers of players below 0 or above 2147483647, semicolons
// and zero bytes, and more than [MaxHeartbeat] bytes.
func (m Heartbeat) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Uint8(typeLine)
	fields := m.fields()
	for i, k := range heartbeatKeys {
		appendField(&w, semi, k, fields[i], m.Extra)
	}
	appendExtra(&w, semi, m.Extra, func(string) bool { return false })
	appendEnd(&w, MaxHeartbeat)
	return w.Finish(proto)
}

// MarshalBinary returns the wire form.
func (m Heartbeat) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads b as [ParseHeartbeat] does.
func (m *Heartbeat) UnmarshalBinary(b []byte) (err error) {
	*m, err = ParseHeartbeat(b)
	return err
}
