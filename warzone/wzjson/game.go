package wzjson

import (
	"encoding/json"
	"math"
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Tech is the technology that players start a game with.
type Tech string

// The techs. Others are kept unless Strict.
const (
	TechT1 Tech = "T1"
	TechT2 Tech = "T2"
	TechT3 Tech = "T3"
)

// Valid tells whether t is one of the three.
func (t Tech) Valid() bool { return t == TechT1 || t == TechT2 || t == TechT3 }

func decodeTech(j *wire.JSON, o Options) Tech {
	t := Tech(j.Text())
	if o.Strict && !t.Valid() {
		j.Invalid()
	}
	return t
}

// A Game is an entry of a [ListAck]:
//
//	{"host":...,"port":...,"name":...,"map":...,"tech":...,"players":...}
//
// A member whose field is zero is not there.
type Game struct {
	Host    netip.Addr // the address of the host; the zero Addr if the list does not tell
	Port    uint16     // TCP; 0 means DefaultPort
	Name    string
	Map     string
	Tech    Tech
	Players int                        // that the game takes
	Extra   map[string]json.RawMessage // members that are not known
}

var gameMembers = [...]string{"name", "map", "tech", "players", "host", "port"}

// strictGameMembers is how many of them, the first ones, have to be there.
const strictGameMembers = 4

// maxHost is the length of the longest address, of IPv4 in IPv6.
const maxHost = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// minGame is the size of the smallest game, to bound their number.
const minGame = len(`{}`)

func (m *Game) decode(j *wire.JSON, o Options) {
	g := j.Object(gameMembers[:], o.required(0, strictGameMembers), &m.Extra)
	for g.Next() {
		switch g.Name() {
		case "name":
			m.Name = j.Text()
		case "map":
			m.Map = j.Text()
		case "tech":
			m.Tech = decodeTech(j, o)
		case "players":
			m.Players = decodePlayers(j)
		case "host":
			var err error
			if m.Host, err = netip.ParseAddr(j.Text()); err != nil || m.Host.Zone() != "" {
				j.Invalid()
			}
		case "port":
			m.Port = uint16(j.Int(1, math.MaxUint16, true))
		}
	}
}

func (m *Game) append(w *wire.Writer) {
	w.Text(`{`)
	if m.Host.Zone() != "" {
		w.Fail(lobbywire.ErrInvalid, "host")
	}
	if m.Host.IsValid() {
		var buf [maxHost]byte
		w.JSONName("host")
		w.Text(`"`)
		w.Bytes(m.Host.AppendTo(buf[:0]))
		w.Text(`"`)
	}
	if m.Port != 0 {
		w.JSONName("port")
		w.Int(int64(m.Port))
	}
	appendGame(w, m.Name, m.Map, m.Tech, m.Players)
	w.JSONExtra(m.Extra, gameMembers[:])
	w.Text(`}`)
}

// appendGame appends what a host tells of its game, unless it is zero.
func appendGame(w *wire.Writer, name, mapName string, tech Tech, players int) {
	if name != "" {
		appendText(w, "name", name)
	}
	if mapName != "" {
		appendText(w, "map", mapName)
	}
	if tech != "" {
		appendText(w, "tech", string(tech))
	}
	if players != 0 {
		appendPlayers(w, players)
	}
}

func appendText(w *wire.Writer, name, value string) {
	w.JSONName(name)
	w.JSONText(name, value)
}
