package gameagent

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Player is a record of [Players] or [LegacyStatus]. It is three pairs whose
// keys contain the index of the player, such as player_5, frags_5 and ping_5.
//
//wire:layout
type Player struct {
	Index int    // slot on the server, from 0; slots may be empty
	Name  string `wire:"name,key=player"` // as on the wire: see PlainName
	Frags *int32 `wire:"frags,key"`       // kills, or the score if the game uses scores; nil if there are none
	Ping  *int   `wire:"ping,key"`        // milliseconds, from 0; nil if there are none

	// Extra holds pairs without a field: unknown keys, repeated keys and what is no
	// number of the field. Its keys lack the index.
	Extra []Pair
}

// cutIndex splits a key such as player_5 into player and 5.
func cutIndex(key string) (name string, index int, ok bool) {
	at := strings.LastIndexByte(key, '_')
	if at < 0 {
		return "", 0, false
	}
	n, ok := parsePlain(key[at+1:])
	if !ok || n < 0 || n > math.MaxInt32 {
		return "", 0, false
	}
	return key[:at], int(n), true
}

// playerAt returns the player with an index, to which the next fields belong. It adds
// the player if necessary, and fails if there are too many; the key is at offset at.
// The remaining input bounds the memory for players.
func playerAt(r *wire.Reader, players *[]Player, index, at int) *Player {
	i := findPlayer(*players, index)
	if i < 0 {
		i = len(*players)
		if i == MaxPlayers {
			r.Exceed("players", at, i+1, MaxPlayers)
			return new(Player)
		}
		if i == 0 {
			*players = make([]Player, 0, 1+min(r.Len()/minRecord, enginePlayers-1))
		}
		*players = append(*players, Player{Index: index})
	}
	r.In("players", i)
	return &(*players)[i]
}

// findPlayer returns the place of the player with an index, -1 if there is none. The
// pairs of a player mostly follow each other, so the search begins at the end.
func findPlayer(players []Player, index int) int {
	i := len(players) - 1
	for i >= 0 && players[i].Index != index {
		i--
	}
	return i
}

// set stores the value of a key, which has index i in playerKeys. It reports whether a
// field holds it; otherwise it is in Extra. r is at the bytes that follow.
func (p *Player) set(r *wire.Reader, numbers *memory, i int, key, value string) bool {
	if i >= 0 && numbers.set(p.fields()[i], value, r.Len()) {
		return true
	}
	p.Extra = append(room(p.Extra, r.Len()), Pair{key, value})
	return false
}

// append appends the record. It refuses texts with delimiters.
func (p *Player) append(w *wire.Writer, f form) {
	if p.Index < 0 || p.Index > math.MaxInt32 {
		w.Refuse("index", "out of range: "+strconv.Itoa(p.Index))
	}
	if !sendable(f, p.Name) && !isReplaced(p.Name) {
		w.Refuse("name", unsendable)
	}
	fields := p.fields()
	b := w.Buffer()
	for i := range playerKeys {
		k := &playerKeys[i]
		if !isSent(fields[i]) {
			continue
		}
		b = p.appendKey(b, f, k.wire)
		if text, ok := fields[i].(*string); ok {
			b = append(b, *text...)
		} else {
			b = strconv.AppendInt(b, refuseOutside(w, fields[i], k.name), 10)
		}
		if f == native {
			b = append(b, afterValue)
		}
	}
	for _, e := range p.Extra {
		read := e
		if f == legacy {
			read.Key = strings.ToLower(e.Key)
		}
		if !sendable(f, e.Key) || !sendable(f, e.Value) || strings.HasPrefix(e.Key, `\`) ||
			hasField(playerKeys[:], fields[:], read) || f == legacy && fieldOfTeam(read.Key) != notTeam {
			w.Refuse("extra", unsendable)
		}
		b = append(p.appendKey(b, f, e.Key), e.Value...)
		if f == native {
			b = append(b, afterValue)
		}
	}
	w.SetBuffer(b)
}

// appendKey appends a key with the index of the player.
func (p *Player) appendKey(b []byte, f form, key string) []byte {
	if f == legacy {
		b = append(b, slash)
	}
	b = append(b, key...)
	b = append(b, '_')
	b = strconv.AppendInt(b, int64(p.Index), 10)
	return append(b, byte(f))
}

// unsendable is the reason for a text that is not sendable.
const unsendable = "contains a control character or a delimiter"

// sendable reports whether s contains neither control characters nor a
// delimiter.
func sendable(f form, s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || f == legacy && s[i] == slash {
			return false
		}
	}
	return true
}

// appendPlayers appends records. It refuses two players with the same index.
func appendPlayers(w *wire.Writer, f form, players []Player, cuts *cuts) {
	if len(players) > MaxPlayers {
		w.Exceed("players", len(players), MaxPlayers)
		return
	}
	last := -1 // the highest index; players are mostly in order
	for i := range players {
		w.In("players", i)
		if index := players[i].Index; index > last {
			last = index
		} else if slices.ContainsFunc(players[:i], func(q Player) bool { return q.Index == index }) {
			w.Refuse("index", "repeated: "+strconv.Itoa(index))
		}
		players[i].append(w, f)
		cuts.mark(w)
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
