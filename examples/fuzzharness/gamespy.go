package fuzzharness

import (
	"bytes"
	"fmt"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// ExpectGameSpy returns the minimum and maximum number of answers to a request from an
// address whose challenge has this number, as [ExpectSQP] does.
func ExpectGameSpy(request []byte, number int32) (least, most int) {
	m, err := gamespy2.Options{Challenge: true}.ParseRequest(request)
	switch {
	case err != nil:
		return 0, 0
	case m.Type == gamespy2.TypeChallenge:
		return 1, 1
	case m.Type != gamespy2.TypeQuery:
		return 0, 1 // a server need not answer an echo request
	case m.Challenge != number, m.Sections() == 0:
		return 0, 0
	case m.Info == gamespy2.All() && m.Flags == 0 && wholeOrNone(m.Players) && wholeOrNone(m.Teams):
		return 1, 1
	case m.Split():
		return 0, gamespy2.MaxPackets // nor queries of version 3
	}
	return 0, 1 // nor those for single keys
}

// wholeOrNone reports whether a query selects all keys of a section, or none.
func wholeOrNone(s gamespy2.Selector) bool {
	return s == gamespy2.All() || s == gamespy2.Selector{}
}

// JudgeGameSpy returns an error if the answers to a request are wrong. See
// [ExpectGameSpy].
func JudgeGameSpy(request []byte, answers [][]byte, number int32) error {
	least, most := ExpectGameSpy(request, number)
	if err := counted(answers, least, most); err != nil {
		return err
	}
	m, _ := gamespy2.Options{Challenge: true}.ParseRequest(request) // without answers if it is invalid
	for _, b := range answers {
		if err := judgeGameSpyAnswer(m, request, b); err != nil {
			return err
		}
	}
	return nil
}

// judgeGameSpyAnswer returns an error if an answer is wrong.
func judgeGameSpyAnswer(m gamespy2.Request, request, b []byte) error {
	if len(b) < 5 || !bytes.Equal(b[1:5], request[3:7]) {
		return fmt.Errorf("the answer %x does not have the id of the request", b)
	}
	if m.Type == gamespy2.TypeChallenge {
		_, err := gamespy2.ParseChallengeResponse(b)
		if err != nil {
			return explained(err, gamespy2.Explain[gamespy2.ChallengeResponse](b), b)
		}
		return nil
	}
	answer, err := gamespy2.Options{Strict: true, Sections: m.Sections(), Part: m.Split()}.ParseResponse(b)
	if err != nil {
		return explained(err, gamespy2.Explain[gamespy2.Response](b), b)
	}
	if _, ok := answer.Lookup("hostname"); !ok && m.Info == gamespy2.All() {
		return fmt.Errorf("no hostname in %x", b)
	}
	return nil
}
