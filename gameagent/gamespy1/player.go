package gamespy1

import (
	"math"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Player is a player of a [Status]. It consists of pairs whose keys contain the index of
// the player, such as player_5, frags_5 and ping_5.
//
//wire:layout
type Player struct {
	Index int    // slot on the server, from 0; slots may be empty
	Name  string `wire:"name,key=player"` // as on the wire; of Serious Sam, see gameagent.PlainName
	Frags *int32 `wire:"frags,key"`       // kills, or the score if the game uses scores; nil if there are none
	Ping  *int   `wire:"ping,key"`        // milliseconds, from 0; nil if there are none

	// Extra holds pairs without a field: unknown keys, repeated keys and values that are
	// not valid for the field. Its keys lack the index.
	Extra []Pair
}

// playerAt returns the player with an index, to which the next fields belong. It adds the
// player if necessary, and fails if there are too many. The key is at offset at. The
// remaining input bounds the memory for players.
func (m *Status) playerAt(r *wire.Reader, index, at int) *Player {
	i := findPlayer(m.Players, index)
	if i < 0 {
		i = len(m.Players)
		if i == MaxPlayers {
			r.Exceed("players", at, i+1, MaxPlayers)
			return new(Player)
		}
		if i == 0 {
			m.Players = make([]Player, 0, 1+min(r.Len()/pairs.MinRecord, pairs.EnginePlayers-1))
		}
		m.Players = append(m.Players, Player{Index: index})
	}
	r.In("players", i)
	return &m.Players[i]
}

// findPlayer returns the position of the player with an index, or -1. The pairs of a player
// usually follow each other, so the search begins at the end.
func findPlayer(players []Player, index int) int {
	i := len(players) - 1
	for i >= 0 && players[i].Index != index {
		i--
	}
	return i
}

// set stores the value of a key, playerKeys[i], in a field or in Extra. r is positioned
// after the value.
func (p *Player) set(r *wire.Reader, numbers *pairs.Memory, i int, key, value string) {
	if i < 0 || !numbers.Set(p.fields()[i], value, r.Len()) {
		p.Extra = append(pairs.Room(p.Extra, r.Len()), Pair{Key: key, Value: value})
	}
}

// append appends the player. It refuses texts with delimiters.
func (p *Player) append(w *wire.Writer) {
	if p.Index < 0 || p.Index > math.MaxInt32 {
		w.Refuse("index", "out of range: "+strconv.Itoa(p.Index))
	}
	if !sendable(p.Name) && p.Name != gameagent.InvalidNewline && p.Name != gameagent.InvalidChar {
		w.Refuse("name", unsendable)
	}
	fields := p.fields()
	b := w.Buffer()
	for i := range playerKeys {
		k := &playerKeys[i]
		if !pairs.IsSent(fields[i]) {
			continue
		}
		b = p.appendKey(b, k.Wire)
		if text, ok := fields[i].(*string); ok {
			b = append(b, *text...)
		} else {
			b = strconv.AppendInt(b, pairs.RefuseOutside(w, fields[i], k.Name), 10)
		}
	}
	for _, e := range p.Extra {
		key := strings.ToLower(e.Key)
		if !sendable(e.Key) || !sendable(e.Value) || fieldOfTeam(key) != notTeam ||
			pairs.HasField(playerKeys[:], fields[:], key, e.Value) {
			w.Refuse("extra", unsendable)
		}
		b = append(p.appendKey(b, e.Key), e.Value...)
	}
	w.SetBuffer(b)
}

// appendKey appends a key with the index of the player.
func (p *Player) appendKey(b []byte, key string) []byte {
	b = append(b, slash)
	b = append(b, key...)
	b = append(b, '_')
	b = strconv.AppendInt(b, int64(p.Index), 10)
	return append(b, slash)
}

// unsendable is the reason for refusing a text that is not sendable.
const unsendable = "contains a control character or a backslash"

// sendable reports whether s contains neither control characters nor a backslash.
func sendable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == slash {
			return false
		}
	}
	return true
}

// appendPlayers appends players. It refuses two with the same index.
func (m *Status) appendPlayers(w *wire.Writer, cuts *pairs.Cuts) {
	if len(m.Players) > MaxPlayers {
		w.Exceed("players", len(m.Players), MaxPlayers)
		return
	}
	last := -1 // the highest index; players are usually in order
	for i := range m.Players {
		w.In("players", i)
		if index := m.Players[i].Index; index > last {
			last = index
		} else if findPlayer(m.Players[:i], index) >= 0 {
			w.Refuse("index", "repeated: "+strconv.Itoa(index))
		}
		m.Players[i].append(w)
		cuts.Mark(w)
	}
	w.In("", -1)
}

// isPlayerKey reports whether a key, without its index, adds a player.
func isPlayerKey(name string) bool {
	switch name {
	case "player", "playername", "frags", "score", "ping", "team", "kills", "deaths":
		return true
	}
	return false
}

// view returns the player in the common form.
func (p *Player) view() lobbywire.Player {
	v := pairs.Player(p.Name, p.Frags, p.Ping, p.Extra)
	if p.Name != "" {
		v.Name = lobbywire.UTF8(gameagent.PlainName(p.Name))
	}
	return v
}
