package tricks

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
)

// bombermanDialect is a management server and a game server. A player who
// registers gets the list of players, with the name to be shown.
func bombermanDialect() dialect {
	return dialect{
		request: func(stream []byte) (request, rest []byte, err error) {
			_, rest, err = bomberman.NextFrame(stream, bomberman.MaxPayload)
			if errors.Is(err, lobbywire.ErrTruncated) {
				return nil, stream, nil
			}
			return stream[:len(stream)-len(rest)], rest, err
		},
		answer: answerBomberman,
		tricks: bombermanTricks,
	}
}

func answerBomberman(request []byte, v lobbywire.View) []byte {
	m, _ := bomberman.ParseFrame(request) // an invalid frame has no answer
	switch m.(type) {
	case bomberman.QueryGameServers:
		return check.Frames(bomberman.QueryGameServersResponse{Servers: []bomberman.Server{{
			Name: v.Name, Address: v.Host, Port: int(v.Port), IsLobbyOpen: true,
			Players: bomberman.PlayerCount{Current: *v.Players, Max: *v.Max}, GameplayMode: bomberman.GameplayModeStandardA,
		}}})
	case bomberman.RegisterPlayer:
		return check.Frames(
			bomberman.RegisterPlayerResponse{AdaptedName: v.Name},
			bomberman.PlayersUpdated{Players: []bomberman.LobbyPlayer{{Name: v.Name, IsLeader: true}}},
		)
	}
	return nil
}

// changedObjects returns a trick's speech with each JSON object changed.
func changedObjects(change func(object string, v lobbywire.View) string) func([]byte, lobbywire.View) speech {
	return func(right []byte, v lobbywire.View) speech {
		var all []byte
		for len(right) > 0 {
			object, rest, err := bomberman.NextFrame(right, bomberman.MaxPayload)
			if err != nil {
				break // which right answers do not have
			}
			all = append(all, check.Framed(change(strings.TrimSpace(string(object)), v))...)
			right = rest
		}
		return speech{pieces: [][]byte{all}}
	}
}

// replacedName changes the end of the name in each object.
func replacedName(with string) func([]byte, lobbywire.View) speech {
	return changedObjects(func(object string, v lobbywire.View) string {
		return strings.ReplaceAll(object, v.Name+`"`, v.Name+with)
	})
}

// ofLength returns a trick's speech whose first frame states another length.
func ofLength(length func(right int) string, closes bool) func([]byte, lobbywire.View) speech {
	return func(right []byte, _ lobbywire.View) speech {
		at := bytes.IndexByte(right, '{')
		is, _ := strconv.Atoi(string(right[:at])) // our own frame
		return speech{[][]byte{append([]byte(length(is)), right[at:]...)}, closes}
	}
}

// bombermanTricks returns the tricks, in the order of their numbers.
func bombermanTricks() []trick {
	return append(commonTricks(false), []trick{
		{number: "6", level: check.Must, sentence: "an unknown command comes first, in the same packet",
			source: byProtocol, shows: true,
			speech: func(right []byte, _ lobbywire.View) speech {
				unknown := check.Framed(`{"command":"xxUnknown","content":{"name":"Wrong"}}`)
				return speech{pieces: [][]byte{append(unknown, right...)}}
			}},
		{number: "7", level: check.Must, sentence: "a heartbeat follows at once, in the same packet",
			source: byProtocol, shows: true,
			speech: func(right []byte, _ lobbywire.View) speech {
				return speech{pieces: [][]byte{append(bytes.Clone(right), check.Frames(bomberman.Heartbeat{})...)}}
			}},
		{number: "8", level: check.Should, sentence: "objects have unknown members and white space",
			source: byProtocol, shows: true,
			speech: changedObjects(func(object string, _ lobbywire.View) string {
				return ` { "new" : [ 1, { "name" : "Wrong" } ] , ` + object[1:] + " "
			})},
		{number: "9", level: check.Should, sentence: "members come in another order", source: byProtocol, shows: true,
			speech: changedObjects(func(object string, _ lobbywire.View) string {
				command, content, _ := strings.Cut(object[1:len(object)-1], ",")
				return "{" + content + "," + command + "}"
			})},
		{number: "10", level: check.Should, sentence: "the number of players is a text, as in examples of the specification",
			source: byProtocol, shows: true,
			speech: changedObjects(func(object string, _ lobbywire.View) string {
				return strings.Replace(object, `"current":3`, `"current":"3"`, 1)
			})},
		{number: "11", level: check.Must, sentence: "names have characters that control a terminal",
			source: byProtocol, shows: true, speech: replacedName(`\u001b[31m\u0007"`), shown: bare},
		{number: "12", level: check.Should, sentence: "names have a byte of Latin-1", source: byProtocol,
			speech: replacedName("\xfc\"")},
		{number: "13", level: check.Should, sentence: "names have no quote at their end", source: byProtocol,
			speech: replacedName("")},
		{number: "14", level: check.Must, sentence: "the length is one too large, and the connection ends",
			source: byProtocol, speech: ofLength(func(right int) string { return strconv.Itoa(right + 1) }, true)},
		{number: "15", level: check.Must, sentence: "the length is 4294967295", source: byProtocol,
			speech: ofLength(func(int) string { return "4294967295" }, false)},
		{number: "16", level: check.Must, sentence: "the length is no number", source: byProtocol,
			speech: ofLength(func(int) string { return "x" }, false)},
	}...)
}
