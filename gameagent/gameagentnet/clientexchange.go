package gameagentnet

import (
	"bytes"
	"encoding"
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// errReflected is the error of a request that comes back, which has the form of an answer.
var errReflected = errors.New("gameagentnet: the request came back")

// An exchange is one attempt at a request for a message. The protocol has no request
// ids, so an answer is recognized by its source address, its form, and the port that
// it arrives at. Each attempt uses another port.
type exchange[M any] struct {
	request encoding.BinaryAppender
	receive func(b []byte) (scan.Verdict, error) // handles a datagram

	message       M // of this attempt or, if it has none, of the last one that has
	some, partial bool
	short         bool     // message is complete, but not whole: see roster
	alive         bool     // the server has answered the first of two requests
	parts         [][]byte // the different datagrams of an answer that may have several
}

// Request appends the request.
func (e *exchange[M]) Request(dst []byte) []byte {
	dst, _ = e.request.AppendBinary(dst)
	return dst
}

// Repeats reports whether the second of two requests is to be sent again.
func (e *exchange[M]) Repeats() bool { return e.alive && len(e.parts) == 0 }

// Receive handles a datagram.
func (e *exchange[M]) Receive(b []byte) (scan.Verdict, error) { return e.receive(b) }

// set sets the message.
func (e *exchange[M]) set(m M, partial bool) {
	e.message, e.some, e.partial, e.short = m, true, partial, false
}

// setComplete sets a message that lacks no datagram, as far as is known. A server that
// lists no players in its only datagram does not list them on purpose.
func (e *exchange[M]) setComplete(m M, r roster) (scan.Verdict, error) {
	e.set(m, false)
	e.short = r.partial || r.listed < r.counted && (r.listed > 0 || len(e.parts) > 1)
	if r.listed < r.counted && len(e.parts) > 1 {
		return scan.Maybe, nil // a datagram from the middle may be late
	}
	return scan.Done, nil
}

// A roster says how many players a message lists and counts, and whether the message says
// that it is partial.
type roster struct {
	listed, counted int
	partial         bool
}

func rosterOf(m gameagent.Players) roster { return roster{listed: len(m.Players), counted: m.Count} }

func legacyRosterOf(m gameagent.LegacyStatus) roster {
	r := roster{listed: len(m.Players), partial: m.Partial}
	if m.NumPlayers != nil {
		r.counted = *m.NumPlayers
	}
	return r
}

func (e *exchange[M]) isComplete() bool { return e.some && !e.partial }

// newSingle returns an exchange whose answer is one datagram.
func newSingle[M any](request encoding.BinaryAppender, parse func(b []byte) (M, error)) *exchange[M] {
	e := &exchange[M]{request: request}
	e.receive = func(b []byte) (scan.Verdict, error) {
		m, err := parse(b)
		if err != nil {
			return scan.Stray, err
		}
		e.set(m, false)
		return scan.Done, nil
	}
	return e
}

func newStatusExchange(o gameagent.Options) *exchange[gameagent.Status] {
	return newSingle(gameagent.StatusRequest{}, o.ParseStatus)
}

func newPingExchange(gameagent.Options) *exchange[gameagent.Ping] {
	return newSingle(gameagent.PingRequest{}, gameagent.ParsePing)
}

// newJoined returns an exchange whose answer may be several datagrams: add and join are
// methods of an assembler.
func newJoined[M any](
	request encoding.BinaryAppender,
	add func(b []byte) (done bool, err error),
	join func() (M, error),
	rosterOf func(m M) roster,
) *exchange[M] {
	e := &exchange[M]{request: request}
	e.receive = func(b []byte) (scan.Verdict, error) {
		done, err := add(b)
		switch {
		case err != nil:
			return scan.Stray, err
		case slices.ContainsFunc(e.parts, func(p []byte) bool { return bytes.Equal(p, b) }):
			return scan.Stray, nil // a copy
		}
		e.parts = append(e.parts, slices.Clone(b))
		m, err := join()
		switch {
		case !done && !e.isComplete() && errors.Is(err, lobbywire.ErrTruncated):
			e.set(m, true)
			return scan.More, nil
		case !done:
			return scan.More, nil
		case err != nil:
			return scan.Stray, err
		}
		return e.setComplete(m, rosterOf(m))
	}
	return e
}

func newPlayersExchange(o gameagent.Options) *exchange[gameagent.Players] {
	a := &gameagent.Assembler{Options: o}
	return newJoined(gameagent.PlayersRequest{}, a.Add, a.Players, rosterOf)
}

// newLegacyExchange returns an exchange for the status and the players in the legacy form.
func newLegacyExchange(o gameagent.Options) *exchange[gameagent.LegacyStatus] {
	return newSecureExchange(o, "")
}

// newSecureExchange is newLegacyExchange for a request with a challenge, or "" for none.
func newSecureExchange(o gameagent.Options, secure string) *exchange[gameagent.LegacyStatus] {
	a := &gameagent.LegacyAssembler{Options: o}
	request := gameagent.LegacyRequest{Query: gameagent.LegacyQueryStatus, Secure: secure}
	e := newJoined(request, a.Add, a.LegacyStatus, legacyRosterOf)
	receive := e.receive
	own, _ := request.AppendBinary(nil)
	e.receive = func(b []byte) (scan.Verdict, error) {
		if bytes.Equal(b, own) {
			return scan.Stray, errReflected
		}
		// Most answers are one packet, which starts with the name of the game. A damaged one may
		// have arrived before.
		m, err := o.ParseLegacyStatus(b)
		if r := legacyRosterOf(m); err == nil && m.GameName != "" && (r.listed >= r.counted || isAlone(o, b)) {
			return e.setComplete(m, r)
		}
		return receive(b)
	}
	return e
}

// isAlone reports whether an answer has no other packets than b, which ends as the last one
// does. In Descent 3 all packets end so.
func isAlone(o gameagent.Options, b []byte) bool {
	alone, _ := (&gameagent.LegacyAssembler{Options: o}).Add(b)
	return alone
}
