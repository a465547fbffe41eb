package warzonenet

import (
	"bytes"
	"math"
	"net/netip"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// encodedJSON returns the wire form of a message whose encoding cannot fail.
func encodedJSON(m wzjson.Message) []byte {
	b, _ := wzjson.AppendMessage(nil, m)
	return b
}

// maxShownTech is the length of the longest tech, in bytes.
const maxShownTech = 16

// jsonOf returns a game in the form of the JSON proposal.
func jsonOf(e *warzonegames.Entry) wzjson.Game {
	players := 0 // is not shown
	if e.Game.MaxPlayers <= math.MaxInt32 {
		players = int(e.Game.MaxPlayers)
	}
	return wzjson.Game{
		Host:       e.Key.Addr(),
		Port:       e.Key.Port(),
		Name:       refusal.Shown(e.Game.Name, maxShownName),
		Map:        refusal.Shown(e.Game.MapName, maxShownMap),
		Tech:       wzjson.Tech(refusal.Shown(e.Tech, maxShownTech)),
		MaxPlayers: players,
	}
}

// setJSON sets the fields that the JSON proposal has.
func setJSON(e *warzonegames.Entry, g wzjson.Game) {
	setTexts(e, g.Name, g.Map)
	e.Game.MaxPlayers = uint32(g.MaxPlayers)
	e.Tech = refusal.Shown(string(g.Tech), maxShownTech)
}

// compactJSON copies the texts of games. The texts of a parsed list are
// substrings of one copy of the list, which may be mostly white space.
func compactJSON(games []wzjson.Game) {
	for i := range games {
		g := &games[i]
		g.Name, g.Map, g.Tech = strings.Clone(g.Name), strings.Clone(g.Map), wzjson.Tech(strings.Clone(string(g.Tech)))
	}
}

// A jsonRow is the row of a game in a view.
type jsonRow struct {
	key jsonKey
	*jsonGame
}

// A jsonGame is a game and its wire form in a list.
type jsonGame struct {
	game wzjson.Game
	wire []byte
}

// newRow returns the row of a game. A started game is not shown, because the
// proposal cannot express that it is being played.
func (l *JSONLobby) newRow(e *warzonegames.Entry) (jsonRow, bool) {
	g := jsonOf(e)
	b := encodedJSON(wzjson.ListAck{Games: []wzjson.Game{g}})
	if e.Started || b == nil {
		return jsonRow{}, false
	}
	start, end := aroundJSONRows()
	return jsonRow{l.keyOf(&g), &jsonGame{g, b[len(start) : len(b)-len(end)]}}, true
}

// aroundJSONRows returns the bytes before and after the games of a list.
func aroundJSONRows() (start, end []byte) {
	b := encodedJSON(wzjson.ListAck{})
	i := bytes.LastIndexByte(b, '[') + 1
	return b[:i], b[i:]
}

// listJSONRows returns a list of the first rows that pass, as many as fit a message.
// It leaves one byte free, because the newline after an answer counts as the start
// of the next message.
func listJSONRows(rows []jsonRow, pass func(r *jsonRow) bool) []byte {
	start, end := aroundJSONRows()
	size := len(start) + len(end)
	var listed []*jsonGame
	for i := range rows {
		if r := &rows[i]; pass(r) {
			if size+len(r.wire) >= wzjson.MaxFrame {
				break
			}
			size += len(r.wire) + len(",")
			listed = append(listed, r.jsonGame)
		}
	}
	b := append(make([]byte, 0, size), start...)
	for i, g := range listed {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, g.wire...)
	}
	return append(b, end...)
}

// listMatching returns the list of the games that match at least one element of a
// filter, or of all games if the filter is empty.
func (l *JSONLobby) listMatching(from netip.Addr, filter []wzjson.Fields) ([]byte, error) {
	if len(filter) == 0 {
		return l.list(), nil
	}
	if !l.filters.Allow(from, time.Now()) {
		return nil, errFilterRate
	}
	b, err := l.filtered(filter)
	if err == nil {
		l.counts.Add(&l.counts.Stats.Lists)
	}
	return b, err
}

// filtered returns the list of the games that match at least one element.
func (l *JSONLobby) filtered(elements []wzjson.Fields) (b []byte, err error) {
	f, err := l.newFilter(elements)
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return l.rows.List(), nil
	}
	l.rows.Read(func(rows []jsonRow) { b = listJSONRows(rows, f.pass) })
	return b, nil
}
