package gamespy1net

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/internal/answer"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// encoded is a state in its wire form.
type encoded struct {
	answers   [gamespy1.QueryRules + 1]answer.Answer
	heartbeat []byte
	changed   []byte // with \statechanged
}

func (e *encoded) encode(status gamespy1.Status) error {
	status.HostPort = cmp.Or(status.HostPort, gameagent.GamePort)
	if status.HostPort == math.MaxUint16 {
		return fieldError("hostPort", wire.Invalid("65535, but queries have the next port"))
	}
	listed := len(status.Players)
	if status.NumPlayers == nil {
		status.NumPlayers = &listed
	}
	if n := *status.NumPlayers; n < listed {
		return fieldError("numPlayers", wire.Invalid(fmt.Sprintf("%d, but there are %d players", n, listed)))
	}
	status.Query = gamespy1.QueryStatus
	status.GameMode = cmp.Or(status.GameMode, "openplaying")
	status.Players = slices.Clone(status.Players)
	for i := range status.Players {
		status.Players[i].Name = wireName(status.Players[i].Name)
	}
	for _, m := range partsOf(status) {
		m.QueryID = m.Query.ID()
		var err error
		e.answers[m.Query], err = answer.Split("gamespy1", m)
		if err != nil {
			return err
		}
	}
	var err error
	heartbeat := gamespy1.Heartbeat{QueryPort: status.HostPort + 1, GameName: status.GameName}
	e.heartbeat, err = heartbeat.AppendBinary(nil)
	if err != nil {
		return err
	}
	heartbeat.StateChanged = true
	e.changed, err = heartbeat.AppendBinary(nil)
	return err
}

// partsOf returns the answers to all queries.
func partsOf(status gamespy1.Status) []gamespy1.Status {
	rules := status
	rules.Query = gamespy1.QueryRules
	rules.GameName, rules.GameVersion, rules.Location, rules.HostName = "", "", "", ""
	rules.HostPort, rules.MapName, rules.GameType, rules.GameMode = 0, "", "", ""
	rules.NumPlayers, rules.MaxPlayers, rules.Players = nil, nil, nil
	return []gamespy1.Status{
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
		rules,
	}
}

// fieldError returns an error about a field of a state.
func fieldError(field string, kind error) error {
	return &lobbywire.Error{Proto: "gamespy1", Field: field, Offset: -1, Err: kind}
}

// wireName returns a name in wire form, so that no player can choose a name that makes
// encoding fail.
func wireName(name string) string {
	if strings.ContainsFunc(name, func(c rune) bool { return c < ' ' }) {
		return gameagent.WireName(name)
	}
	return strings.ReplaceAll(name, `\`, "/")
}
