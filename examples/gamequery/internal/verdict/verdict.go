// Package verdict judges the health of game servers from queries, so that a program can
// decide whether to restart one.
//
// Each query repeats lost datagrams. A server is down only after several queries in a row
// failed in a way that a restart may help against; see [Verdict.IsFailure], [Row] and
// [Confirm].
package verdict

import (
	"errors"
	"syscall"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
)

// A Verdict is the result of a query about the health of a server. The zero value means
// that nothing is known.
type Verdict string

// The verdicts.
const (
	Up         Verdict = "up"         // a whole answer
	Slow       Verdict = "slow"       // a whole answer, late
	Silent     Verdict = "silent"     // nothing came
	Refused    Verdict = "refused"    // its machine reports by ICMP that nothing listens there
	Other      Verdict = "other"      // another protocol answers there
	Sick       Verdict = "sick"       // parts of answers are missing
	Unreadable Verdict = "unreadable" // it answers, but the answer cannot be read
	Unknown    Verdict = "unknown"    // the query says nothing: no such name, no route, or lost on this machine
)

// All returns the verdicts in the order of their documentation.
func All() []Verdict { return []Verdict{Up, Slow, Silent, Refused, Sick, Other, Unreadable, Unknown} }

// Answers reports whether the server gave a whole answer.
func (v Verdict) Answers() bool { return v == Up || v == Slow }

// IsFailure reports whether the server failed in a way that a restart may help against.
// It does not help if the port belongs to another program, if the answers of the game
// cannot be read, or if the query itself failed.
func (v Verdict) IsFailure() bool { return v == Silent || v == Refused || v == Sick }

// Of judges an answer, whose Err may be set. heard are the first datagrams that arrived.
// Round trips above slow are slow.
func Of(got output.Answer, heard [][]byte, slow time.Duration) Verdict {
	switch {
	case got.Err == nil && got.Lacks == output.LacksPackets:
		return Sick
	case got.Err == nil && got.RTT > slow:
		return Slow
	case got.Err == nil:
		return Up
	case errors.Is(got.Err, syscall.ECONNREFUSED):
		return Refused
	case errors.Is(got.Err, lobbywire.ErrChallengeOnly):
		return Sick
	case len(heard) > 0:
		return ofStrays(got.Protocol, heard, errors.Is(got.Err, lobbywire.ErrUnreadable))
	case errors.Is(got.Err, lobbywire.ErrTimeout):
		return Silent
	}
	return Unknown
}

// ofStrays judges a server that sent datagrams, but no readable answer. Datagrams of its
// protocol count, or else the first one.
func ofStrays(protocol string, heard [][]byte, isUnreadable bool) Verdict {
	for _, b := range heard {
		own, _ := traffic.Fits(protocol, b)
		switch {
		case own && isUnreadable:
			return Unreadable
		case own:
			return Sick // a part of the answer
		}
	}
	for _, other := range traffic.Protocols() {
		if is, _ := traffic.Fits(other, heard[0]); is && other != protocol {
			return Other
		}
	}
	if _, begins := traffic.Fits(protocol, heard[0]); begins {
		return Unreadable
	}
	return Other
}
