package gameagentnet

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// State is the state that a Server reports. Texts must not contain a backslash, a
// zero byte or, except for SessionName, a semicolon.
type State struct {
	SessionName string // the server's name
	GameName    string // "serioussamse", "serioussamfe", "serioussam" or the name of a mod
	Version     string // of the engine, such as "1.10"
	Level       string // as displayed
	GameType    string // "Cooperative", "Scorematch", "Fragmatch" ...
	MaxPlayers  int

	// NumPlayers is the number of players if Players does not list all of them. 0
	// means that it does.
	NumPlayers int

	// GamePort is the port of the game. The Server must serve on the next port,
	// where clients send queries. 0 means 25600.
	GamePort uint16

	// Players have their names as typed, and a unique Index, from 0. The native
	// form adds ^o and ^r around names, unless BareNames is set. Both forms
	// replace a name with control characters by a placeholder, and the legacy
	// form replaces backslashes by slashes. All players must fit in 8 datagrams.
	Players []gameagent.Player

	// BareNames sends names without ^o and ^r around them, for clients of games
	// other than Serious Sam, which show these format codes.
	BareNames bool

	// Legacy has what only the legacy form has: the rules, Location, ActiveMod,
	// GameMode, Difficulty and Extra, such as the names of teams. Its other fields are ignored in favour of those
	// above. An empty GameMode means "openplaying".
	Legacy gamespy1.Status
}

// answerUnit is the size in bytes up to which an answer counts as one in rate
// limits. A longer answer counts as several.
const answerUnit = 512

// maxPackets bounds the answer to a request of one byte.
const maxPackets = 8

// encoded is a State in its wire form.
type encoded struct {
	status, players, ping answer
	legacy                [gamespy1.QueryRules + 1]answer

	heartbeat       gameagent.Heartbeat // without its challenge
	legacyHeartbeat []byte
	legacyChanged   []byte // with \statechanged
}

// An answer is the datagrams that answer a request.
type answer struct {
	packets [][]byte
	cost    int // in answerUnits
}

// answerTo returns the answer to a native request.
func (e *encoded) answerTo(request gameagent.ToServer) *answer {
	switch request.(type) {
	case gameagent.PlayersRequest:
		return &e.players
	case gameagent.PingRequest:
		return &e.ping
	}
	return &e.status
}

// heartbeatFor returns a heartbeat that answers a challenge; 0 means none. Encoding it
// cannot fail, because it worked with the longest challenge.
func (e *encoded) heartbeatFor(challenge int32) gameagent.Heartbeat {
	h := e.heartbeat
	h.Challenge = challenge
	return h
}

func (e *encoded) encode(s State) error {
	s.GamePort = cmp.Or(s.GamePort, gameagent.GamePort)
	if s.GamePort == math.MaxUint16 {
		return fieldError("gamePort", wire.Invalid("65535, but queries have the next port"))
	}
	if n := s.NumPlayers; n != 0 && n < len(s.Players) {
		return fieldError("numPlayers", wire.Invalid(fmt.Sprintf("%d, but there are %d players", n, len(s.Players))))
	}
	return cmp.Or(e.encodeNative(s), e.encodeLegacy(s))
}

// count returns the number of players.
func (s *State) count() int { return cmp.Or(s.NumPlayers, len(s.Players)) }

func (e *encoded) encodeNative(s State) error {
	n := s.count()
	players := gameagent.Players{Count: n, Players: renamed(s.Players, s.nativeName)}
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
	texts := []text{{"level", s.Level}, {"gameType", s.GameType}, {"version", s.Version}, {"gameName", s.GameName}}
	_, err := e.heartbeat.AppendBinary(nil)
	return cmp.Or(
		e.players.set(players.Packets()),
		e.ping.setOne(gameagent.Ping{Players: n}.AppendBinary(nil)),
		ofLongest(e.status.setOne(status.AppendBinary(nil)), append(texts, text{"sessionName", s.SessionName})),
		ofLongest(err, texts),
	)
}

func (e *encoded) encodeLegacy(s State) error {
	status := s.Legacy
	status.Query = gamespy1.QueryStatus
	status.GameName, status.GameVersion, status.HostName = s.GameName, s.Version, s.SessionName
	status.HostPort, status.MapName, status.GameType = s.GamePort, s.Level, s.GameType
	status.NumPlayers, status.MaxPlayers = new(s.count()), &s.MaxPlayers
	status.GameMode = cmp.Or(status.GameMode, "openplaying")
	status.Players = make([]gamespy1.Player, len(s.Players))
	for i, p := range renamed(s.Players, legacyName) {
		status.Players[i] = gamespy1.Player(p)
	}
	for _, m := range []gamespy1.Status{
		status,
		{Query: gamespy1.QueryPlayers, Players: status.Players},
		{
			Query:      gamespy1.QueryInfo,
			HostName:   status.HostName,
			HostPort:   status.HostPort,
			MapName:    status.MapName,
			GameType:   status.GameType,
			NumPlayers: status.NumPlayers,
			MaxPlayers: status.MaxPlayers,
			GameMode:   status.GameMode,
		},
		{
			Query:       gamespy1.QueryBasic,
			GameName:    status.GameName,
			GameVersion: status.GameVersion,
			Location:    status.Location,
		},
		rulesOf(status),
	} {
		m.QueryID = m.Query.ID()
		if err := e.legacy[m.Query].set(m.Packets()); err != nil {
			return err
		}
	}
	var err error
	heartbeat := gamespy1.Heartbeat{QueryPort: s.GamePort + 1, GameName: s.GameName}
	e.legacyHeartbeat, err = heartbeat.AppendBinary(nil)
	if err != nil {
		return err
	}
	heartbeat.StateChanged = true
	e.legacyChanged, err = heartbeat.AppendBinary(nil)
	return ofLongest(err, []text{{"gameName", s.GameName}})
}

// rulesOf returns the keys of a status that are neither of the info nor of the basic
// answer.
func rulesOf(status gamespy1.Status) gamespy1.Status {
	status.Query = gamespy1.QueryRules
	status.GameName, status.GameVersion, status.Location, status.HostName = "", "", "", ""
	status.HostPort, status.MapName, status.GameType, status.GameMode = 0, "", "", ""
	status.NumPlayers, status.MaxPlayers, status.Players = nil, nil, nil
	return status
}

// set sets the datagrams to the result of Packets.
func (a *answer) set(packets [][]byte, err error) error {
	if err != nil {
		return err
	}
	if len(packets) > maxPackets {
		return fieldError("players", wire.Exceeded(len(packets), maxPackets))
	}
	a.packets = packets
	for _, p := range packets {
		a.cost += (len(p) + answerUnit - 1) / answerUnit
	}
	return nil
}

// setOne sets the only datagram to the result of AppendBinary.
func (a *answer) setOne(packet []byte, err error) error { return a.set([][]byte{packet}, err) }

// named replaces the field in an error about a message by the field of State that
// it comes from.
func named(err error) error {
	e, ok := err.(*lobbywire.Error)
	if !ok {
		return err
	}
	switch name, _, _ := strings.Cut(e.Field, "["); name {
	case "count":
		e.Field = "numPlayers"
	case "hostName":
		e.Field = "sessionName"
	case "product":
		e.Field = "gameName"
	case "gameVersion":
		e.Field = "version"
	case "mapName":
		e.Field = "level"
	case "location", "activeMod", "gameMode", "difficulty", "extra":
		e.Field = "legacy." + e.Field
	}
	return e
}

// A text is a field of State, with its name in errors.
type text struct{ name, value string }

// ofLongest names the longest of the texts in an error about a message that is
// too long as a whole.
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

// renamed returns players with their names in wire form, so that no player can
// choose a name that makes encoding fail.
func renamed(players []gameagent.Player, wireName func(string) string) []gameagent.Player {
	players = slices.Clone(players)
	for i := range players {
		players[i].Name = wireName(players[i].Name)
	}
	return players
}

func (s *State) nativeName(name string) string {
	switch {
	case hasControl(name):
		return gameagent.WireName(name)
	case s.BareNames:
		return name
	}
	return gameagent.DecorateName(name)
}

func legacyName(name string) string {
	if hasControl(name) {
		return gameagent.WireName(name)
	}
	return strings.ReplaceAll(name, `\`, "/")
}

func hasControl(name string) bool {
	return strings.ContainsFunc(name, func(c rune) bool { return c < ' ' })
}
