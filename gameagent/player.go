package gameagent

import (
	"math"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Player is a record of [Players] or of [LegacyStatus]: three pairs with the
// player's index in their keys, as player_5, frags_5 and ping_5.
type Player struct {
	Index int    // slot on the server, from 0; not every slot is taken
	Name  string // as on the wire: see PlainName
	Frags int32  // kills, or the score if the game counts that
	Ping  int    // milliseconds, from 0

	// Extra is what has no place above: unknown keys, without the index, second
	// values, and numbers that are none.
	Extra []Pair
}

// PlainName returns the name without what the engine puts around it: see the
// function [PlainName].
func (p Player) PlainName() string { return PlainName(p.Name) }

// A layout is how a pair of a player is written.
type layout int

const (
	native layout = iota // key 02 value 03
	legacy               // \key\value
)

// Delimiters of players and of the two layouts.
const (
	startOfList = 1
	afterKey    = 2
	afterValue  = 3
	endOfList   = 4
	slash       = '\\'
)

// minRecord is about the size of the shortest record of a player.
const minRecord = 32

// enginePlayers is how many players the engine has at most.
const enginePlayers = 16

// cutIndex splits a key as player_5 into player and 5.
func cutIndex(key string) (name string, index int, ok bool) {
	at := strings.LastIndexByte(key, '_')
	if at < 0 {
		return "", 0, false
	}
	n, ok := parseNumber(key[at+1:])
	if !ok || n < 0 || n > math.MaxInt32 {
		return "", 0, false
	}
	return key[:at], int(n), true
}

// playerAt returns the place in players of the one with index, who is added if
// need be, or -1 if there are too many. The pairs of a player mostly follow each
// other, so the search begins at the last one. What is left of r bounds the room
// made for players.
func playerAt(r *wire.Reader, players *[]Player, index int) int {
	for i := len(*players) - 1; i >= 0; i-- {
		if (*players)[i].Index == index {
			return i
		}
	}
	if len(*players) == MaxPlayers {
		return -1
	}
	if len(*players) == 0 {
		*players = make([]Player, 0, 1+min(r.Len()/minRecord, enginePlayers-1))
	}
	*players = append(*players, Player{Index: index})
	return len(*players) - 1
}

// fieldName returns the name of the field that a key names.
func fieldName(key string) string {
	switch key {
	case "player":
		return "name"
	case "frags", "ping":
		return key
	}
	return "extra"
}

// set stores a value and tells whether it did not go to Extra.
func (p *Player) set(key, value string) bool {
	taken := false
	switch key {
	case "player":
		taken = set(&p.Name, value)
	case "frags":
		taken = set(&p.Frags, value)
	case "ping":
		taken = set(&p.Ping, value)
	}
	if !taken {
		p.Extra = append(p.Extra, Pair{key, value})
	}
	return taken
}

// append appends the record. It refuses what would end a value.
func (p *Player) append(w *wire.Writer, l layout) {
	if p.Index < 0 || p.Index > math.MaxInt32 {
		w.Fail(lobbywire.ErrInvalid, "index")
	}
	if !leftOut(p.Extra, "player", &p.Name) {
		p.appendKey(w, l, "player")
		appendName(w, l, p.Name)
		appendAfterValue(w, l)
	}
	if !leftOut(p.Extra, "frags", &p.Frags) {
		p.appendKey(w, l, "frags")
		appendNumber(w, &p.Frags, "frags")
		appendAfterValue(w, l)
	}
	if !leftOut(p.Extra, "ping", &p.Ping) {
		p.appendKey(w, l, "ping")
		appendNumber(w, &p.Ping, "ping")
		appendAfterValue(w, l)
	}
	for _, e := range p.Extra {
		if !sendable(l, e.Key) || !sendable(l, e.Value) || strings.HasPrefix(e.Key, `\`) {
			w.Fail(lobbywire.ErrInvalid, "extra")
		}
		p.appendKey(w, l, e.Key)
		w.Text(e.Value)
		appendAfterValue(w, l)
	}
}

// appendAfterValue appends what ends a value; in the legacy form nothing does.
func appendAfterValue(w *wire.Writer, l layout) {
	if l == native {
		w.Uint8(afterValue)
	}
}

func (p *Player) appendKey(w *wire.Writer, l layout, key string) {
	after := byte(afterKey)
	if l == legacy {
		after = slash
		w.Uint8(slash)
	}
	w.Text(key)
	w.Uint8('_')
	w.Int(int64(p.Index))
	w.Uint8(after)
}

func appendName(w *wire.Writer, l layout, name string) {
	if !sendable(l, name) && !IsInvalidName(name) {
		w.Fail(lobbywire.ErrInvalid, "name")
	}
	w.Text(name)
}

// sendable tells whether a text has no control character and nothing that ends
// it.
func sendable(l layout, s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || l == legacy && s[i] == slash {
			return false
		}
	}
	return true
}

// appendPlayers appends records. It refuses two with the same index. Each end
// of a record is given to mark.
func appendPlayers(w *wire.Writer, l layout, players []Player, mark func(end int)) {
	if len(players) > MaxPlayers {
		w.Fail(lobbywire.ErrTooLarge, "players")
		return
	}
	for i := range players {
		w.In("players", i)
		for _, q := range players[:i] {
			if q.Index == players[i].Index {
				w.Fail(lobbywire.ErrInvalid, "index")
			}
		}
		players[i].append(w, l)
		mark(w.Len())
	}
	w.In("", -1)
}
