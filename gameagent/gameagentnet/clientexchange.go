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

// A joined is an exchange whose answer may be several datagrams.
type joined[M any] struct {
	attempt[M]
	add     func(b []byte) (done bool, err error) // of an assembler
	join    func() (M, error)                     // of the assembler
	isShort func(m M) bool                        // reports whether m counts more players than it has
	parts   [][]byte                              // the different datagrams that the assembler has accepted
}

func (e *joined[M]) Receive(b []byte) scan.Verdict {
	done, err := e.add(b)
	if err != nil || slices.ContainsFunc(e.parts, func(p []byte) bool { return bytes.Equal(p, b) }) {
		return e.stray(err)
	}
	e.parts = append(e.parts, slices.Clone(b))
	if !done {
		return scan.More
	}
	m, err := e.join()
	if err != nil {
		return e.stray(err)
	}
	e.set(m)
	if e.isShort(m) && len(e.parts) > 1 {
		return scan.Maybe // a datagram from the middle may be late
	}
	return scan.Done
}

func (e *joined[M]) result() (m M, some, partial bool) {
	if !e.isComplete() && len(e.parts) > 0 {
		if m, err := e.join(); errors.Is(err, lobbywire.ErrTruncated) {
			return m, true, true
		}
	}
	return e.attempt.result()
}

func newPlayersExchange() exchange[gameagent.Players] {
	a := new(gameagent.Assembler)
	return &joined[gameagent.Players]{
		attempt: attempt[gameagent.Players]{request: gameagent.PlayersRequest{}},
		add:     a.Add,
		join:    a.Players,
		isShort: func(m gameagent.Players) bool { return len(m.Players) < m.Count },
	}
}

// A legacyExchange is an exchange for the status and the players in the legacy form.
type legacyExchange struct{ joined[gameagent.LegacyStatus] }

func newLegacyExchange() exchange[gameagent.LegacyStatus] {
	return &legacyExchange{joinedLegacy("")}
}

// joinedLegacy returns an exchange whose request has a challenge, or "" for none.
func joinedLegacy(secure string) joined[gameagent.LegacyStatus] {
	a := new(gameagent.LegacyAssembler)
	request := gameagent.LegacyRequest{Query: gameagent.LegacyQueryStatus, Secure: secure}
	return joined[gameagent.LegacyStatus]{
		attempt: attempt[gameagent.LegacyStatus]{request: request},
		add:     a.Add,
		join:    a.LegacyStatus,
		isShort: func(m gameagent.LegacyStatus) bool { return len(m.Players) < m.NumPlayers },
	}
}

func (e *legacyExchange) Receive(b []byte) scan.Verdict {
	if len(e.parts) == 0 {
		// Most answers are one packet, which starts with the name of the game.
		if m, err := gameagent.ParseLegacyStatus(b); err == nil && m.GameName != "" {
			e.set(m)
			return scan.Done
		}
	}
	return e.joined.Receive(b)
}
