package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ArenaUpdated tells the players of a round what has changed, with every tick.
// The first of a round has all fields of the arena, later ones those that
// changed.
//
//	{"command":"cArenaUpdated",
//	 "content":{"players":[{"number":...,"name":...,"x":...,"y":...,"isArmored":...},...],
//	            "updatedFields":[{"x":...,"y":...,"id":...},...]}}
type ArenaUpdated struct {
	Players       []ArenaPlayer              // all who are alive; none if nothing about them changed
	UpdatedFields []Field                    // in any order; none if nothing changed
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var arenaUpdatedMembers = [...]string{"players", "updatedFields"}

// ParseArenaUpdated reads an [ArenaUpdated]. Unless Strict, numbers, names,
// coordinates and ids may be any.
func ParseArenaUpdated(payload []byte) (ArenaUpdated, error) {
	return Options{}.ParseArenaUpdated(payload)
}

// ParseArenaUpdated reads an [ArenaUpdated].
func (o Options) ParseArenaUpdated(payload []byte) (ArenaUpdated, error) {
	r := wire.NewReader(payload)
	var m ArenaUpdated
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return ArenaUpdated{}, err
	}
	return m, nil
}

// ExplainArenaUpdated accounts for every byte of an [ArenaUpdated].
func ExplainArenaUpdated(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "ArenaUpdated", payload, func(r *wire.Reader) {
		new(ArenaUpdated).decode(r, Options{})
	})
}

func (m *ArenaUpdated) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandArenaUpdated, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(arenaUpdatedMembers[:], len(arenaUpdatedMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "players":
				m.decodePlayers(&j, o)
			case "updatedFields":
				m.decodeFields(&j, o)
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if a number, a name, a
// coordinate or an id is not valid, there are more than MaxPlayers, or the whole
// is too long.
func (m ArenaUpdated) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandArenaUpdated + `","content":{`)
	w.Text(`"players":[`)
	w.In("content", -1)
	if len(m.Players) > MaxPlayers {
		w.Fail(lobbywire.ErrTooLarge, "players")
	}
	for i, p := range m.Players {
		if i > 0 {
			w.Text(`,`)
		}
		w.In("content.players", i)
		p.append(&w)
	}
	w.Text(`],"updatedFields":[`)
	for i, f := range m.UpdatedFields {
		if i > 0 {
			w.Text(`,`)
		}
		w.In("content.updatedFields", i)
		f.append(&w)
	}
	w.Text(`]`)
	w.In("content", -1)
	w.JSONExtra(m.Extra, arenaUpdatedMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m ArenaUpdated) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseArenaUpdated] does.
func (m *ArenaUpdated) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseArenaUpdated(payload)
	return err
}

func (m *ArenaUpdated) decodePlayers(j *wire.JSON, o Options) {
	a := j.Array()
	m.Players = make([]ArenaPlayer, 0, a.Room(minArenaPlayer))
	for a.Next() {
		var p ArenaPlayer
		p.decode(j, o)
		m.Players = append(m.Players, p)
	}
	if o.Strict && len(m.Players) > MaxPlayers {
		a.Fail(lobbywire.ErrTooLarge)
	}
}

func (m *ArenaUpdated) decodeFields(j *wire.JSON, o Options) {
	a := j.Array()
	m.UpdatedFields = make([]Field, 0, a.Room(minField))
	for a.Next() {
		var f Field
		f.decode(j, o)
		m.UpdatedFields = append(m.UpdatedFields, f)
	}
}

// An ArenaPlayer is a player who is alive.
type ArenaPlayer struct {
	Number    int                        // 1 to 4
	Name      string                     // as adapted; see ValidName
	X, Y      int                        // where, from 0
	IsArmored bool                       // survives an explosion
	Extra     map[string]json.RawMessage // members that are not known
}

var arenaPlayerMembers = [...]string{"number", "name", "x", "y", "isArmored"}

// minArenaPlayer is the size of the smallest player, to bound their number.
const minArenaPlayer = len(`{"number":0,"name":"","x":0,"y":0,"isArmored":true}`)

func (m *ArenaPlayer) decode(j *wire.JSON, o Options) {
	p := j.Object(arenaPlayerMembers[:], len(arenaPlayerMembers), &m.Extra)
	for p.Next() {
		switch p.Name() {
		case "number":
			m.Number = decodeInt(j, o)
			if o.Strict && !validNumber(m.Number) {
				j.Invalid()
			}
		case "name":
			m.Name = j.Text()
			if o.Strict && !ValidName(m.Name) {
				j.Invalid()
			}
		case "x":
			m.X = decodeCoordinate(j, o)
		case "y":
			m.Y = decodeCoordinate(j, o)
		case "isArmored":
			m.IsArmored = j.Bool()
		}
	}
}

func (m *ArenaPlayer) append(w *wire.Writer) {
	if !validNumber(m.Number) {
		w.Fail(lobbywire.ErrInvalid, "number")
	}
	if !ValidName(m.Name) {
		w.Fail(lobbywire.ErrInvalid, "name")
	}
	w.Text(`{"number":`)
	w.Int(int64(m.Number))
	w.Text(`,"name":`)
	w.JSONText("name", m.Name)
	w.Text(`,"x":`)
	appendCoordinate(w, "x", m.X)
	w.Text(`,"y":`)
	appendCoordinate(w, "y", m.Y)
	w.Text(`,"isArmored":`)
	w.JSONBool(m.IsArmored)
	w.JSONExtra(m.Extra, arenaPlayerMembers[:])
	w.Text(`}`)
}

func validNumber(n int) bool { return n >= 1 && n <= MaxPlayers }

// maxCoordinate allows for a border around the widest arena.
const maxCoordinate = MaxArena + 1

func validCoordinate(n int) bool { return n >= 0 && n <= maxCoordinate }

// decodeCoordinate reads an integer, if Strict one that can be in an arena.
func decodeCoordinate(j *wire.JSON, o Options) int {
	n := decodeInt(j, o)
	if o.Strict && !validCoordinate(n) {
		j.Invalid()
	}
	return n
}

func appendCoordinate(w *wire.Writer, field string, n int) {
	if !validCoordinate(n) {
		w.Fail(lobbywire.ErrInvalid, field)
	}
	w.Int(int64(n))
}
