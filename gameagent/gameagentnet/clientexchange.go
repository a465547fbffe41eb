package gameagentnet

import (
	"bytes"
	"encoding"
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// errReflected is the error of a request that comes back, which has the form of an answer.
var errReflected = errors.New("gameagentnet: the request came back")

// A decodeText decodes texts that are not UTF-8; see [gameagent.Options].
type decodeText = func([]byte) string

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

func legacyRosterOf(m gamespy1.Status) roster {
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

func newStatusExchange(text decodeText) *exchange[gameagent.Status] {
	return newSingle(gameagent.StatusRequest{}, gameagent.Options{Text: text}.ParseStatus)
}

func newPingExchange(decodeText) *exchange[gameagent.Ping] {
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

func newPlayersExchange(text decodeText) *exchange[gameagent.Players] {
	a := &gameagent.Assembler{Options: gameagent.Options{Text: text}}
	return newJoined(gameagent.PlayersRequest{}, a.Add, a.Players, rosterOf)
}

// newLegacyExchange returns an exchange for the status and the players in the legacy form.
func newLegacyExchange(text decodeText) *exchange[gamespy1.Status] {
	return newSecureExchange(text, "")
}

// newSecureExchange is newLegacyExchange for a request with a challenge, or "" for none.
func newSecureExchange(text decodeText, secure string) *exchange[gamespy1.Status] {
	o := gamespy1.Options{Text: text}
	a := &gamespy1.Assembler{Options: o}
	request := gamespy1.Request{Query: gamespy1.QueryStatus, Secure: secure}
	e := newJoined(request, a.Add, a.Status, legacyRosterOf)
	receive := e.receive
	own, _ := request.AppendBinary(nil)
	e.receive = func(b []byte) (scan.Verdict, error) {
		if bytes.Equal(b, own) {
			return scan.Stray, errReflected
		}
		// Most answers are one packet, which starts with the name of the game. A damaged one may
		// have arrived before.
		m, err := o.ParseStatus(b)
		if r := legacyRosterOf(m); err == nil && m.GameName != "" && (r.listed >= r.counted || isAlone(o, b)) {
			return e.setComplete(m, r)
		}
		return receive(b)
	}
	return e
}

// isAlone reports whether an answer has no other packets than b, which ends as the last one
// does. In Descent 3 all packets end so.
func isAlone(o gamespy1.Options, b []byte) bool {
	alone, _ := (&gamespy1.Assembler{Options: o}).Add(b)
	return alone
}
