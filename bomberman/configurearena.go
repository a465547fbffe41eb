package bomberman

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ConfigureArena is how the leader of the lobby starts a round. If it is valid
// and there are two players, the game starts; there is no other answer.
//
//	{"command":"gsConfigureArena",
//	 "content":{"arenaWidth":...,"arenaHeight":...,"playTimeMinutes":...,
//	            "armorEffectSeconds":...,"bombExplosionSeconds":...,
//	            "maxPlayers":...,"gameplayMode":...}}
//
// The specification contradicts itself on whether width and height count the
// border.
type ConfigureArena struct {
	ArenaWidth           int // fields: MinArena to MaxArena, odd
	ArenaHeight          int // fields: MinArena to MaxArena, odd
	PlayTimeMinutes      int // 2 to 10
	ArmorEffectSeconds   int // 5 to 10
	BombExplosionSeconds int // 2 to 5
	MaxPlayers           int // 2 to 4
	GameplayMode         GameplayMode
	Extra                map[string]json.RawMessage // members of the content that are not known
	EnvelopeExtra        map[string]json.RawMessage // members beside command and content
}

var configureArenaMembers = [...]string{"arenaWidth", "arenaHeight", "playTimeMinutes", "armorEffectSeconds", "bombExplosionSeconds", "maxPlayers", "gameplayMode"}

// ParseConfigureArena reads a [ConfigureArena]. One that breaks the
// rules of its fields is refused: it starts no game.
func ParseConfigureArena(payload []byte) (ConfigureArena, error) {
	return Options{}.ParseConfigureArena(payload)
}

// ParseConfigureArena reads a [ConfigureArena].
func (o Options) ParseConfigureArena(payload []byte) (ConfigureArena, error) {
	r := wire.NewReader(payload)
	var m ConfigureArena
	m.decode(&r, o)
	if err := r.Err(proto); err != nil {
		return ConfigureArena{}, err
	}
	return m, nil
}

// ExplainConfigureArena accounts for every byte of a [ConfigureArena].
func ExplainConfigureArena(payload []byte) lobbywire.Explanation {
	return wire.Explain(proto, "ConfigureArena", payload, func(r *wire.Reader) {
		new(ConfigureArena).decode(r, Options{})
	})
}

func (m *ConfigureArena) decode(r *wire.Reader, o Options) {
	j := wire.NewJSON(r)
	e := openEnvelope(r, &j, o, CommandConfigureArena, withContent, &m.EnvelopeExtra)
	for e.content() {
		c := j.Object(configureArenaMembers[:], len(configureArenaMembers), &m.Extra)
		for c.Next() {
			switch c.Name() {
			case "arenaWidth":
				m.ArenaWidth = decodeRange(&j, o, MinArena, MaxArena)
				if !isOdd(m.ArenaWidth) {
					j.Invalid()
				}
			case "arenaHeight":
				m.ArenaHeight = decodeRange(&j, o, MinArena, MaxArena)
				if !isOdd(m.ArenaHeight) {
					j.Invalid()
				}
			case "playTimeMinutes":
				m.PlayTimeMinutes = decodeRange(&j, o, minPlayTime, maxPlayTime)
			case "armorEffectSeconds":
				m.ArmorEffectSeconds = decodeRange(&j, o, minArmorEffect, maxArmorEffect)
			case "bombExplosionSeconds":
				m.BombExplosionSeconds = decodeRange(&j, o, minBombExplosion, maxBombExplosion)
			case "maxPlayers":
				m.MaxPlayers = decodeRange(&j, o, minPlayers, MaxPlayers)
			case "gameplayMode":
				m.GameplayMode = GameplayMode(decodeInt(&j, o))
				if !m.GameplayMode.valid() {
					j.Invalid()
				}
			}
		}
	}
}

// AppendBinary appends the JSON object to b. It fails if a field is out of its
// range, or the whole is too long.
func (m ConfigureArena) AppendBinary(b []byte) ([]byte, error) {
	w := wire.NewWriter(b)
	w.Text(`{"command":"` + CommandConfigureArena + `","content":{`)
	w.In("content", -1)
	m.check(&w)
	w.Text(`"arenaWidth":`)
	w.Int(int64(m.ArenaWidth))
	w.Text(`,"arenaHeight":`)
	w.Int(int64(m.ArenaHeight))
	w.Text(`,"playTimeMinutes":`)
	w.Int(int64(m.PlayTimeMinutes))
	w.Text(`,"armorEffectSeconds":`)
	w.Int(int64(m.ArmorEffectSeconds))
	w.Text(`,"bombExplosionSeconds":`)
	w.Int(int64(m.BombExplosionSeconds))
	w.Text(`,"maxPlayers":`)
	w.Int(int64(m.MaxPlayers))
	w.Text(`,"gameplayMode":`)
	w.Int(int64(m.GameplayMode))
	w.JSONExtra(m.Extra, configureArenaMembers[:])
	w.Text(`}`)
	return finish(&w, m.EnvelopeExtra)
}

// MarshalBinary returns the JSON object.
func (m ConfigureArena) MarshalBinary() ([]byte, error) { return m.AppendBinary(nil) }

// UnmarshalBinary reads payload as [ParseConfigureArena] does.
func (m *ConfigureArena) UnmarshalBinary(payload []byte) (err error) {
	*m, err = ParseConfigureArena(payload)
	return err
}

// Ranges of fields, by the specification.
const (
	minPlayTime      = 2
	maxPlayTime      = 10
	minArmorEffect   = 5
	maxArmorEffect   = 10
	minBombExplosion = 2
	maxBombExplosion = 5
	minPlayers       = 2
)

func isOdd(n int) bool { return n%2 != 0 }

// check refuses fields that are out of their ranges.
func (m ConfigureArena) check(w *wire.Writer) {
	within := func(field string, v, low, high int) {
		if v < low || v > high {
			w.Fail(lobbywire.ErrInvalid, field)
		}
	}
	within("arenaWidth", m.ArenaWidth, MinArena, MaxArena)
	if !isOdd(m.ArenaWidth) {
		w.Fail(lobbywire.ErrInvalid, "arenaWidth")
	}
	within("arenaHeight", m.ArenaHeight, MinArena, MaxArena)
	if !isOdd(m.ArenaHeight) {
		w.Fail(lobbywire.ErrInvalid, "arenaHeight")
	}
	within("playTimeMinutes", m.PlayTimeMinutes, minPlayTime, maxPlayTime)
	within("armorEffectSeconds", m.ArmorEffectSeconds, minArmorEffect, maxArmorEffect)
	within("bombExplosionSeconds", m.BombExplosionSeconds, minBombExplosion, maxBombExplosion)
	within("maxPlayers", m.MaxPlayers, minPlayers, MaxPlayers)
	if !m.GameplayMode.valid() {
		w.Fail(lobbywire.ErrInvalid, "gameplayMode")
	}
}
