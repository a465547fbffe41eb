package gamespy2net_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// world is a network with a client in it.
type world struct {
	nettest.Network
	client gamespy2net.Client
}

func newWorld() *world {
	w := new(world)
	w.client = gamespy2net.Client{Dial: w.Dial, Listen: w.ListenAny}
	return w
}

// serve runs a server at addr until the test ends. keep says which requests it
// gets.
func (w *world) serve(t *testing.T, addr netip.AddrPort, s *gamespy2net.Server, keep func(req []byte) bool) {
	t.Helper()
	w.Serve(t, addr, func(from netip.AddrPort, req []byte) [][]byte {
		if keep != nil && !keep(req) {
			return nil
		}
		return nettest.Answers(s.Respond(from, req, nil))
	})
}

var home = netip.MustParseAddrPort("192.0.2.9:29900")

// Auto finds the form of query that a server answers.
func TestQueryFindsTheProtocol(t *testing.T) {
	for _, tt := range []struct {
		name     string
		mode     gamespy2net.ChallengeMode
		keep     func(req []byte) bool
		attempts int
		players  int
	}{
		{"with challenges", gamespy2net.ChallengeRequired, nil, 1, 64},
		{"challenge 0, as Battlefield 2", gamespy2net.ChallengeOff, nil, 1, 64},
		{"silent to challenge requests", gamespy2net.ChallengeOff, func(b []byte) bool { return b[2] == 0 }, 2, 64},
		{"plain queries only", gamespy2net.ChallengeOff, func(b []byte) bool { return len(b) == 10 }, 3, 20},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.serve(t, home, newServer(t, tt.mode, tt.players), tt.keep)
				a, err := w.client.Query(t.Context(), home.String())
				if err != nil || a.Attempts != tt.attempts || a.Partial ||
					!cmp.Equal(sampleState(tt.players).Players, a.Message.Players) {
					t.Errorf("%d attempts, %d players, partial %v, %v", a.Attempts, len(a.Message.Players.Rows), a.Partial, err)
				}
			})
		})
	}
}

// Without one of its packets, an answer is Partial.
func TestQueryYieldsPartialAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.client.Protocol = gamespy2net.ProtocolSplit
		w.serve(t, home, newServer(t, gamespy2net.ChallengeOff, 64), nil)
		w.Route = func(p nettest.Packet) []nettest.Packet {
			if p.From == home && p.Data[14] == 1 {
				return nil // packet 1
			}
			return []nettest.Packet{p}
		}
		a, err := w.client.Query(t.Context(), home.String())
		if err != nil || !a.Partial || a.Attempts != 4 || !cmp.Equal(sampleState(64).Info, a.Message.Info) {
			t.Errorf("partial %v, %d attempts, %v", a.Partial, a.Attempts, err)
		}
	})
}

// A server whose answer ends early gives a partial answer, with all that it sent.
func TestQueryKeepsAnswersThatEndEarly(t *testing.T) {
	for _, protocol := range []gamespy2net.Protocol{gamespy2net.ProtocolSplit, gamespy2net.ProtocolPlain} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.client.Protocol = protocol
			w.serve(t, home, newServer(t, gamespy2net.ChallengeOff, 6), nil)
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From == home {
					p.Data = p.Data[:len(p.Data)-6] // in the teams
				}
				return []nettest.Packet{p}
			}
			a, err := w.client.Query(t.Context(), home.String())
			want := sampleState(6)
			if err != nil || !a.Partial || a.Attempts != 1 || !cmp.Equal(want.Info, a.Message.Info) ||
				!cmp.Equal(want.Players, a.Message.Players) || len(a.Message.Teams.Rows) == 0 {
				t.Errorf("protocol %d: %+v, %v", protocol, a, err)
			}
		})
	}
}

// The error states what is wrong with the last answer.
func TestQueryTellsWhatWasWrong(t *testing.T) {
	for _, tt := range []struct {
		protocol gamespy2net.Protocol
		damage   func(b []byte) []byte
	}{
		{gamespy2net.ProtocolSplit, func(b []byte) []byte { return b[:3] }},
		{gamespy2net.ProtocolChallenge, func(b []byte) []byte { return b[:3] }},
		{gamespy2net.ProtocolPlain, func(b []byte) []byte { return b[:3] }},
		{gamespy2net.ProtocolAuto, func(b []byte) []byte { return b[:3] }},
		{gamespy2net.ProtocolPlain, func(b []byte) []byte { return append([]byte{b[0], ^b[1]}, b[2:]...) }},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.client.Protocol = tt.protocol
			w.serve(t, home, newServer(t, gamespy2net.ChallengeOffered, 0), nil)
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From == home {
					p.Data = tt.damage(p.Data)
				}
				return []nettest.Packet{p}
			}
			a, err := w.client.Query(t.Context(), home.String())
			var e *lobbywire.Error
			if !errors.Is(err, lobbywire.ErrUnreadable) || errors.Is(err, lobbywire.ErrTimeout) ||
				!errors.As(err, &e) || e.Field != "id" || a.Attempts != 4 {
				t.Errorf("%v: got %v after %d attempts", tt.protocol, err, a.Attempts)
			}
		})
	}
}

// A damaged answer does not hide a whole answer after it.
func TestDamagedAnswerHidesNoWholeOne(t *testing.T) {
	for _, p := range []gamespy2net.Protocol{
		gamespy2net.ProtocolChallenge, gamespy2net.ProtocolSplit, gamespy2net.ProtocolPlain,
	} {
		for _, cut := range []int{8, 40} {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.client.Protocol = p
				w.serve(t, home, newServer(t, gamespy2net.ChallengeOffered, 0), nil)
				w.Route = func(p nettest.Packet) []nettest.Packet {
					if p.From != home || p.Data[0] != 0 {
						return []nettest.Packet{p}
					}
					damaged := p
					damaged.Data = p.Data[:min(cut, len(p.Data))]
					p.Delay = 20 * time.Millisecond
					return []nettest.Packet{damaged, p}
				}
				a, err := w.client.Query(t.Context(), home.String())
				if err != nil || a.Partial || a.Attempts != 1 {
					t.Errorf("%v, cut at %d: %+v, %v", p, cut, a, err)
				}
			})
		}
	}
}

// Answers without the id of the query are no answers: somebody who forges datagrams of the
// server, but does not see its queries, does not know it.
func TestAnswersWithOtherIDsAreIgnored(t *testing.T) {
	for _, p := range []gamespy2net.Protocol{
		gamespy2net.ProtocolChallenge, gamespy2net.ProtocolSplit, gamespy2net.ProtocolPlain,
	} {
		synctest.Test(t, func(t *testing.T) {
			mode := gamespy2net.ChallengeOff
			if p == gamespy2net.ProtocolChallenge {
				mode = gamespy2net.ChallengeRequired
			}
			w := newWorld()
			w.serve(t, home, newServer(t, mode, 64), nil)
			w.client.Protocol = p
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From != home {
					return []nettest.Packet{p}
				}
				forged := p
				forged.Data = bytes.ReplaceAll(p.Data, []byte("Karkand"), []byte("Nowhere"))
				forged.Data[4] ^= 1 // of the id
				if forged.Data[0] == byte(gamespy2.TypeChallenge) {
					forged.Data[len(forged.Data)-2] ^= 1 // a digit of the challenge
				}
				return []nettest.Packet{forged, p, forged}
			}
			a, err := w.client.Query(t.Context(), home.String())
			name, _ := a.Message.Lookup(gamespy2.KeyMapName.String())
			if err != nil || a.Attempts != 1 || name != "Strike At Karkand" {
				t.Errorf("%v: %q after %d attempts, %v", p, name, a.Attempts, err)
			}
		})
	}
}

// The ids of queries have 32 random bits, or 16 in queries with a challenge.
func TestIDsAreRandom(t *testing.T) {
	for p, want := range map[gamespy2net.Protocol]uint32{
		gamespy2net.ProtocolChallenge: 0x0f0f0f0f,
		gamespy2net.ProtocolSplit:     0xffffffff,
		gamespy2net.ProtocolPlain:     0xffffffff,
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.client.Protocol, w.client.Attempts = p, 64
			var set, clear uint32 // bits that were, in one id or another
			w.Route = func(p nettest.Packet) []nettest.Packet {
				id := binary.BigEndian.Uint32(p.Data[3:])
				set |= id
				clear |= ^id
				return nil
			}
			if _, err := w.client.Query(t.Context(), home.String()); !errors.Is(err, lobbywire.ErrTimeout) {
				t.Error(err)
			}
			if set != want || clear&want != want {
				t.Errorf("%v: bits %08x are set and %08x clear in 64 ids, want %08x", p, set, clear, want)
			}
		})
	}
}
