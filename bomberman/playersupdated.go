package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// PlayersUpdated tells all who are registered at a game server who will play
// the next round.
//
//	{"command":"cPlayersUpdated",
//	 "content":{"players":[{"name":...,"isLeader":...},...]}}
type PlayersUpdated struct {
	Players       []LobbyPlayer              // at most MaxPlayers; the leader need not be first
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var playersUpdatedMembers = [...]string{"players"}

// ParsePlayersUpdated reads a [PlayersUpdated].
func ParsePlayersUpdated(payload []byte) (PlayersUpdated, error) {
	return Options{}.ParsePlayersUpdated(payload)
}

// ParsePlayersUpdated reads a [PlayersUpdated].
func (o Options) ParsePlayersUpdated(payload []byte) (PlayersUpdated, error) {
	r := wire.NewReader(payload)
	var m PlayersUpdated
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return PlayersUpdated{}, err
	}
	return m, nil
}

// ExplainPlayersUpdated accounts for every byte of a [PlayersUpdated].
func ExplainPlayersUpdated(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "PlayersUpdated", payload, func(r *wire.Reader) {
		new(PlayersUpdated).decode(r, Options{})
	})
}

func (m *PlayersUpdated) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandPlayersUpdated, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(playersUpdatedMembers[:], len(playersUpdatedMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "players":
				a := j.Array()
				m.Players = make([]LobbyPlayer, 0, a.Room(minLobbyPlayer))
				for a.Next() {
					var p LobbyPlayer
					p.decode(&j, o)
					m.Players = append(m.Players, p)
				}
				if o.Strict && len(m.Players) > MaxPlayers {
					a.Fail(lobbywire.ErrTooLarge)
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if there are more than
// MaxPlayers, a name is not valid, or the whole is too long.
func (m PlayersUpdated) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandPlayersUpdated + `","content":{`)
	w.In("content", -1)
	w.Text(`"players":[`)
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
	w.In("content", -1)
	w.Text(`]`)
	w.JSONExtra(m.Extra, playersUpdatedMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m PlayersUpdated) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParsePlayersUpdated] does.
func (m *PlayersUpdated) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParsePlayersUpdated(payload)
	return err
}

// A LobbyPlayer will play the next round.
type LobbyPlayer struct {
	Name     string                     // as adapted; see ValidName
	IsLeader bool                       // may send ConfigureArena
	Extra    map[string]json.RawMessage // members that are not known
}

var lobbyPlayerMembers = [...]string{"name", "isLeader"}

// minLobbyPlayer is the size of the smallest player, to bound their number.
const minLobbyPlayer = len(`{"name":"","isLeader":true}`)

func (m *LobbyPlayer) decode(j *wire.JSON, o Options) {
	p := j.Object(lobbyPlayerMembers[:], len(lobbyPlayerMembers), &m.Extra)
	for p.Next() {
		switch p.Name() {
		case "name":
			m.Name = j.Text()
			if o.Strict && !ValidName(m.Name) {
				j.Invalid()
			}
		case "isLeader":
			m.IsLeader = j.Bool()
		}
	}
}

func (m LobbyPlayer) append(w *wire.Writer) {
	if !ValidName(m.Name) {
		w.Fail(lobbywire.ErrInvalid, "name")
	}
	w.Text(`{"name":`)
	w.JSONText("name", m.Name)
	w.Text(`,"isLeader":`)
	w.JSONBool(m.IsLeader)
	w.JSONExtra(m.Extra, lobbyPlayerMembers[:])
	w.Text(`}`)
}
