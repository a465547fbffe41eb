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

// An exchange is one attempt at a request for a message. The protocol has no request
// ids, so an answer is recognized by its source address, its form, and the port that
// it arrives at. Each attempt uses another port.
type exchange[M any] interface {
	scan.Exchange

	// result returns what has arrived, whether anything has, and whether the
	// answer is incomplete.
	result() (m M, some, partial bool)

	// wrong returns what is wrong with the last datagram that is not an answer.
	wrong() error

	// follow takes over the results of the last attempt, in case this one has
	// none.
	follow(last exchange[M])
}

// An attempt is the part that all exchanges have in common.
type attempt[M any] struct {
	request       encoding.BinaryAppender
	message       M
	some, partial bool // of message
	bad           error
}

func (a *attempt[M]) Request(dst []byte) []byte {
	dst, _ = a.request.AppendBinary(dst)
	return dst
}

func (a *attempt[M]) result() (m M, some, partial bool) { return a.message, a.some, a.partial }

func (a *attempt[M]) wrong() error { return a.bad }

func (a *attempt[M]) follow(last exchange[M]) {
	a.bad = last.wrong()
	a.message, a.some, a.partial = last.result()
}

// set sets the complete message.
func (a *attempt[M]) set(m M) { a.message, a.some, a.partial = m, true, false }

func (a *attempt[M]) isComplete() bool { return a.some && !a.partial }

// stray records why a datagram is not an answer.
func (a *attempt[M]) stray(err error) scan.Verdict {
	if err != nil {
		a.bad = err
	}
	return scan.Stray
}

// A single is an exchange whose answer is one datagram.
type single[M any] struct {
	attempt[M]
	parse func(b []byte) (M, error)
}

func newSingle[M any](request encoding.BinaryAppender, parse func(b []byte) (M, error)) exchange[M] {
	return &single[M]{attempt[M]{request: request}, parse}
}

func newStatusExchange() exchange[gameagent.Status] {
	return newSingle(gameagent.StatusRequest{}, gameagent.ParseStatus)
}

func newPingExchange() exchange[gameagent.Ping] {
	return newSingle(gameagent.PingRequest{}, gameagent.ParsePing)
}

func (e *single[M]) Receive(b []byte) scan.Verdict {
	m, err := e.parse(b)
	if err != nil {
		return e.stray(err)
	}
	e.set(m)
	return scan.Done
}

// parts are the different datagrams of an answer that an assembler has accepted.
type parts [][]byte

// add adds b and reports whether it is new.
func (p *parts) add(b []byte) bool {
	if slices.ContainsFunc(*p, func(q []byte) bool { return bytes.Equal(q, b) }) {
		return false
	}
	*p = append(*p, slices.Clone(b))
	return true
}

type playersExchange struct {
	attempt[gameagent.Players]
	packets gameagent.Assembler
	parts   parts
}

func newPlayersExchange() exchange[gameagent.Players] {
	return &playersExchange{attempt: attempt[gameagent.Players]{request: gameagent.PlayersRequest{}}}
}

func (e *playersExchange) Receive(b []byte) scan.Verdict {
	done, err := e.packets.Add(b)
	if err != nil || !e.parts.add(b) {
		return e.stray(err)
	}
	m, err := e.packets.Players()
	if err == nil {
		e.set(m)
	}
	switch {
	case !done:
		return scan.More
	case len(m.Players) < m.Count && len(e.parts) > 1:
		return scan.Maybe // a datagram from the middle may be late
	}
	return scan.Done
}

func (e *playersExchange) result() (m gameagent.Players, some, partial bool) {
	if e.isComplete() || len(e.parts) == 0 {
		return e.attempt.result()
	}
	return e.parts.players(), true, true
}

// players returns the players of an incomplete answer, sorted by index.
func (p parts) players() (m gameagent.Players) {
	for _, b := range p {
		q, _ := gameagent.Options{Part: true}.ParsePlayers(b) // cannot fail: the assembler has parsed it
		m.Count = max(m.Count, q.Count)
		m.Players = append(m.Players, q.Players...)
		m.Extra = append(m.Extra, q.Extra...)
	}
	slices.SortStableFunc(m.Players, func(p, q gameagent.Player) int { return p.Index - q.Index })
	m.Players = slices.CompactFunc(m.Players, func(p, q gameagent.Player) bool { return p.Index == q.Index })
	return m
}

type legacyExchange struct {
	attempt[gameagent.LegacyStatus]
	packets gameagent.LegacyAssembler
	parts   parts
}

func newLegacyExchange() exchange[gameagent.LegacyStatus] {
	e := new(legacyExchange)
	e.request = gameagent.LegacyRequest{Query: gameagent.LegacyQueryStatus}
	return e
}

func (e *legacyExchange) Receive(b []byte) scan.Verdict {
	if len(e.parts) == 0 {
		// Most answers are one packet, which starts with the name of the game.
		if m, err := gameagent.ParseLegacyStatus(b); err == nil && m.GameName != "" {
			e.set(m)
			return scan.Done
		}
	}
	done, err := e.packets.Add(b)
	if err != nil || !e.parts.add(b) {
		return e.stray(err)
	}
	if !done {
		return scan.More
	}
	m, err := e.packets.LegacyStatus()
	if err != nil {
		return e.stray(err)
	}
	e.set(m)
	if len(m.Players) < m.NumPlayers && len(e.parts) > 1 {
		return scan.Maybe
	}
	return scan.Done
}

func (e *legacyExchange) result() (m gameagent.LegacyStatus, some, partial bool) {
	if !e.isComplete() && len(e.parts) > 0 {
		if m, err := e.packets.LegacyStatus(); errors.Is(err, lobbywire.ErrTruncated) {
			return m, true, true
		}
	}
	return e.attempt.result()
}
