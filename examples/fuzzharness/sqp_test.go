package fuzzharness

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// newSQPServer returns the server under test. Put yours here.
func newSQPServer() *SQPServer {
	return &SQPServer{Name: "Duel", Map: "Harbor", Players: 1, MaxPlayers: 16, Port: 7777, Key: []byte("secret")}
}

// FuzzSQP fuzzes the server's function for one datagram: the fastest way.
func FuzzSQP(f *testing.F) { fuzzSQP(f, respond(newSQPServer().Respond)) }

// FuzzSQPSocket fuzzes the server behind a socket.
func FuzzSQPSocket(f *testing.F) {
	fuzzSQP(f, listen(f, func(conn *net.UDPConn) error { return serve(conn, newSQPServer().Respond) },
		func(a ask) ([2]mark, error) {
			token, err := sqpToken(a)
			return [2]mark{
				{sqp.QueryRequest{Token: token, Version: sqp.Version, Chunks: sqp.ChunkServerInfo}, byte(sqp.TypeQuery)},
				{sqp.ChallengeRequest{}, byte(sqp.TypeChallenge)},
			}, err
		}))
}

func fuzzSQP(f *testing.F, a ask) {
	fuzz(f, golden(f, "sqp", "client to server"), func(request []byte) error { return trySQP(a, request) })
}

// sqpToken requests a token from a server and returns it.
func sqpToken(a ask) (uint32, error) {
	c, err := challenge(a, sqp.ChallengeRequest{}, sqp.ParseChallengeResponse, sqp.Explain[sqp.ChallengeResponse])
	return c.Token, err
}

// trySQP gets a token, sends a request unchanged and with that token in it, and
// checks the answers.
func trySQP(a ask, request []byte) error {
	token, err := sqpToken(a)
	if err != nil {
		return err
	}
	known := bytes.Clone(request)
	if len(known) >= sqp.RequestSize {
		binary.BigEndian.PutUint32(known[1:], token)
	}
	for _, r := range [][]byte{request, known} {
		answers, err := a(r)
		if err == nil {
			err = judgeSQP(r, answers, token)
		}
		if err != nil {
			return explained(err, sqp.Explain[sqp.Request](r), r)
		}
	}
	return nil
}

// judgeSQP returns an error if the answers to a request are wrong. The request
// comes from an address that has a token.
func judgeSQP(request []byte, answers [][]byte, token uint32) error {
	m, err := sqp.ParseRequest(request)
	least, most := 0, 0
	switch {
	case err != nil:
	case m.Type == sqp.TypeChallenge:
		least, most = 1, 1
	case m.Query.Token != token:
	case m.Query.Version == sqp.Version && m.Query.Chunks == sqp.ChunkServerInfo:
		least, most = 1, 1
	default:
		most = 1 // a server need not have other chunks
	}
	if n := len(answers); n < least || n > most {
		return fmt.Errorf("%d answers, want %d to %d", n, least, most)
	}
	for _, b := range answers {
		var got uint32
		var e lobbywire.Explanation
		if m.Type == sqp.TypeChallenge {
			var answer sqp.ChallengeResponse
			answer, err = sqp.ParseChallengeResponse(b)
			got, e = answer.Token, sqp.Explain[sqp.ChallengeResponse](b)
		} else {
			got, err = judgeSQPAnswer(m.Query, b)
			e = sqp.ExplainQueryResponse(b, m.Query.Chunks)
		}
		if err == nil && got != token {
			err = fmt.Errorf("token %d in the answer, want %d", got, token)
		}
		if err != nil {
			return explained(err, e, b)
		}
	}
	return nil
}

// judgeSQPAnswer returns the token of an answer to q, and an error if the answer is wrong
// or has another version than q.
func judgeSQPAnswer(q sqp.QueryRequest, b []byte) (token uint32, err error) {
	m, err := sqp.ParseQueryResponse(b, q.Chunks)
	if err != nil {
		return 0, err
	}
	if m.Version != q.Version {
		return 0, fmt.Errorf("version %d in the answer, want %d", m.Version, q.Version)
	}
	_, err = sqp.Options{Strict: true}.ParseQueryResponse(b, q.Chunks)
	return m.Token, err
}

// The harness detects the faults of these servers.
func TestFaultySQPServers(t *testing.T) {
	right := newSQPServer()
	changed := func(change func(answer []byte) []byte) func(netip.AddrPort, []byte) []byte {
		return func(from netip.AddrPort, req []byte) []byte {
			answer := right.Respond(from, req)
			if len(answer) > 5 {
				answer = change(answer)
			}
			return answer
		}
	}
	for name, tt := range map[string]struct {
		server func(from netip.AddrPort, req []byte) []byte
		want   string
	}{
		"silent": {
			func(netip.AddrPort, []byte) []byte { return nil },
			"0 answers to a challenge request",
		},
		"answers all": {
			func(from netip.AddrPort, _ []byte) []byte { return append([]byte{0}, right.token(from)...) },
			"1 answers, want 0 to 0",
		},
		"takes any token": {
			func(from netip.AddrPort, req []byte) []byte {
				if len(req) == 8 {
					req = append([]byte{1}, right.token(from)...)
					req = append(req, 0, 1, 1)
				}
				return right.Respond(from, req)
			},
			"1 answers, want 0 to 0",
		},
		"appends a zero": {
			changed(func(b []byte) []byte { return append(b, 0) }),
			"trailing data",
		},
		"counts a text one short": {
			changed(func(b []byte) []byte { b[19]--; return b }),
			"serverInfo.gameType at byte 23: invalid value",
		},
		"sends another version": {
			changed(func(b []byte) []byte { b[6]++; return b }),
			"version 2 in the answer, want 1",
		},
		"answers version 0 as 1": {
			func(from netip.AddrPort, req []byte) []byte {
				if len(req) == 8 && req[6] == 0 {
					req = bytes.Clone(req)
					req[6] = 1
				}
				return right.Respond(from, req)
			},
			"version 1 in the answer, want 0",
		},
		"sends another token": {
			changed(func(b []byte) []byte { b[4]++; return b }),
			"in the answer, want",
		},
	} {
		t.Run(name, func(t *testing.T) {
			wantNoticed(t, tt.want, golden(t, "sqp", "client to server"), func(seed []byte) error {
				return trySQP(respond(tt.server), seed)
			})
		})
	}
}
