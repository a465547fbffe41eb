package check

import (
	"bytes"
	"errors"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
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
		explain: bomberman.ExplainFrame,
		answer:  answerBomberman,
		tricks:  bombermanTricks,
	}
}

func answerBomberman(request []byte, v lobbywire.View) []byte {
	m, _ := bomberman.ParseFrame(request) // one that is invalid has no answer
	switch m.(type) {
	case bomberman.QueryGameServers:
		return frames(bomberman.QueryGameServersResponse{Servers: []bomberman.Server{{
			Name: v.Name, Address: v.Host, Port: int(v.Port), IsLobbyOpen: true,
			Players: bomberman.PlayerCount{Current: *v.Players, Max: *v.Max}, GameplayMode: bomberman.GameplayModeStandardA,
		}}})
	case bomberman.RegisterPlayer:
		return frames(
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
			all = append(all, framed(change(strings.TrimSpace(string(object)), v))...)
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
		{sentence: "an unknown command comes first, in the same packet", shows: true,
			speech: func(right []byte, _ lobbywire.View) speech {
				return speech{pieces: [][]byte{append(framed(`{"command":"xxUnknown","content":{"name":"Wrong"}}`), right...)}}
			}},
		{sentence: "a heartbeat follows at once, in the same packet", shows: true,
			speech: func(right []byte, _ lobbywire.View) speech {
				return speech{pieces: [][]byte{append(bytes.Clone(right), frames(bomberman.Heartbeat{})...)}}
			}},
		{sentence: "objects have unknown members and white space", shows: true,
			speech: changedObjects(func(object string, _ lobbywire.View) string {
				return ` { "new" : [ 1, { "name" : "Wrong" } ] , ` + object[1:] + " "
			})},
		{sentence: "members come in another order", shows: true,
			speech: changedObjects(func(object string, _ lobbywire.View) string {
				command, content, _ := strings.Cut(object[1:len(object)-1], ",")
				return "{" + content + "," + command + "}"
			})},
		{sentence: "the number of players is a text, as in examples of the specification", shows: true,
			speech: changedObjects(func(object string, _ lobbywire.View) string {
				return strings.Replace(object, `"current":3`, `"current":"3"`, 1)
			})},
		{sentence: "names have characters that control a terminal", shows: true,
			speech: replacedName(`\u001b[31m\u0007"`), shown: bare},
		{sentence: "names have a byte of Latin-1", speech: replacedName("\xfc\"")},
		{sentence: "names have no quote at their end", speech: replacedName("")},
		{sentence: "the length is one too large, and the connection ends",
			speech: ofLength(func(right int) string { return strconv.Itoa(right + 1) }, true)},
		{sentence: "the length is 4294967295",
			speech: ofLength(func(int) string { return "4294967295" }, false)},
		{sentence: "the length is no number",
			speech: ofLength(func(int) string { return "x" }, false)},
	}...)
}
