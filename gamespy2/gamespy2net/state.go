package gamespy2net

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/udp"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// State is the state that a Server reports.
type State struct {
	// Info are the server's keys, in the order in which to send them. Clients
	// expect hostname, mapname, gametype, gamever, hostport, numplayers,
	// maxplayers, password and gamename. Set fails if numplayers is less than
	// the number of Players, or missing: qstat then drops the players.
	Info []gamespy2.KeyValue

	// Players is a table whose columns end in _, starting with player_. No value may be
	// empty; send "0" or a blank.
	Players gamespy2.Table

	// Teams is a table whose columns end in _t.
	Teams gamespy2.Table

	// Cut selects where a split response is cut into packets. Set fails if the response
	// cannot be cut that way. With the zero Cut, the names of all players and Info may have
	// a total of about 2700 bytes. With [gamespy2.CutAsRead], a State may come from another
	// server, as in a proxy: any numplayers, and tables with any first column and empty
	// values. Queries for sections that cannot be sent in plain form then get no answer.
	Cut gamespy2.Cut

	// Minecraft makes the server also answer Minecraft's query clients, whose requests have
	// a different form. Info and Players must consist of the keys and columns of a
	// [gamespy2.Minecraft], and Teams must be empty. The full stat is one packet of up to
	// 8192 bytes; a client named minequery reads 1024 bytes of it.
	Minecraft bool
}

// reported is the heartbeat for a State, or the reason for having none.
type reported struct {
	qr2.Heartbeat
	err error
}

// makeReported returns the heartbeat for a State. It shares no memory with the tables.
func makeReported(info []gamespy2.KeyValue, players, teams gamespy2.Table) *reported {
	m := qr2.Heartbeat{Info: info, Players: &players, Teams: &teams}
	isGameName := func(kv gamespy2.KeyValue) bool { return kv.Key == gamespy2.KeyGameName.String() }
	m.Info = slices.DeleteFunc(m.GameInfo(), isGameName) // like the other keys about the server itself
	b, err := m.AppendBinary(nil)
	if err != nil {
		m.Players, m.Teams = nil, nil // too long
		b, err = m.AppendBinary(nil)
	}
	if err == nil {
		m, err = qr2.ParseHeartbeat(b)
	}
	return &reported{m, err}
}

// encoded is the wire form of a State. Each answer gets the id of its request.
type encoded struct {
	split     [][]byte                         // packets
	plain     [gamespy2.AllSections + 1][]byte // by sections
	noValues  []byte                           // the answer to a query that lists no keys
	basicStat []byte                           // nil for games other than Minecraft
	values    [1 << 8][]byte                   // by key id, to append to noValues
	reported  *reported                        // in heartbeats
}

// encode encodes the answers to all full queries.
func (s State) encode() (*encoded, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	e := &encoded{reported: makeReported(s.Info, s.Players, s.Teams)}
	response := gamespy2.Response{Split: true, Info: s.Info, Players: s.Players, Teams: s.Teams}
	var err error
	if s.Minecraft {
		err = e.encodeMinecraft(response)
	} else {
		e.split, err = response.PacketsCut(s.Cut)
	}
	if err != nil {
		return nil, err
	}
	for sections := range gamespy2.AllSections + 1 {
		e.plain[sections], err = s.encodePlain(sections)
		if err != nil {
			return nil, err
		}
	}
	e.noValues, err = (gamespy2.Values{}).AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	if err := e.encodeValues(response); err != nil {
		return nil, err
	}
	return e, nil
}

// namedKeys is the number of ids that may have a name. Higher ids are keys of a game, which
// only the game knows.
const namedKeys = 50

// encodeValues encodes the value of each key. Keys without one share an empty value.
func (e *encoded) encodeValues(response gamespy2.Response) error {
	none, err := gamespy2.Values{Values: []string{""}}.AppendBinary(nil)
	if err != nil {
		return err
	}
	for id := range e.values {
		e.values[id] = none[len(e.noValues):]
	}
	for id := range namedKeys {
		value, _ := response.Lookup(gamespy2.KeyID(id).String())
		if value == "" || strings.ContainsRune(value, 0) { // with zero bytes from Minecraft, see CutAsRead
			continue
		}
		b, err := gamespy2.Values{Values: []string{value}}.AppendBinary(nil)
		if err != nil {
			return err
		}
		e.values[id] = b[len(e.noValues):]
	}
	return nil
}

// check refuses a state whose players some clients would drop, because the first column is
// not player_ or there are more players than numplayers. Real servers send such states.
func (s State) check() error {
	if s.Cut == gamespy2.CutAsRead {
		return nil
	}
	if len(s.Players.Columns) > 0 && s.Players.Columns[0] != "player_" {
		return refusal("players.columns[0].name", wire.Invalid("not player_"))
	}
	count, _ := gamespy2.Response{Info: s.Info}.Lookup("numplayers")
	n, err := strconv.Atoi(cmp.Or(count, "0"))
	switch {
	case count == "" && len(s.Players.Rows) > 0:
		return refusal("info.numplayers", wire.Invalid("missing"))
	case err != nil:
		return refusal("info.numplayers", wire.Invalid("not a number"))
	case n < len(s.Players.Rows):
		text := fmt.Sprintf("%d, but there are %d players", n, len(s.Players.Rows))
		return refusal("info.numplayers", wire.Invalid(text))
	}
	return nil
}

// refusal returns the error for an invalid state.
func refusal(field string, kind error) error {
	return &lobbywire.Error{Proto: "gamespy2", Field: field, Offset: -1, Err: kind}
}

// maxFullStat limits the full stat, which one datagram may amplify.
const maxFullStat = 8192

// encodeMinecraft makes the answers to clients of Minecraft.
func (e *encoded) encodeMinecraft(m gamespy2.Response) error {
	m.Sections = gamespy2.SectionInfo | gamespy2.SectionPlayers
	full, err := m.AppendBinary(nil)
	if err != nil {
		return err
	}
	if len(full) > maxFullStat {
		return refusal("", wire.Exceeded(len(full), maxFullStat))
	}
	typed := m.Minecraft()
	switch {
	case typed.MaxPlayers == nil:
		return refusal("info.maxplayers", wire.Invalid("not a number"))
	case typed.HostPort == nil:
		return refusal("info.hostport", wire.Invalid("not a number"))
	}
	e.split = [][]byte{full}
	e.basicStat, err = typed.BasicStat(m.ID).AppendBinary(nil)
	return err
}

// encodePlain returns the answer in plain form, one packet with as many players as fit. It
// returns nil if a state read from a server has no plain form.
func (s State) encodePlain(sections gamespy2.Sections) ([]byte, error) {
	var m gamespy2.Response
	m.Sections = sections
	if sections == 0 {
		return nil, nil
	}
	if sections&gamespy2.SectionInfo != 0 {
		m.Info = s.Info
	}
	if sections&gamespy2.SectionPlayers != 0 {
		m.Players = s.Players
	}
	if sections&gamespy2.SectionTeams != 0 {
		m.Teams = s.Teams
	}
	packet, err := plainPacket(m, s.Cut)
	if err != nil {
		rows := m.Players.Rows
		tooMany := sort.Search(len(rows), func(n int) bool {
			m.Players.Rows = rows[:n]
			_, err := plainPacket(m, s.Cut)
			return err != nil
		})
		m.Players.Rows = rows[:max(tooMany-1, 0)]
		packet, err = plainPacket(m, s.Cut)
	}
	if err != nil && s.Cut == gamespy2.CutAsRead {
		return nil, nil
	}
	return packet, err
}

// plainPacket returns a response in plain form of at most [gamespy2.MaxPacket] bytes.
func plainPacket(m gamespy2.Response, cut gamespy2.Cut) ([]byte, error) {
	packets, err := m.PacketsCut(cut)
	if err != nil {
		return nil, err
	}
	if n := len(packets[0]); n > gamespy2.MaxPacket {
		return nil, refusal("", wire.Exceeded(n, gamespy2.MaxPacket))
	}
	return packets[0], nil
}

// answer appends the answer to a query.
func (e *encoded) answer(m *query, dst [][]byte) [][]byte {
	start, sections := len(dst), m.Sections()
	switch {
	case m.basicStat && e.basicStat == nil: // a new state, of another game
	case m.basicStat:
		dst = udp.Append(dst, e.basicStat)
	case m.Split():
		for _, packet := range e.split {
			dst = udp.Append(dst, packet)
		}
	case sections == 0:
	case listsNoKeys(&m.Request) && e.plain[sections] == nil:
	case listsNoKeys(&m.Request):
		dst = udp.Append(dst, e.plain[sections])
	case sections == gamespy2.SectionInfo:
		dst = udp.Append(dst, e.noValues)
		dst[len(dst)-1] = e.appendValues(dst[len(dst)-1], &m.Info)
	}
	for _, b := range dst[start:] {
		gamespy2.SetID(b, m.ID)
	}
	return dst
}

// appendValues appends the values of the listed keys that fit in one packet.
func (e *encoded) appendValues(b []byte, keys *gamespy2.Selector) []byte {
	for i := range keys.Len() {
		value := e.values[keys.ID(i)]
		if len(b)+len(value) > gamespy2.MaxPacket {
			break
		}
		b = append(b, value...)
	}
	return b
}
