package gameagentnet

import (
	"bytes"
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// An exchange is one attempt at one request. The protocol has no request ids, so
// an answer is recognized by its source address, its form, and the port that it
// arrives at. Each attempt uses another port.
type exchange interface {
	scan.Exchange

	// wrong returns what is wrong with the last datagram that is not an answer.
	wrong() error

	// follow takes over the results of the last attempt, in case this one has
	// none.
	follow(last exchange)
}

// A refusal has the error of the last datagram that is not an answer.
type refusal struct{ bad error }

func (r *refusal) wrong() error { return r.bad }

func (r *refusal) follow(last exchange) { r.bad = last.wrong() }

// stray records why a datagram is not an answer.
func (r *refusal) stray(err error) scan.Verdict {
	if err != nil {
		r.bad = err
	}
	return scan.Stray
}

type statusExchange struct {
	refusal
	status gameagent.Status
	done   bool
}

func newStatusExchange() exchange { return new(statusExchange) }

// result returns the status and whether it has arrived. It is never partial.
func (e *statusExchange) result() (m gameagent.Status, some, partial bool) {
	return e.status, e.done, false
}

func (e *statusExchange) Request(dst []byte) []byte {
	dst, _ = gameagent.StatusRequest{}.AppendBinary(dst)
	return dst
}

func (e *statusExchange) Receive(b []byte) scan.Verdict {
	m, err := gameagent.ParseStatus(b)
	if err != nil {
		return e.stray(err)
	}
	e.status, e.done = m, true
	return scan.Done
}

type pingExchange struct {
	refusal
	ping gameagent.Ping
	done bool
}

// result returns the ping and whether it has arrived. It is never partial.
func (e *pingExchange) result() (m gameagent.Ping, some, partial bool) {
	return e.ping, e.done, false
}

func (e *pingExchange) Request(dst []byte) []byte {
	dst, _ = gameagent.PingRequest{}.AppendBinary(dst)
	return dst
}

func (e *pingExchange) Receive(b []byte) scan.Verdict {
	m, err := gameagent.ParsePing(b)
	if err != nil {
		return e.stray(err)
	}
	e.ping, e.done = m, true
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
	refusal
	before  *playersExchange // an earlier attempt that has received a part
	packets gameagent.Assembler
	parts   parts
	done    bool
}

func (e *playersExchange) follow(last exchange) {
	e.refusal.follow(last)
	if e.before, _ = last.(*playersExchange); e.before != nil && len(e.before.parts) == 0 {
		e.before = e.before.before
	}
}

func (e *playersExchange) Request(dst []byte) []byte {
	dst, _ = gameagent.PlayersRequest{}.AppendBinary(dst)
	return dst
}

func (e *playersExchange) Receive(b []byte) scan.Verdict {
	done, err := e.packets.Add(b)
	if err != nil || !e.parts.add(b) {
		return e.stray(err)
	}
	e.done = done
	if !done {
		return scan.More
	}
	if m, _, _ := e.players(); len(m.Players) < m.Count && len(e.parts) > 1 {
		return scan.Maybe // a datagram from the middle may be late
	}
	return scan.Done
}

// players returns the players received, whether there are any, and whether the
// first or the last packet is missing.
func (e *playersExchange) players() (m gameagent.Players, some, partial bool) {
	if e.done {
		if m, err := e.packets.Players(); err == nil {
			return m, true, false
		}
	}
	if len(e.parts) == 0 && e.before != nil {
		return e.before.players()
	}
	for _, b := range e.parts {
		p, _ := gameagent.Options{Part: true}.ParsePlayers(b) // cannot fail: the assembler has parsed it
		m.Count = max(m.Count, p.Count)
		m.Extra = append(m.Extra, p.Extra...)
		for _, player := range p.Players {
			if !slices.ContainsFunc(m.Players, func(q gameagent.Player) bool { return q.Index == player.Index }) {
				m.Players = append(m.Players, player)
			}
		}
	}
	slices.SortFunc(m.Players, func(p, q gameagent.Player) int { return p.Index - q.Index })
	return m, len(e.parts) > 0, true
}

type legacyExchange struct {
	refusal
	before  *legacyExchange // an earlier attempt that has received a part
	packets gameagent.LegacyAssembler
	parts   parts
	whole   *gameagent.LegacyStatus
}

func (e *legacyExchange) follow(last exchange) {
	e.refusal.follow(last)
	if e.before, _ = last.(*legacyExchange); e.before != nil && len(e.before.parts) == 0 {
		e.before = e.before.before
	}
}

func newLegacyExchange() exchange { return new(legacyExchange) }

func (e *legacyExchange) Request(dst []byte) []byte {
	dst, _ = gameagent.LegacyRequest{Query: gameagent.LegacyQueryStatus}.AppendBinary(dst)
	return dst
}

func (e *legacyExchange) Receive(b []byte) scan.Verdict {
	if len(e.parts) == 0 {
		// Most answers are one packet, which starts with the name of the game.
		if m, err := gameagent.ParseLegacyStatus(b); err == nil && m.GameName != "" {
			e.whole = &m
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
	e.whole = &m
	if len(m.Players) < m.NumPlayers && len(e.parts) > 1 {
		return scan.Maybe
	}
	return scan.Done
}

// status returns the status received, whether there is any, and whether the first
// or the last packet is missing.
func (e *legacyExchange) status() (m gameagent.LegacyStatus, some, partial bool) {
	if e.whole != nil {
		return *e.whole, true, false
	}
	if len(e.parts) == 0 && e.before != nil {
		return e.before.status()
	}
	m, err := e.packets.LegacyStatus()
	return m, len(e.parts) > 0 && errors.Is(err, lobbywire.ErrTruncated), true
}
