package main

import (
	"encoding"
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// A question is a request whose answer shows one state, not several that a client joins.
type question struct {
	name     string
	protocol string
	single   bool // the answer is always one datagram

	challenge encoding.BinaryAppender // nil if no challenge is needed
	request   func(challenge []byte) (encoding.BinaryAppender, error)
	answer    func() answer
}

// An answer joins the datagrams that answer a question.
type answer interface {
	Add(b []byte) (done bool, err error)
	view() (lobbywire.View, error)
}

// questions returns all questions about games, at least one in each protocol.
func questions() []question {
	plain := func(m encoding.BinaryAppender) func([]byte) (encoding.BinaryAppender, error) {
		return func([]byte) (encoding.BinaryAppender, error) { return m, nil }
	}
	return []question{
		{"sqp", "sqp", false, sqp.ChallengeRequest{}, querySQP, func() answer { return new(sqpAnswer) }},
		{
			"gamespy2", "gamespy2", false, gamespy2.Request{Type: gamespy2.TypeChallenge, ID: queryID}, queryGameSpy2,
			func() answer { return new(gameSpy2Answer) },
		},
		{"status", "gameagent", true, nil, plain(gameagent.StatusRequest{}), func() answer { return new(statusAnswer) }},
		{"players", "gameagent", false, nil, plain(gameagent.PlayersRequest{}), func() answer { return new(playersAnswer) }},
		{"legacy", "gameagent", false, nil, plain(gamespy1.Request{Query: gamespy1.QueryStatus}),
			func() answer { return new(legacyAnswer) }},
	}
}

func querySQP(challenge []byte) (encoding.BinaryAppender, error) {
	m, err := sqp.ParseChallengeResponse(challenge)
	return sqp.QueryRequest{Token: m.Token, Version: sqp.Version, Chunks: sqp.AllChunks}, err
}

// queryID is the id of all queries of gamespy2: each socket has its own answers.
var queryID = [4]byte{1, 2, 3, 4}

func queryGameSpy2(challenge []byte) (encoding.BinaryAppender, error) {
	m, err := gamespy2.ParseChallengeResponse(challenge)
	all := gamespy2.All()
	return gamespy2.Request{
		Type: gamespy2.TypeQuery, ID: queryID, HasChallenge: true, Challenge: m.Number,
		Info: all, Players: all, Teams: all, Flags: gamespy2.FlagSplit,
	}, err
}

type sqpAnswer struct{ sqp.Assembler }

func (a *sqpAnswer) view() (lobbywire.View, error) {
	m, err := a.QueryResponse(sqp.AllChunks)
	return m.View(), err
}

type gameSpy2Answer struct{ gamespy2.Assembler }

func (a *gameSpy2Answer) view() (lobbywire.View, error) {
	m, err := a.Response()
	return m.View(), err
}

type playersAnswer struct{ gameagent.Assembler }

func (a *playersAnswer) view() (lobbywire.View, error) {
	m, err := a.Players()
	return m.View(), err
}

type legacyAnswer struct{ gamespy1.Assembler }

func (a *legacyAnswer) view() (lobbywire.View, error) {
	m, err := a.Status()
	return m.View(), err
}

type statusAnswer struct{ gameagent.Status }

func (a *statusAnswer) Add(b []byte) (done bool, err error) {
	a.Status, err = gameagent.ParseStatus(b)
	return err == nil, err
}

func (a *statusAnswer) view() (lobbywire.View, error) { return a.View(), nil }

// An asker asks one question from a socket repeatedly.
type asker struct {
	question
	conn    *net.UDPConn
	request []byte
	buf     []byte
}

// patience bounds the wait for an answer on loopback.
const patience = time.Minute

// dialed returns an asker for a server, with an answer to its challenge.
func (q question) dialed(t testing.TB, addr string) *asker {
	t.Helper()
	at, err := net.ResolveUDPAddr("udp4", addr)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.DialUDP("udp4", nil, at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	a := &asker{question: q, conn: conn, buf: make([]byte, 1<<16)}
	if err := a.prepare(); err != nil {
		t.Fatal(err)
	}
	return a
}

// prepare gets a new challenge, and makes the request with it. Challenges expire.
func (a *asker) prepare() error {
	var challenge []byte
	if a.challenge != nil {
		b, err := a.challenge.AppendBinary(nil)
		if err != nil {
			return err
		}
		challenge, err = a.exchange(b)
		if err != nil {
			return fmt.Errorf("challenge: %w", err)
		}
	}
	m, err := a.question.request(challenge)
	if err != nil {
		return err
	}
	a.request, err = m.AppendBinary(nil)
	return err
}

// exchange sends a request, and returns the first datagram of the answer.
func (a *asker) exchange(request []byte) ([]byte, error) {
	if err := a.conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return nil, err
	}
	if _, err := a.conn.Write(request); err != nil {
		return nil, err
	}
	return a.next()
}

// next returns the next datagram.
func (a *asker) next() ([]byte, error) {
	n, err := a.conn.Read(a.buf)
	return a.buf[:n], err
}

// ask asks the question once. It returns the answer, and the number of its datagrams.
func (a *asker) ask() (v lobbywire.View, datagrams int, err error) {
	b, err := a.exchange(a.request)
	for whole := a.answer(); err == nil; b, err = a.next() {
		done, err := whole.Add(b)
		datagrams++
		if err != nil {
			return v, datagrams, err
		}
		if done {
			v, err = whole.view()
			return v, datagrams, err
		}
	}
	return v, datagrams, err
}
