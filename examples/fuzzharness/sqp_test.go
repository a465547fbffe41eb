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
func newSQPServer() server {
	s := &SQPServer{Key: []byte("secret")}
	return server{s.Respond, func(v lobbywire.View) {
		s.Set(SQPGame{
			Name: v.Name, Type: v.Mode, Build: v.Version, Map: v.Map,
			Players: uint16(*v.Players), MaxPlayers: uint16(*v.Max), Port: v.Port,
		})
	}}
}

// sqpProtocol has the states of the chunk ServerInfo. If your server has PlayerInfo,
// query it too, and leave the Roster.
var sqpProtocol = protocol{
	token: sqpToken,
	query: querySQP,
	shown: func(v lobbywire.View) lobbywire.View {
		v.Roster = nil
		return v
	},
	edges: SQPEdges(),
}

// FuzzSQP fuzzes the server's function for one datagram: the fastest way.
func FuzzSQP(f *testing.F) {
	s := newSQPServer()
	sqpProtocol.fuzz(f, s.clients(), s.set, sqpSeeds(f), trySQP)
}

// FuzzSQPSocket fuzzes the server behind a socket.
func FuzzSQPSocket(f *testing.F) {
	s := newSQPServer()
	sqpProtocol.fuzz(f, listenSQP(f, s), s.set, sqpSeeds(f), trySQP)
}

// The server shows each state as soon as it is set.
func TestSQPShowsEachState(t *testing.T) {
	s := newSQPServer()
	if err := sqpProtocol.check(s.clients(), s.set); err != nil {
		t.Error(err)
	}
	if err := sqpProtocol.check(listenSQP(t, s), s.set); err != nil {
		t.Errorf("over a socket: %v", err)
	}
}

func sqpSeeds(t testing.TB) [][]byte { return golden(t, "sqp", "client to server") }

func listenSQP(t testing.TB, s server) clients {
	return listen(t, func(conn *net.UDPConn) error { return serve(conn, s.respond) }, func(a ask) ([2]mark, error) {
		token, err := sqpToken(a)
		return [2]mark{
			{sqp.QueryRequest{Token: token, Version: sqp.Version, Chunks: sqp.ChunkServerInfo}, byte(sqp.TypeQuery)},
			{sqp.ChallengeRequest{}, byte(sqp.TypeChallenge)},
		}, err
	})
}

// sqpToken requests a token from a server and returns it.
func sqpToken(a ask) (uint32, error) {
	c, err := challenge(a, sqp.ChallengeRequest{}, sqp.ParseChallengeResponse, sqp.Explain[sqp.ChallengeResponse])
	return c.Token, err
}

// querySQP asks for ServerInfo and returns what the answer shows.
func querySQP(a ask) (v lobbywire.View, err error) {
	token, err := sqpToken(a)
	if err != nil {
		return v, err
	}
	q := sqp.QueryRequest{Token: token, Version: sqp.Version, Chunks: sqp.ChunkServerInfo}
	request, err := q.AppendBinary(nil)
	if err != nil {
		return v, err
	}
	answers, err := a(request)
	if err == nil {
		err = JudgeSQP(request, answers, token)
	}
	if err != nil {
		return v, err
	}
	m, err := sqp.ParseQueryResponse(answers[0], q.Chunks)
	return m.View(), err
}

// trySQP sends a request from the first client: unchanged, with its token, with its token
// and a byte too many, and with the tokens of the other clients. It checks the answers.
func trySQP(all clients, request []byte) error {
	var own uint32
	requests := []variant{{"unchanged", request}}
	for i, a := range all {
		token, err := sqpToken(a)
		if err != nil {
			return err
		}
		if i == 0 {
			own = token
		}
		if len(request) < sqp.RequestSize {
			continue
		}
		r := bytes.Clone(request)
		binary.BigEndian.PutUint32(r[1:], token)
		requests = append(requests, variant{fmt.Sprintf("with the token of client %d", i), r})
		if i == 0 {
			requests = append(requests, variant{"with a byte too many", append(bytes.Clone(r), 0)})
		}
	}
	for _, r := range requests {
		answers, err := all[0](r.request)
		if err == nil {
			err = JudgeSQP(r.request, answers, own)
		}
		if err != nil {
			return explained(fmt.Errorf("%s: %w", r.how, err), sqp.Explain[sqp.Request](r.request), r.request)
		}
	}
	return nil
}

// The harness detects these faults of servers.
func TestFaultsOfSQPAreFound(t *testing.T) {
	// changed has another answer to queries.
	changed := func(change func(answer []byte) []byte) func(server) server {
		return answering(func(right server, from netip.AddrPort, req []byte) []byte {
			answer := right.respond(from, req)
			if len(answer) > 5 {
				answer = change(answer)
			}
			return answer
		})
	}
	for name, tt := range map[string]fault{
		"silent": {
			answering(func(server, netip.AddrPort, []byte) []byte { return nil }),
			"0 answers to a challenge request",
		},
		"answers all": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				return right.respond(from, make([]byte, 5))
			}),
			"answered, and must not be",
		},
		"takes any token": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				if len(req) == 8 {
					req = append([]byte{1}, right.respond(from, make([]byte, 5))[1:]...)
					req = append(req, 0, 1, 1)
				}
				return right.respond(from, req)
			}),
			"answered, and must not be",
		},
		"gives one token to all ports of a host": {
			answering(oneToken),
			"clients 0 and 1 have the same token",
		},
		"takes the token of another port": {
			answering(tokenOf(1)),
			"with the token of client 1: answered, and must not be",
		},
		"takes the token of another host": {
			answering(tokenOf(2)),
			"with the token of client 2: answered, and must not be",
		},
		"takes trailing bytes": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				return right.respond(from, req[:min(len(req), 8)])
			}),
			"with a byte too many: answered, and must not be",
		},
		"appends a zero": {
			changed(func(b []byte) []byte { return append(b, 0) }),
			"trailing data",
		},
		"cuts answers": {
			changed(func(b []byte) []byte { return b[:min(len(b), 512)] }),
			`state "texts of 255 bytes", client 0: sqp: body at byte 11: truncated`,
		},
		"counts a text one short": {
			changed(func(b []byte) []byte { b[19]--; return b }),
			"serverInfo.gameType at byte 23: invalid value",
		},
		"cannot send a text of 255 bytes": {
			changed(func(b []byte) []byte {
				if b[19] == 255 {
					b[19] = 0 // the length with the byte itself, in a byte
				}
				return b
			}),
			`state "texts of 255 bytes", client 0: sqp: serverInfo`,
		},
		"counts a player more": {
			setting(func(v lobbywire.View) lobbywire.View {
				v.Players = new(*v.Players + 1)
				return v
			}),
			`state "ordinary", client 0: the answer shows another state: players is 3, want 2`,
		},
		"has the port in the other byte order": {
			changed(func(b []byte) []byte {
				n := len(b)
				b[n-2], b[n-1] = b[n-1], b[n-2]
				return b
			}),
			"port is 356, want 25601",
		},
		"swaps map and mode": {
			setting(func(v lobbywire.View) lobbywire.View {
				v.Map, v.Mode = v.Mode, v.Map
				return v
			}),
			`map is "ctf", want "Harbor"; mode is "Harbor", want "ctf"`,
		},
		"shows an old state": {stale, `state "empty", client 0: the answer shows another state: players is 2, want 0`},
		"sends another version": {
			changed(func(b []byte) []byte { b[6]++; return b }),
			"version 2 in the answer, want 1",
		},
		"answers version 0 as 1": {
			answering(func(right server, from netip.AddrPort, req []byte) []byte {
				if len(req) == 8 && req[6] == 0 {
					req = bytes.Clone(req)
					req[6] = 1
				}
				return right.respond(from, req)
			}),
			"version 1 in the answer, want 0",
		},
		"sends another token": {
			changed(func(b []byte) []byte { b[4]++; return b }),
			"in the answer, want",
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.wantNoticed(t, newSQPServer, sqpProtocol, sqpSeeds(t), trySQP)
		})
	}
}
