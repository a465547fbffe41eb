package gamespy2net

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/scan"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Protocol is one of the forms of query that servers answer.
type Protocol int

// The protocols.
const (
	// ProtocolAuto tries the next three in order, one with each attempt, until the server
	// answers. If an answer in one packet lists fewer players than it counts, it also
	// queries for a split answer until the attempts end, so a server without that form
	// takes as long as a silent one.
	ProtocolAuto Protocol = iota

	ProtocolChallenge // a challenge request, then a query for a split answer with the challenge, if there is one
	ProtocolSplit     // a query for a split answer without a challenge, as of Battlefield 2: "v3"
	ProtocolPlain     // a query for an answer in one packet: "v2"

	// ProtocolJustCause2 is a challenge request, then a query in the form of Just Cause 2
	// Multiplayer. ProtocolAuto does not try it.
	ProtocolJustCause2

	// ProtocolMinecraft is ProtocolChallenge for Minecraft. If the full stat has not
	// arrived after half of the timeout of the last attempt, the other half is for the
	// basic stat, which is short. ProtocolAuto does not try it.
	ProtocolMinecraft
)

// String returns "auto", "challenge", "split", "plain", "justCause2", "minecraft" or a form such as
// "protocol(7)".
func (p Protocol) String() string {
	return wire.EnumName(p, "protocol", "auto", "challenge", "split", "plain", "justCause2", "minecraft")
}

// challenges reports whether a challenge request comes first.
func (p Protocol) challenges() bool {
	return p == ProtocolChallenge || p == ProtocolJustCause2 || p == ProtocolMinecraft
}

// An exchange is one attempt.
type exchange struct {
	protocol  Protocol // of the next request
	auto      bool     // protocol may change
	proven    bool     // the server has answered in protocol, perhaps in an earlier attempt
	alive     bool     // the server has answered the first of two requests
	challenge int32    // its answer; 0 if none is needed
	id        [4]byte
	options   gamespy2.Options // of packets
	started   bool             // parts are of this attempt
	parts     *gamespy2.Assembler
	answer    gamespy2.Response

	isLast    bool // no other attempt follows, unless by default
	queried   bool // a query was sent in this attempt
	basicSent bool // in this attempt
	basic     *gamespy2.BasicStat
}

// newExchange returns an attempt. last is the previous attempt, or nil.
func newExchange(p Protocol, o gamespy2.Options, attempt int, last *exchange) *exchange {
	e := &exchange{protocol: p, auto: p == ProtocolAuto, options: o}
	e.options.Part, e.options.Sections = false, 0
	if e.auto {
		e.protocol = ProtocolChallenge + Protocol(attempt)%ProtocolPlain
	}
	if last != nil {
		e.answer = last.answer
		e.parts = last.parts // until this attempt receives a packet
		if last.proven {
			e.protocol, e.proven = last.protocol, true
		}
	}
	e.id = newID(e.protocol)
	return e
}

// newID returns a random id. Minecraft keeps only the low half of each byte, so ids of
// queries with a challenge, which Minecraft requires, have 16 random bits. Other ids
// have 32.
func newID(p Protocol) (id [4]byte) {
	n := rand.Uint32()
	if p.challenges() {
		n &= 0x0f0f0f0f
	}
	binary.BigEndian.PutUint32(id[:], n)
	return id
}

func (e *exchange) Request(b []byte) []byte {
	all := gamespy2.All()
	m := gamespy2.Request{Type: gamespy2.TypeQuery, ID: e.id, Info: all, Players: all, Teams: all}
	switch {
	case e.protocol.challenges() && !e.alive:
		m = gamespy2.Request{Type: gamespy2.TypeChallenge, ID: e.id}
	case e.protocol == ProtocolMinecraft && e.isLast && e.queried:
		e.basicSent = true
		b, _ = gamespy2.StatRequest{ID: e.id, Challenge: e.challenge}.AppendBinary(b) // cannot fail
		return b
	case e.protocol != ProtocolPlain:
		m.Flags = gamespy2.FlagSplit
		m.HasChallenge = e.challenge != 0
		m.Challenge = e.challenge
	}
	if e.protocol == ProtocolJustCause2 && m.Type == gamespy2.TypeQuery {
		m.Flags = gamespy2.FlagJustCause2
	}
	e.queried = m.Type == gamespy2.TypeQuery
	b, _ = m.AppendBinary(b) // cannot fail
	return b
}

// Repeats reports whether to repeat a query: if the server is known to answer, and no part
// of its answer has arrived. After a part, its state may have changed.
func (e *exchange) Repeats() bool { return e.alive && !e.started }

func (e *exchange) Receive(b []byte) (scan.Verdict, error) {
	if e.protocol.challenges() && !e.alive {
		m, err := gamespy2.ParseChallengeResponse(b)
		switch {
		case err != nil:
			return scan.Stray, err
		case m.ID != e.id:
			return scan.Stray, errID
		}
		e.alive, e.proven, e.challenge = true, true, m.Number
		return scan.Next, nil
	}
	plain := e.options
	plain.Sections = gamespy2.AllSections
	m, err := plain.ParseResponse(b)
	if errors.Is(err, lobbywire.ErrUnsupported) {
		return e.receivePart(b)
	}
	if e.basicSent {
		stat, err := e.options.ParseBasicStat(b)
		if err == nil && stat.ID == e.id {
			e.basic = &stat
			return scan.Done, nil
		}
	}
	return e.receiveWhole(m, err)
}

// receivePart handles a packet of a split answer.
func (e *exchange) receivePart(b []byte) (scan.Verdict, error) {
	p, err := gamespy2.ParsePacket(b)
	switch {
	case err != nil:
		return scan.Stray, err
	case p.ID != e.id:
		return scan.Stray, errID
	}
	if !e.started {
		e.started, e.proven = true, true
		e.parts = &gamespy2.Assembler{Options: e.options}
	}
	done, err := e.parts.Add(b)
	if err != nil {
		return scan.Stray, err
	}
	if !done {
		return scan.More, nil
	}
	m, err := e.parts.Response()
	return e.receiveWhole(m, err)
}

func (e *exchange) receiveWhole(m gamespy2.Response, err error) (scan.Verdict, error) {
	switch {
	case err != nil:
		return scan.Stray, err
	case m.ID != e.id:
		return scan.Stray, errID
	}
	e.answer = m
	if e.auto && e.protocol == ProtocolPlain && isShort(&m) {
		// It ends where the packet ends. The server may know the split form too: the
		// queries for it may have been lost.
		e.protocol, e.alive, e.id = ProtocolSplit, true, newID(ProtocolSplit)
		return scan.Try, nil
	}
	if m.Partial {
		// The server has cut it, or it is damaged and an intact one follows.
		e.started, e.parts = true, &gamespy2.Assembler{Options: e.options}
		return scan.Maybe, nil
	}
	return scan.Done, nil
}

// errID is the error of an answer with the ID of another request.
var errID = &lobbywire.Error{Proto: "gamespy2", Field: "id", Offset: 1, Err: lobbywire.ErrInvalid}

// isShort reports whether an answer lists fewer players than it counts. An answer without
// columns omits them on purpose.
func isShort(m *gamespy2.Response) bool {
	count, _ := m.Lookup(gamespy2.KeyNumPlayers.String())
	n := wire.Number(count)
	return n != nil && len(m.Players.Columns) > 0 && *n > len(m.Players.Rows)
}

// response returns the answer or, after the error err, the part that has arrived.
func (e *exchange) response(err error) (gamespy2.Response, error) {
	if err == nil {
		return e.answer, nil
	}
	if e.parts == nil {
		return gamespy2.Response{}, err
	}
	m, wrong := e.parts.Response()
	if wrong == nil {
		return m, nil
	}
	return gamespy2.Response{}, fmt.Errorf("%w: %w", lobbywire.ErrUnreadable, wrong)
}
