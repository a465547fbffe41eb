package proposalnet

import (
	"bytes"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// objects is the dialect of the JSON proposal. An address has one game, because a host cannot
// choose the port.
type objects struct{}

// maxObject is the size of the longest command, in bytes. Only lists are longer.
const maxObject = 4 << 10

func (objects) facts() facts {
	return facts{
		source:      warzonegames.SourceJSON,
		maxCommand:  maxObject,
		maxAnswer:   wzjson.MaxFrame,
		life:        120 * time.Second,
		hasIDs:      true,
		mayBeSilent: true,
	}
}

func (objects) appendCommand(b []byte, c command) ([]byte, error) {
	g := c.game
	switch c.verb {
	case verbList:
		return wzjson.AppendMessage(b, wzjson.List{Filter: c.filter})
	case verbUpdate:
		fields := wzjson.Fields{Name: &g.Name, Map: &g.Map, Tech: &g.Tech, Extra: g.Extra}
		if g.MaxPlayers != 0 {
			fields.MaxPlayers = new(int(g.MaxPlayers))
		}
		return wzjson.AppendMessage(b, wzjson.Update{ID: c.id, Fields: fields})
	case verbKeep:
		return wzjson.AppendMessage(b, wzjson.Heartbeat{ID: c.id})
	case verbClose:
		return wzjson.AppendMessage(b, wzjson.Goodbye{ID: c.id})
	}
	add := wzjson.Add{Name: g.Name, Map: g.Map, Tech: g.Tech, MaxPlayers: int(g.MaxPlayers), Extra: g.Extra}
	return wzjson.AppendMessage(b, add)
}

func (objects) commands() func(b []byte) (c command, rest []byte, err error) {
	f := wzjson.Framer{Options: wzjson.Options{MaxFrame: maxObject}}
	return func(b []byte) (c command, rest []byte, err error) {
		m, rest, err := nextObject(&f, b)
		switch m := m.(type) {
		case nil:
		case wzjson.List:
			c = command{verb: verbList, filter: m.Filter}
		case wzjson.Add:
			c = command{verb: verbOpen, game: gameOfJSON(m.Game())}
		case wzjson.Update:
			c = command{verb: verbUpdate, id: m.ID,
				change: func(g *Game) { *g = gameOfJSON(m.Fields.Apply(jsonOf(*g))) }}
		case wzjson.Heartbeat:
			c = command{verb: verbKeep, id: m.ID}
		case wzjson.Goodbye:
			c = command{verb: verbClose, id: m.ID}
		default:
			err = unknownCommand("wzjson")
		}
		return c, rest, err
	}
}

// nextObject cuts a message off b.
func nextObject(f *wzjson.Framer, b []byte) (m wzjson.Message, rest []byte, err error) {
	payload, rest, err := f.Next(b)
	if err != nil {
		return nil, rest, err
	}
	m, err = wzjson.ParseMessage(payload)
	return m, rest, err
}

func (d objects) done(v verb, id string) []byte {
	if v == verbOpen {
		return d.encoded(wzjson.AddAck{ID: id})
	}
	return d.encoded(wzjson.Ack{Command: ackOf(v)})
}

// ackOf returns the command of the Ack for a verb.
func ackOf(v verb) string {
	switch v {
	case verbUpdate:
		return wzjson.CommandUpdateAck
	case verbKeep:
		return wzjson.CommandHeartbeatAck
	}
	return wzjson.CommandGoodbyeAck
}

func (d objects) refused(text string) []byte { return d.encoded(wzjson.Error{Message: text}) }

// entry returns nil for a started game, because the proposal cannot express that players can no
// longer join it.
func (d objects) entry(g Game) []byte {
	if g.Status == wzproposal.StatusStarted {
		return nil
	}
	b := d.encoded(wzjson.ListAck{Games: []wzjson.Game{jsonOf(g)}})
	return b[bytes.IndexByte(b, '[')+1 : max(bytes.LastIndexByte(b, ']'), 0)]
}

// list leaves one byte of MaxFrame free, because the newline after an answer counts as the
// start of the next message.
func (d objects) list(entries [][]byte) (b []byte, n int) {
	empty := d.encoded(wzjson.ListAck{})
	start := bytes.IndexByte(empty, '[') + 1
	size := len(empty)
	for n < len(entries) && size+len(entries[n]) < wzjson.MaxFrame {
		size += len(entries[n]) + len(",")
		n++
	}
	b = append(make([]byte, 0, size), empty[:start]...)
	for i, entry := range entries[:n] {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, entry...)
	}
	return append(b, empty[start:]...), n
}

// encoded returns the wire form of a message, or nil if it has none.
func (objects) encoded(m wzjson.Message) []byte {
	b, _ := wzjson.AppendMessage(nil, m)
	return b
}

func (objects) answers(v verb) func(b []byte) (a answer, rest []byte, err error) {
	var f wzjson.Framer
	return func(b []byte) (a answer, rest []byte, err error) {
		m, rest, err := nextObject(&f, b)
		if err != nil {
			return a, rest, err
		}
		list, isList := m.(wzjson.ListAck)
		opened, isOpened := m.(wzjson.AddAck)
		ack, isAck := m.(wzjson.Ack)
		refused, isError := m.(wzjson.Error)
		switch {
		case isError:
			err = &LobbyError{refused.Message}
		case isList && v == verbList && len(list.Games) == 0 && list.Skipped > 0:
			strict := wzjson.Options{Strict: true} // fails at the first game
			_, err = strict.ParseMessage(b[:len(b)-len(rest)])
		case isList && v == verbList:
			a.skipped = list.Skipped
			for _, g := range list.Games {
				a.games = append(a.games, gameOfJSON(g))
			}
		case isOpened && v == verbOpen:
			a.id = opened.ID
		case !isAck || v <= verbOpen || ack.Command != ackOf(v):
			err = errNoAnswer
		}
		return a, rest, err
	}
}

// part returns nothing, because a list is one message.
func (objects) part([]byte) answer { return answer{} }
