// Package check judges game servers and masters of any implementation by numbered cases.
//
// Each protocol has a table of cases. Their numbers follow the sections of the
// documentation of its codec. Package fuzzharness says which answers are right.
package check

import (
	"errors"
	"fmt"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/fuzzharness"
)

// A Level says what it means if a case fails.
type Level string

// The levels.
const (
	Must   Level = "must"   // clients fail, or strangers can abuse the server
	Should Level = "should" // some clients fail
	Robust Level = "robust" // the server may fail after broken input
)

// A Case is one thing that is checked.
type Case struct {
	ID       string // protocol, section and number, such as "sqp/1.4"
	Level    Level
	Sentence string

	run  func(s *Session) error
	slow bool // it takes minutes, and runs only if it is named
}

// A Suite has the cases of a protocol. It is for one run.
type Suite struct {
	Protocol string
	Sections []string // headings of the codec's documentation; a case's ID has their number, from 1
	Cases    []Case

	explain func(p Packet) lobbywire.Explanation
	misread func(s *Session) []string // what old clients misread
	sources int                       // how many addresses the cases use

	edges    fuzzharness.Edges
	show     func(s *Session, source int) (lobbywire.View, error) // what a query shows
	helper   func(v lobbywire.View) Peer                          // our server with this state
	again    func() *Suite                                        // another one, for the helper
	optional []string                                             // members that an answer may lack
	counts   bool                                                 // servers count the players that they list

	answer   answerer         // of the servers that are registered at a master
	withdraw func(s *Session) // removes them, also after an interrupt
}

// add adds a case to a section.
func (s *Suite) add(section string, level Level, sentence string, run func(s *Session) error) {
	number := 0
	for i, name := range s.Sections {
		if name == section {
			number = i + 1
		}
	}
	count := 1
	prefix := fmt.Sprintf("%s/%d.", s.Protocol, number)
	for _, c := range s.Cases {
		if strings.HasPrefix(c.ID, prefix) {
			count++
		}
	}
	s.Cases = append(s.Cases, Case{ID: fmt.Sprint(prefix, count), Level: level, Sentence: sentence, run: run})
}

// A skipped is the reason why a case was not completed.
type skipped string

func (s skipped) Error() string { return string(s) }

// errSilent is the error for a server that does not answer.
var errSilent = errors.New("no answer")
