// Package fuzzharness shows how to fuzz your own server with the codecs of lobbywire. The
// servers here are placeholders for yours: they are written by hand and do not use
// lobbywire. The functions named Judge check the answers to a request. The tests are the
// harness.
package fuzzharness

import (
	"errors"
	"fmt"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// Kinds of errors of the functions named Judge. Errors for answers that cannot be read
// have the kinds of the codecs.
var (
	ErrSilent   = errors.New("no answer")
	ErrAnswered = errors.New("answered, and must not be")
	ErrRepeated = errors.New("more answers than one")
	ErrToken    = errors.New("another token or id than the request")
	ErrVersion  = errors.New("another version than the request")
	ErrNoEnd    = errors.New("the last section has no end; qstat and gamedig do not need one")
)

// An Explained is an error with the bytes that it is about, field by field.
type Explained struct {
	Err         error
	Explanation lobbywire.Explanation
	Bytes       []byte
}

func (e *Explained) Error() string {
	return fmt.Sprintf("%v\n%s:\n%s", e.Err, e.Explanation.Message, e.Explanation.Annotate(e.Bytes))
}

// Unwrap returns Err.
func (e *Explained) Unwrap() error { return e.Err }

// Expect returns the minimum and maximum number of answers to the bytes that a client sends,
// encoded by package sqp, gamespy2, gameagent or bomberman: a server must answer if least is 1 or
// more, may answer if it is 0, and must not answer if most is 0, too. A token or challenge counts
// as right; [ExpectSQP] and [ExpectGameSpy] check it. ok is false for other packages.
func Expect(pkg string, request []byte) (least, most int, ok bool) {
	switch pkg {
	case "sqp":
		m, _ := sqp.ParseRequest(request) // without answers if it is invalid
		least, most = ExpectSQP(request, m.Query.Token)
	case "gamespy2":
		m, _ := gamespy2.Options{Challenge: true}.ParseRequest(request)
		least, most = ExpectGameSpy(request, m.Challenge)
	case "gameagent":
		least = ExpectGameAgent(request)
		most = least * gameagent.MaxPlayers // of which a packet has at least one
	case "bomberman":
		least, most, _ = ExpectBomberman(request)
	default:
		return 0, 0, false
	}
	return least, most, true
}

// counted returns an error if there are fewer answers than least or more than most.
func counted(answers [][]byte, least, most int) error {
	n := len(answers)
	switch {
	case n < least:
		return ErrSilent
	case n > most && most == 0:
		return ErrAnswered
	case n > most:
		return fmt.Errorf("%d answers: %w", n, ErrRepeated)
	}
	return nil
}

// explained adds an explanation to err.
func explained(err error, e lobbywire.Explanation, b []byte) error { return &Explained{err, e, b} }
