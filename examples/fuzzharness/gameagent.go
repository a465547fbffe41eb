package fuzzharness

import (
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
)

// ExpectGameAgent returns how many answers a request must have, 1 or 0. Games check only
// its first byte, and only servers of the legacy form send legacy answers.
func ExpectGameAgent(request []byte) int {
	switch m, _ := gameagent.ParseToServer(request); m.(type) {
	case gameagent.StatusRequest, gameagent.PlayersRequest, gameagent.PingRequest:
		return 1
	}
	return 0
}

// JudgeGameAgent returns an error if the answers to a request are wrong. See
// [ExpectGameAgent].
func JudgeGameAgent(request []byte, answers [][]byte) error {
	want := ExpectGameAgent(request)
	if err := counted(answers, want, want); err != nil {
		return fmt.Errorf("%w\nrequest: %x", err, request)
	}
	m, _ := gameagent.ParseToServer(request) // without answers if it is invalid
	for _, b := range answers {
		if e, err := parseGameAgentAnswer(m, b); err != nil {
			return fmt.Errorf("%w\nrequest: %x", explained(err, e, b), request)
		}
	}
	return nil
}

func parseGameAgentAnswer(request gameagent.ToServer, b []byte) (e lobbywire.Explanation, err error) {
	strict := gameagent.Options{Strict: true}
	switch request.(type) {
	case gameagent.StatusRequest:
		_, err = strict.ParseStatus(b)
		return gameagent.Explain[gameagent.Status](b), err
	case gameagent.PlayersRequest:
		_, err = strict.ParsePlayers(b)
		return gameagent.Explain[gameagent.Players](b), err
	}
	_, err = gameagent.ParsePing(b)
	return gameagent.Explain[gameagent.Ping](b), err
}
