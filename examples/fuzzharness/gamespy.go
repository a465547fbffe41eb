package fuzzharness

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/lobbywire/lobbywire"
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
	return 0, 1 // nor queries for single keys
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
	return JudgeGameSpyAnswers(m, answers)
}

// JudgeGameSpyAnswers returns an error if answers to a request are wrong. There may be
// none: servers differ in whether they need a challenge, and in the queries that they
// know. If all is right except that the end of the split form is missing, it is ErrNoEnd.
func JudgeGameSpyAnswers(m gamespy2.Request, answers [][]byte) error {
	if isMinecraft(answers) && bytes.Equal(answers[0][1:5], m.ID[:]) {
		return nil // it does not read selectors and flags
	}
	err := judgeGameSpyAnswers(m, answers)
	last := lastOf(answers)
	if err == nil || !m.Split() || len(answers) == 0 || !bytes.HasSuffix(answers[last], []byte{0}) {
		return err
	}
	const most = 2 // zero bytes at the end of a section and its last column
	ended := slices.Clone(answers)
	for range most {
		ended[last] = append(slices.Clip(ended[last]), 0)
		if judgeGameSpyAnswers(m, ended) == nil {
			return ErrNoEnd
		}
	}
	return err
}

// lastOf returns the index of the packet with the highest number.
func lastOf(answers [][]byte) (last int) {
	const numberAt, isLast = 14, 0x80 // of a split packet
	for i, b := range answers {
		if len(b) > numberAt && b[numberAt]&isLast != 0 {
			last = i
		}
	}
	return last
}

func judgeGameSpyAnswers(m gamespy2.Request, answers [][]byte) error {
	if !m.Split() && len(answers) > 1 {
		return fmt.Errorf("%d answers: %w", len(answers), ErrRepeated)
	}
	joined := gamespy2.Assembler{Options: gamespy2.Options{Strict: true}}
	done := len(answers) == 0 || !m.Split()
	for _, b := range answers {
		err := judgeGameSpyAnswer(m, b)
		if err == nil && m.Split() {
			done, err = joined.Add(b)
		}
		if err != nil {
			return err
		}
	}
	if missing := joined.Missing(); !done && slices.Equal(missing, []int{len(answers)}) {
		return fmt.Errorf("no packet has the mark of the last one: %w", lobbywire.ErrTruncated)
	} else if !done {
		return fmt.Errorf("the packets %v of the answer are missing: %w", missing, lobbywire.ErrTruncated)
	}
	if !m.Split() || len(answers) == 0 {
		return nil
	}
	whole, err := joined.Response()
	if err == nil && whole.Partial {
		err = errors.New("the answer contradicts itself")
	}
	if _, ok := whole.Lookup("hostname"); err == nil && !ok {
		err = errors.New("no hostname in any packet")
	}
	return err
}

// isMinecraft reports whether answers are a full stat of Minecraft: one packet, without
// teams.
func isMinecraft(answers [][]byte) bool {
	if len(answers) != 1 {
		return false
	}
	m, err := gamespy2.ParseResponse(answers[0])
	id, _ := m.Lookup("game_id")
	return err == nil && !m.Partial && id == "MINECRAFT"
}

// judgeGameSpyAnswer returns an error if an answer is wrong.
func judgeGameSpyAnswer(m gamespy2.Request, b []byte) error {
	if len(b) < 5 || !bytes.Equal(b[1:5], m.ID[:]) {
		return explained(ErrToken, gamespy2.Explain[gamespy2.Response](b), b)
	}
	if m.Type == gamespy2.TypeChallenge {
		_, err := gamespy2.ParseChallengeResponse(b)
		if text := bytes.TrimRight(b[5:], "\x00"); err == nil && len(bytes.Trim(text, "-0123456789")) > 0 {
			err = fmt.Errorf("the challenge is not a number in digits: %w", lobbywire.ErrInvalid)
		}
		if err != nil {
			return explained(err, gamespy2.Explain[gamespy2.ChallengeResponse](b), b)
		}
		return nil
	}
	answer, err := gamespy2.Options{Strict: true, Sections: m.Sections(), Part: m.Split()}.ParseResponse(b)
	if err == nil && answer.Split && !m.Split() {
		err = errors.New("the answer is split, and the query does not allow it")
	}
	if _, ok := answer.Lookup("hostname"); err == nil && !ok && m.Info == gamespy2.All() && !m.Split() {
		err = errors.New("no hostname")
	}
	if err != nil {
		return explained(err, gamespy2.Explain[gamespy2.Response](b), b)
	}
	return nil
}

// GameSpyEdges returns the edges of answers. Answers of version 2 are one datagram,
// without a limit for a text.
func GameSpyEdges() Edges {
	return Edges{Longest: 200, Largest: math.MaxInt32, Odd: "\t\"\\%s\x01;^1\r\n☃\U0001f3ae"}
}
