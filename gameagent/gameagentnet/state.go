package gameagentnet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/answer"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// State is the state that a Server reports. Texts must not contain a zero byte or, except
// for SessionName, a semicolon.
type State struct {
	SessionName string // the server's name
	GameName    string // "serioussamse", "serioussamfe", "serioussam" or the name of a mod
	Version     string // of the engine, such as "1.10"
	Level       string // as displayed
	GameType    string // "Cooperative", "Scorematch", "Fragmatch" ...
	MaxPlayers  int

	// NumPlayers is the number of players; 0 means the length of Players.
	NumPlayers int

	// Players contain names as typed, and a unique Index, from 0. The Server adds ^o and ^r
	// around names, unless BareNames is set, and replaces a name with control characters by
	// a placeholder. All players must fit in 8 datagrams.
	Players []gameagent.Player

	// BareNames sends names without ^o and ^r around them, for clients of games
	// other than Serious Sam, which show these format codes.
	BareNames bool
}

// encoded is a State in its wire form.
type encoded struct {
	status, players, ping answer.Answer

	heartbeat gameagent.Heartbeat // without its challenge
}

// answerTo returns the answer to a native request.
func (e *encoded) answerTo(request gameagent.ToServer) *answer.Answer {
	switch request.(type) {
	case gameagent.PlayersRequest:
		return &e.players
	case gameagent.PingRequest:
		return &e.ping
	}
	return &e.status
}

// heartbeatFor returns a heartbeat that answers a challenge; 0 means none. Encoding it
// cannot fail, because it succeeded with the longest challenge.
func (e *encoded) heartbeatFor(challenge int32) gameagent.Heartbeat {
	h := e.heartbeat
	h.Challenge = challenge
	return h
}

func (e *encoded) encode(s State) error {
	n := cmp.Or(s.NumPlayers, len(s.Players))
	if n < len(s.Players) {
		return fieldError("numPlayers", wire.Invalid(fmt.Sprintf("%d, but there are %d players", n, len(s.Players))))
	}
	status := gameagent.Status{
		Players:     &n,
		MaxPlayers:  &s.MaxPlayers,
		Level:       s.Level,
		GameType:    s.GameType,
		Version:     s.Version,
		GameName:    s.GameName,
		SessionName: s.SessionName,
	}
	e.heartbeat = gameagent.Heartbeat{
		Challenge:  math.MinInt32, // the longest
		Players:    &n,
		MaxPlayers: &s.MaxPlayers,
		Level:      s.Level,
		GameType:   s.GameType,
		Version:    s.Version,
		Product:    s.GameName,
	}
	var err error
	e.players, err = answer.Split("gameagent", gameagent.Players{Count: n, Players: s.wirePlayers()})
	if err != nil {
		return err
	}
	e.ping, err = answer.Of(gameagent.Ping{Players: n})
	if err != nil {
		return err
	}
	texts := []text{{"level", s.Level}, {"gameType", s.GameType}, {"version", s.Version}, {"gameName", s.GameName}}
	e.status, err = answer.Of(status)
	if err != nil {
		return ofLongest(err, append(texts, text{"sessionName", s.SessionName}))
	}
	_, err = e.heartbeat.AppendBinary(nil)
	return ofLongest(err, texts)
}

// named replaces the field in an error about a message by the corresponding field of State.
func named(err error) error {
	e, ok := err.(*lobbywire.Error)
	if !ok {
		return err
	}
	switch name, _, _ := strings.Cut(e.Field, "["); name {
	case "count":
		e.Field = "numPlayers"
	case "product":
		e.Field = "gameName"
	}
	return e
}

// A text is a field of State, with its name in errors.
type text struct{ name, value string }

// ofLongest names the longest of the texts in an error about a message that is too long.
func ofLongest(err error, texts []text) error {
	e, ok := err.(*lobbywire.Error)
	if !ok || e.Field != "" {
		return err
	}
	longest := slices.MaxFunc(texts, func(a, b text) int { return cmp.Compare(len(a.value), len(b.value)) })
	e.Field = longest.name
	return e
}

// fieldError returns an error about a field of a State.
func fieldError(field string, kind error) error {
	return &lobbywire.Error{Proto: "gameagent", Field: field, Offset: -1, Err: kind}
}

// wirePlayers returns the players with names in wire form, so that no player can choose a
// name that makes encoding fail.
func (s *State) wirePlayers() []gameagent.Player {
	players := slices.Clone(s.Players)
	for i := range players {
		name := &players[i].Name
		switch {
		case strings.ContainsFunc(*name, func(c rune) bool { return c < ' ' }):
			*name = gameagent.WireName(*name)
		case !s.BareNames:
			*name = gameagent.DecorateName(*name)
		}
	}
	return players
}
