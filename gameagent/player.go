package gameagent

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Player is a record of [Players]. It consists of three pairs whose keys contain the
// index of the player, such as player_5, frags_5 and ping_5.
//
//wire:layout
type Player struct {
	Index int    // slot on the server, from 0; slots may be empty
	Name  string `wire:"name,key=player"` // as on the wire: see PlainName
	Frags *int32 `wire:"frags,key"`       // kills, or the score if the game uses scores; nil if there are none
	Ping  *int   `wire:"ping,key"`        // milliseconds, from 0; nil if there are none

	// Extra holds pairs without a field: unknown keys, repeated keys and values that are
	// not valid for the field. Its keys lack the index.
	Extra []Pair
}

// playerAt returns the player with an index, to which the next fields belong. It adds the
// player if necessary, and fails if there are too many. The key is at offset at. The
// remaining input bounds the memory for players.
func (m *Players) playerAt(r *wire.Reader, index, at int) *Player {
	i := len(m.Players) - 1 // the pairs of a player usually follow each other
	for i >= 0 && m.Players[i].Index != index {
		i--
	}
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

// set stores the value of a key, playerKeys[i]. It reports whether a field holds the value;
// otherwise Extra does. r is positioned after the value.
func (p *Player) set(r *wire.Reader, numbers *pairs.Memory, i int, key, value string) bool {
	if i >= 0 && numbers.Set(p.fields()[i], value, r.Len()) {
		return true
	}
	p.Extra = append(pairs.Room(p.Extra, r.Len()), Pair{key, value})
	return false
}

// append appends the record. It refuses texts with delimiters.
func (p *Player) append(w *wire.Writer) {
	if p.Index < 0 || p.Index > math.MaxInt32 {
		w.Refuse("index", "out of range: "+strconv.Itoa(p.Index))
	}
	if !sendable(p.Name) && !isReplaced(p.Name) {
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
		b = append(b, afterValue)
	}
	for _, e := range p.Extra {
		if !sendable(e.Key) || !sendable(e.Value) || strings.HasPrefix(e.Key, `\`) ||
			pairs.HasField(playerKeys[:], fields[:], e.Key, e.Value) {
			w.Refuse("extra", unsendable)
		}
		b = append(p.appendKey(b, e.Key), e.Value...)
		b = append(b, afterValue)
	}
	w.SetBuffer(b)
}

// appendKey appends a key with the index of the player.
func (p *Player) appendKey(b []byte, key string) []byte {
	b = append(b, key...)
	b = append(b, '_')
	b = strconv.AppendInt(b, int64(p.Index), 10)
	return append(b, afterKey)
}

// unsendable is the reason for refusing a text that is not sendable.
const unsendable = "contains a control character or a delimiter"

// sendable reports whether s contains no control characters; the delimiters are such
// characters.
func sendable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' {
			return false
		}
	}
	return true
}

// appendPlayers appends records. It refuses two players with the same index.
func (m *Players) appendPlayers(w *wire.Writer, cuts *pairs.Cuts) {
	if len(m.Players) > MaxPlayers {
		w.Exceed("players", len(m.Players), MaxPlayers)
		return
	}
	last := -1 // the highest index; players are usually in order
	for i := range m.Players {
		w.In("players", i)
		if index := m.Players[i].Index; index > last {
			last = index
		} else if slices.ContainsFunc(m.Players[:i], func(q Player) bool { return q.Index == index }) {
			w.Refuse("index", "repeated: "+strconv.Itoa(index))
		}
		m.Players[i].append(w)
		cuts.Mark(w)
	}
	w.In("", -1)
}

// view returns the player in the common form.
func (p *Player) view() lobbywire.Player {
	v := pairs.Player(p.Name, p.Frags, p.Ping, p.Extra)
	if p.Name != "" {
		v.Name = lobbywire.UTF8(PlainName(p.Name))
	}
	return v
}
