package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// UpdateGameServerStats tells a management server how the game server of the
// connection stands. There is no answer; a server drops one that is invalid, or
// comes before a [RegisterGameServer].
//
//	{"command":"msUpdateGameServerStats",
//	 "content":{"players":{"current":...,"max":...},
//	            "isLobbyOpen":...,"gameplayMode":...}}
type UpdateGameServerStats struct {
	Players       PlayerCount
	IsLobbyOpen   bool // whether players can join now
	GameplayMode  GameplayMode
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var updateGameServerStatsMembers = [...]string{"players", "isLobbyOpen", "gameplayMode"}

// ParseUpdateGameServerStats reads an [UpdateGameServerStats]. One that
// breaks the rules of its fields is refused, since servers have to drop it.
func ParseUpdateGameServerStats(payload []byte) (UpdateGameServerStats, error) {
	return Options{}.ParseUpdateGameServerStats(payload)
}

// ParseUpdateGameServerStats reads an [UpdateGameServerStats].
func (o Options) ParseUpdateGameServerStats(payload []byte) (UpdateGameServerStats, error) {
	r := wire.NewReader(payload)
	var m UpdateGameServerStats
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return UpdateGameServerStats{}, err
	}
	return m, nil
}

// ExplainUpdateGameServerStats accounts for every byte of an [UpdateGameServerStats].
func ExplainUpdateGameServerStats(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "UpdateGameServerStats", payload, func(r *wire.Reader) {
		new(UpdateGameServerStats).decode(r, Options{})
	})
}

func (m *UpdateGameServerStats) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandUpdateGameServerStats, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(updateGameServerStatsMembers[:], len(updateGameServerStatsMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "players":
				m.Players.decode(&j, o, true)
			case "isLobbyOpen":
				m.IsLobbyOpen = j.Bool()
			case "gameplayMode":
				m.GameplayMode = GameplayMode(decodeInt(&j, o))
				if !m.GameplayMode.valid() {
					j.Invalid()
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if a field has a value
// that a server drops, or the whole is too long.
func (m UpdateGameServerStats) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandUpdateGameServerStats + `","content":{`)
	w.In("content", -1)
	if !m.GameplayMode.valid() {
		w.Fail(lobbywire.ErrInvalid, "gameplayMode")
	}
	w.Text(`"players":`)
	m.Players.append(&w)
	w.Text(`,"isLobbyOpen":`)
	w.JSONBool(m.IsLobbyOpen)
	w.Text(`,"gameplayMode":`)
	w.Int(int64(m.GameplayMode))
	w.JSONExtra(m.Extra, updateGameServerStatsMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m UpdateGameServerStats) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseUpdateGameServerStats] does.
func (m *UpdateGameServerStats) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseUpdateGameServerStats(payload)
	return err
}
