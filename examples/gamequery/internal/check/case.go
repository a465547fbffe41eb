// Package check judges game servers, masters and clients of any implementation.
//
// A case is a row of a table: an ID that never changes, a level, a sentence, its source and a
// function. The function ends as a test does: [Session.Fail], [Session.Check] and all requests of
// a [Session] do not return if the case fails. Packages servers, masters and tricks contain the
// tables; this package runs them and reports. Package fuzzharness decides which answers are right.
// CHECK.md shows how to add a case.
package check

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A Level states how serious the failure of a case is.
type Level string

// The levels.
const (
	Must   Level = "must"   // clients fail, or strangers can abuse the server
	Should Level = "should" // some clients fail
	Robust Level = "robust" // the server may fail after broken input
)

// A Row is a case for what a table checks, such as servers of one protocol.
type Row[T any] struct {
	Number   string // section and number, such as "1.4"
	Level    Level
	Sentence string
	Source   string // the document or program that requires it
	Run      func(t T)
}

// A Case is one thing that is checked.
type Case struct {
	ID       string // protocol and number, such as "sqp/1.4"
	Level    Level
	Sentence string
	Source   string
	Slow     bool // it takes minutes, and runs only if it is named

	run func()
}

// Cases returns the cases of rows for t.
func Cases[T any, R ~struct {
	Number   string
	Level    Level
	Sentence string
	Source   string
	Run      func(t T)
}](protocol string, t T, rows []R) (all []Case) {
	for _, r := range rows {
		r := Row[T](r)
		all = append(all, Case{
			ID: protocol + "/" + r.Number, Level: r.Level, Sentence: r.Sentence, Source: r.Source,
			run: func() { r.Run(t) },
		})
	}
	return all
}

// Slow returns cases that run only if they are named.
func Slow(cases []Case) []Case {
	for i := range cases {
		cases[i].Slow = true
	}
	return cases
}

// A Suite contains the cases of a protocol, for one run.
type Suite struct {
	Protocol string
	Cases    []Case
	Session  *Session

	Service traffic.Service // of the packets
	Lists   traffic.Service // service of streams, if it is another one
	Options formats.Options // for explaining packets
	Alive   func()          // a query that each server answers
	Reset   func()          // forgets addresses that are no longer used; may be nil
	Misread func() []string // what old clients misread, nil if that is unknown
	States  States          // nil if cases set the state themselves
	Sources int             // how many addresses the cases use

	Answer   Answerer // of the servers that are registered at a master
	Withdraw func()   // removes them, also after an interrupt
}

// States are the states of a game, as a server shows them.
type States interface {
	// Show returns what a query from the first address shows.
	Show() lobbywire.View

	// Holds returns how many players the server can show.
	Holds(v lobbywire.View) int
}

// A Skipped is the reason why a case was not completed.
type Skipped string

func (s Skipped) Error() string { return string(s) }

// Kinds of errors. Those of package fuzzharness and of codecs are others.
var (
	// ErrOther is the error of a case for another variant of the protocol. Reports omit it.
	ErrOther = errors.New("the server has another variant of the protocol")

	// ErrStaysOpen is the error for a connection that the server does not close.
	ErrStaysOpen = errors.New("the server does not close the connection after the client has")

	// ErrIncomplete is the error for a connection without a whole answer.
	ErrIncomplete = errors.New("no whole answer while the client keeps the connection open")

	// ErrCloses is the error for a connection that is closed before the answer.
	ErrCloses = errors.New("the server closes the connection before it has answered")

	// ErrRefused is the error for a master that does not take an ordinary game.
	ErrRefused = errors.New("the master refuses the game")

	// ErrDied is the error for a server that answers nothing after a case.
	ErrDied = errors.New("the server answers nothing after this case")

	// ErrNotListed and ErrListed are the errors for lists.
	ErrNotListed = errors.New("the server is not listed")
	ErrListed    = errors.New("the server is listed")
)

// kinds are the errors that one fault causes in several cases. Only the first of these
// cases shows its packets.
func kinds() []error {
	return []error{
		fuzzharness.ErrSilent, fuzzharness.ErrRepeated, fuzzharness.ErrToken, fuzzharness.ErrVersion,
		ErrStaysOpen, ErrIncomplete, ErrCloses, ErrRefused,
	}
}

// alike reports whether two errors describe one fault: their kinds agree, and their fields if they
// have any.
func alike(a, b error) bool {
	both := func(kinds ...error) bool {
		return slices.ContainsFunc(kinds, func(kind error) bool { return errors.Is(a, kind) && errors.Is(b, kind) })
	}
	if both(kinds()...) {
		return true
	}
	x, isX := errors.AsType[*lobbywire.Error](a)
	y, isY := errors.AsType[*lobbywire.Error](b)
	return isX && isY && x.Proto == y.Proto && field(x) == field(y) && both(lobbywire.ErrTruncated,
		lobbywire.ErrTrailing, lobbywire.ErrTooLarge, lobbywire.ErrInvalid, lobbywire.ErrUnsupported)
}

// field returns the field of an error without indices.
func field(e *lobbywire.Error) string {
	return strings.Map(func(c rune) rune {
		if c >= '0' && c <= '9' {
			return -1
		}
		return c
	}, e.Field)
}

// reason returns the text of an error.
func reason(err error) string {
	e, ok := errors.AsType[*lobbywire.Error](err)
	if ok && errors.Is(e, lobbywire.ErrTrailing) {
		return fmt.Sprintf("%s: bytes follow at byte %d, where it should end", e.Proto, e.Offset)
	}
	return err.Error()
}
