package warzonenet

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// encodedJSON returns the wire form of a message that is sure to have one.
func encodedJSON(m wzjson.Message) []byte {
	b, _ := wzjson.AppendMessage(nil, m)
	return b
}

// maxShownTech is the length of the longest tech, in bytes.
const maxShownTech = 16

// json returns the game in the form of the JSON proposal.
func (e *Entry) json() wzjson.Game {
	players := 0 // is not shown
	if e.Game.MaxPlayers <= math.MaxInt32 {
		players = int(e.Game.MaxPlayers)
	}
	return wzjson.Game{
		Host:       e.Key.Addr(),
		Port:       e.Key.Port(),
		Name:       shown(e.Game.Name, maxShownName),
		Map:        shown(e.Game.MapName, maxShownMap),
		Tech:       wzjson.Tech(shown(e.Tech, maxShownTech)),
		MaxPlayers: players,
	}
}

// setJSON sets the fields that the JSON proposal has.
func (e *Entry) setJSON(g wzjson.Game) {
	e.Game.Name = shown(g.Name, maxShownName)
	e.Game.MapName = shown(g.Map, maxShownMap)
	e.Game.MaxPlayers = uint32(g.MaxPlayers)
	e.Tech = strings.Clone(shown(string(g.Tech), maxShownTech)) // not part of all that was read
}

// A jsonRow is a game and its wire form in lists.
type jsonRow struct {
	game wzjson.Game
	wire []byte
}

// newJSONRow returns the row of a game. A started game has none, as the proposal
// cannot express that.
func newJSONRow(e *Entry) (*jsonRow, bool) {
	g := e.json()
	b := encodedJSON(wzjson.ListAck{Games: []wzjson.Game{g}})
	if e.Started || b == nil {
		return nil, false
	}
	start, end := aroundJSONRows()
	return &jsonRow{g, b[len(start) : len(b)-len(end)]}, true
}

// aroundJSONRows returns what stands before and after the games of a list.
func aroundJSONRows() (start, end []byte) {
	b := encodedJSON(wzjson.ListAck{})
	i := bytes.LastIndexByte(b, '[') + 1
	return b[:i], b[i:]
}

// joinJSONRows returns a list of as many games as fit a message. It leaves a byte
// free, because the newline after an answer counts as the start of the next
// message.
func joinJSONRows(rows []*jsonRow) []byte {
	start, end := aroundJSONRows()
	size, n := len(start)+len(end), 0
	for n < len(rows) && size+len(rows[n].wire) < wzjson.MaxFrame {
		size += len(rows[n].wire) + len(",")
		n++
	}
	b := append(make([]byte, 0, size), start...)
	for i, r := range rows[:n] {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, r.wire...)
	}
	return append(b, end...)
}

// maxFilter limits the objects of a filter, each of which is compared with every
// game.
const maxFilter = 8

// list answers a request for games.
func (l *JSONLobby) list(m wzjson.List) ([]byte, error) {
	switch {
	case len(m.Filter) > maxFilter:
		return nil, errFilter
	case len(m.Filter) == 0:
		l.server.stats.lists.Add(1)
		return l.view.encoded(), nil
	}
	rows := slices.DeleteFunc(l.view.all(), func(r *jsonRow) bool { return !m.Match(r.game) })
	l.server.stats.lists.Add(1)
	return joinJSONRows(rows), nil
}
