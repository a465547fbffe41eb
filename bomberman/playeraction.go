package bomberman

import (
	"encoding/json"
	"strconv"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// PlayerAction is what a player does in a round. There is no answer.
//
//	{"command":"gsPlayerAction","content":{"action":...}}
type PlayerAction struct {
	Action        Action
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var playerActionMembers = [...]string{"action"}

// ParsePlayerAction reads a [PlayerAction]. An action that is none of
// the five is refused.
func ParsePlayerAction(payload []byte) (PlayerAction, error) {
	return Options{}.ParsePlayerAction(payload)
}

// ParsePlayerAction reads a [PlayerAction].
func (o Options) ParsePlayerAction(payload []byte) (PlayerAction, error) {
	r := wire.NewReader(payload)
	var m PlayerAction
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return PlayerAction{}, err
	}
	return m, nil
}

// ExplainPlayerAction accounts for every byte of a [PlayerAction].
func ExplainPlayerAction(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "PlayerAction", payload, func(r *wire.Reader) {
		new(PlayerAction).decode(r, Options{})
	})
}

func (m *PlayerAction) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandPlayerAction, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(playerActionMembers[:], len(playerActionMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "action":
				m.Action = Action(decodeRange(&j, o, int(ActionBomb), int(ActionDown)))
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if Action is none of the
// five, or the whole is too long.
func (m PlayerAction) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandPlayerAction + `","content":{`)
	w.In("content", -1)
	if m.Action < ActionBomb || m.Action > ActionDown {
		w.Fail(lobbywire.ErrInvalid, "action")
	}
	w.Text(`"action":`)
	w.Int(int64(m.Action))
	w.JSONExtra(m.Extra, playerActionMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m PlayerAction) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParsePlayerAction] does.
func (m *PlayerAction) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParsePlayerAction(payload)
	return err
}

// An Action is what a player does.
type Action int

// The actions.
const (
	ActionBomb  Action = 0 // plant a bomb
	ActionRight Action = 1
	ActionLeft  Action = 2
	ActionUp    Action = 3
	ActionDown  Action = 4
)

var actionNames = [...]string{"bomb", "right", "left", "up", "down"}

// String returns "bomb", "right", "left", "up", "down" or, as an example,
// "action(7)".
func (a Action) String() string {
	if a < 0 || int(a) >= len(actionNames) {
		return "action(" + strconv.Itoa(int(a)) + ")"
	}
	return actionNames[a]
}
