package fuzzharness

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// ExpectGameAgent returns how many answers a request must have, 1 or 0. Games check only
// its first byte. Servers that also answer package gamespy1 need not answer that.
func ExpectGameAgent(request []byte) int {
	switch m, _ := gameagent.ParseToServer(request); m.(type) {
	case gameagent.StatusRequest, gameagent.PlayersRequest, gameagent.PingRequest:
		return 1
	}
	return 0
}

// JudgeGameAgent returns an error if the answers to a request are wrong. The answer to a
// PlayersRequest may be several packets. See [ExpectGameAgent].
func JudgeGameAgent(request []byte, answers [][]byte) error {
	m, _ := gameagent.ParseToServer(request)
	want := ExpectGameAgent(request)
	if _, ok := m.(gameagent.PlayersRequest); ok && len(answers) > 1 {
		return judgePlayers(answers)
	}
	if err := counted(answers, want, want); err != nil {
		return err
	}
	for _, b := range answers {
		if e, err := parseGameAgentAnswer(m, b); err != nil {
			return explained(err, e, b)
		}
	}
	return nil
}

// judgePlayers judges an answer of several packets.
func judgePlayers(answers [][]byte) error {
	players := gameagent.Assembler{Options: gameagent.Options{Strict: true}}
	done := false
	for _, b := range answers {
		b = withoutAdded(b)
		if done {
			return explained(errors.New("a packet follows the last one"), gameagent.ExplainFromServer(b), b)
		}
		var err error
		done, err = players.Add(b)
		if err != nil {
			return explained(err, gameagent.ExplainFromServer(b), b)
		}
	}
	if !done {
		return errors.New("the players have no end mark, or packets are missing")
	}
	_, err := players.Players()
	return err
}

// withoutAdded returns an answer without fields of players that the engine does not send,
// such as a team. Clients skip them.
func withoutAdded(b []byte) []byte {
	m, err := gameagent.Options{Part: true}.ParsePlayers(b)
	if err != nil {
		return b
	}
	for _, p := range m.Players {
		for _, e := range p.Extra {
			if slices.Contains([]string{"player", "frags", "ping"}, strings.TrimSuffix(e.Key, "_")) {
				continue // the engine's own, with a wrong value
			}
			pair := fmt.Sprintf("%s_%d\x02%s\x03", strings.TrimSuffix(e.Key, "_"), p.Index, e.Value)
			b = bytes.Replace(b, []byte(pair), nil, 1)
		}
	}
	return b
}

func parseGameAgentAnswer(request gameagent.ToServer, b []byte) (e lobbywire.Explanation, err error) {
	strict := gameagent.Options{Strict: true}
	switch request.(type) {
	case gameagent.StatusRequest:
		_, err = strict.ParseStatus(b)
		return gameagent.Explain[gameagent.Status](b), err
	case gameagent.PlayersRequest:
		b = withoutAdded(b)
		_, err = strict.ParsePlayers(b)
		return gameagent.Explain[gameagent.Players](b), err
	}
	_, err = gameagent.ParsePing(b)
	return gameagent.Explain[gameagent.Ping](b), err
}

// GameAgentEdges returns the edges of a status and the players. The protocol has no limit
// for a text.
func GameAgentEdges() Edges {
	return Edges{Longest: 200, Largest: math.MaxInt32, Odd: "\"\\%s^^1☃\U0001f3ae"}
}
