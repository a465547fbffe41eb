package bomberman

import (
	"encoding/json"
	"math"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// RoundEndHighscore tells the players of a round that it is over and how they
// did. All go back to the lobby.
//
//	{"command":"cRoundEndHighscore","content":{"players":[...]}}
type RoundEndHighscore struct {
	Players       []Highscore                // not sorted
	Extra         map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra map[string]json.RawMessage // members beside command and content
}

var roundEndHighscoreMembers = [...]string{"players"}

// ParseRoundEndHighscore reads a [RoundEndHighscore].
func ParseRoundEndHighscore(payload []byte) (RoundEndHighscore, error) {
	return Options{}.ParseRoundEndHighscore(payload)
}

// ParseRoundEndHighscore reads a [RoundEndHighscore].
func (o Options) ParseRoundEndHighscore(payload []byte) (RoundEndHighscore, error) {
	r := wire.NewReader(payload)
	var m RoundEndHighscore
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return RoundEndHighscore{}, err
	}
	return m, nil
}

// ExplainRoundEndHighscore accounts for every byte of a [RoundEndHighscore].
func ExplainRoundEndHighscore(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "RoundEndHighscore", payload, func(r *wire.Reader) {
		new(RoundEndHighscore).decode(r, Options{})
	})
}

func (m *RoundEndHighscore) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandRoundEndHighscore, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(roundEndHighscoreMembers[:], len(roundEndHighscoreMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "players":
				a := j.Array()
				m.Players = make([]Highscore, 0, a.Room(minHighscore))
				for a.Next() {
					var p Highscore
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
// MaxPlayers, a count is negative, a name is not UTF-8, or the whole is too
// long.
func (m RoundEndHighscore) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandRoundEndHighscore + `","content":{`)
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
	w.Text(`]`)
	w.In("content", -1)
	w.JSONExtra(m.Extra, roundEndHighscoreMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m RoundEndHighscore) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseRoundEndHighscore] does.
func (m *RoundEndHighscore) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseRoundEndHighscore(payload)
	return err
}

// A Highscore is how a player did in a round:
//
//	{"name":...,"walkedSteps":...,"plantedBombs":...,"destroyedWalls":...,
//	 "killedPlayers":...,"collectedPowerups":...,"isSuicided":...,
//	 "isLastPlayer":...,"score":...}
type Highscore struct {
	Name              string // any text: an example has a name that nobody may register
	WalkedSteps       int    // this and the other counts have 31 bits
	PlantedBombs      int
	DestroyedWalls    int
	KilledPlayers     int
	CollectedPowerups int
	IsSuicided        bool
	IsLastPlayer      bool // alive at the end; nobody is if time ran out before
	Score             int64
	Extra             map[string]json.RawMessage // members that are not known
}

var highscoreMembers = [...]string{
	"name", "walkedSteps", "plantedBombs", "destroyedWalls", "killedPlayers", "collectedPowerups",
	"isSuicided", "isLastPlayer", "score",
}

// minHighscore is the size of the smallest highscore, to bound their number.
const minHighscore = len(`{"name":"","walkedSteps":0,"plantedBombs":0,"destroyedWalls":0,"killedPlayers":0,` +
	`"collectedPowerups":0,"isSuicided":true,"isLastPlayer":true,"score":0}`)

func (m *Highscore) decode(j *wire.JSON, o Options) {
	p := j.Object(highscoreMembers[:], len(highscoreMembers), &m.Extra)
	for p.Next() {
		switch p.Name() {
		case "name":
			m.Name = j.Text()
		case "walkedSteps":
			m.WalkedSteps = decodeCount(j, o)
		case "plantedBombs":
			m.PlantedBombs = decodeCount(j, o)
		case "destroyedWalls":
			m.DestroyedWalls = decodeCount(j, o)
		case "killedPlayers":
			m.KilledPlayers = decodeCount(j, o)
		case "collectedPowerups":
			m.CollectedPowerups = decodeCount(j, o)
		case "isSuicided":
			m.IsSuicided = j.Bool()
		case "isLastPlayer":
			m.IsLastPlayer = j.Bool()
		case "score":
			m.Score = j.Int(math.MinInt64, math.MaxInt64, o.Strict)
		}
	}
}

// decodeCount reads an integer, if Strict not a negative one.
func decodeCount(j *wire.JSON, o Options) int {
	n := decodeInt(j, o)
	if o.Strict && n < 0 {
		j.Invalid()
	}
	return n
}

func (m *Highscore) append(w *wire.Writer) {
	w.Text(`{"name":`)
	w.JSONText("name", m.Name)
	w.Text(`,"walkedSteps":`)
	appendCount(w, "walkedSteps", m.WalkedSteps)
	w.Text(`,"plantedBombs":`)
	appendCount(w, "plantedBombs", m.PlantedBombs)
	w.Text(`,"destroyedWalls":`)
	appendCount(w, "destroyedWalls", m.DestroyedWalls)
	w.Text(`,"killedPlayers":`)
	appendCount(w, "killedPlayers", m.KilledPlayers)
	w.Text(`,"collectedPowerups":`)
	appendCount(w, "collectedPowerups", m.CollectedPowerups)
	w.Text(`,"isSuicided":`)
	w.JSONBool(m.IsSuicided)
	w.Text(`,"isLastPlayer":`)
	w.JSONBool(m.IsLastPlayer)
	w.Text(`,"score":`)
	w.Int(m.Score)
	w.JSONExtra(m.Extra, highscoreMembers[:])
	w.Text(`}`)
}

func appendCount(w *wire.Writer, field string, n int) {
	if n < 0 || n > math.MaxInt32 {
		w.Fail(lobbywire.ErrInvalid, field)
	}
	w.Int(int64(n))
}
