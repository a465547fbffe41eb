package sqpnet_test

import (
	"bytes"
	"context"
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// world is a network with a client in it.
type world struct {
	nettest.Network
	client sqpnet.Client
}

func newWorld() *world {
	w := new(world)
	w.client = sqpnet.Client{Dial: w.Dial, Listen: w.ListenAny}
	return w
}

var home = netip.MustParseAddrPort("192.0.2.9:7000")

// Unity's C# server answers a mask of exactly ServerInfo, once per port until
// it has answered, and ignores the token.
func TestQueryFallsBackToServerInfo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		outstanding := map[netip.AddrPort]bool{}
		info, err := sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{ServerName: "C#"}}.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		w.Serve(t, home, func(from netip.AddrPort, req []byte) [][]byte {
			m, err := sqp.ParseRequest(req)
			switch {
			case err != nil:
			case m.Type == sqp.TypeChallenge && !outstanding[from]:
				outstanding[from] = true
				return [][]byte{make([]byte, 5)}
			case m.Type == sqp.TypeQuery && outstanding[from] && m.Query.Chunks == sqp.ChunkServerInfo:
				outstanding[from] = false
				return [][]byte{info}
			}
			return nil
		})
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo|sqp.ChunkPlayerInfo)
		got := a.Message.ServerInfo
		if err != nil || got == nil || got.ServerName != "C#" || a.Missing != sqp.ChunkPlayerInfo {
			t.Errorf("got %+v, %v", a, err)
		}
	})
}

// What is wrong with the last answer is in the error.
func TestQueryTellsWhatWasWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			if len(req) == 5 {
				return [][]byte{make([]byte, 5)}
			}
			return [][]byte{[]byte("\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x04\xff\xff\xff\xff")}
		})
		start := time.Now()
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
		var e *lobbywire.Error
		if !errors.Is(err, lobbywire.ErrUnreadable) || errors.Is(err, lobbywire.ErrTimeout) || !errors.As(err, &e) ||
			e.Field != "serverInfo.chunkLength" || a.Attempts != 4 || time.Since(start) != 4*time.Second {
			t.Errorf("got %v after %d attempts and %v", err, a.Attempts, time.Since(start))
		}
		for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.ChunkServerInfo) {
			if !errors.Is(r.Err, lobbywire.ErrUnreadable) || !errors.As(r.Err, &e) || r.Attempts != 4 {
				t.Errorf("scan: got %v after %d attempts", r.Err, r.Attempts)
			}
		}
	})
}

// If a part of an answer is lost, or an answer lacks the requested chunk, the server is neither
// silent nor has it answered.
func TestIncompleteAnswersAreNeitherSilenceNorWhole(t *testing.T) {
	body := strings.Repeat("x", 8)
	for name, answer := range map[string][]sqp.Packet{
		"a part is lost":    {{CurrentPacket: 2, LastPacket: 2, Body: []byte(body)}, {LastPacket: 2, Body: []byte(body)}},
		"without the chunk": {{}},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, func(_ netip.AddrPort, req []byte) (sent [][]byte) {
				if len(req) == 5 {
					return [][]byte{make([]byte, 5)}
				}
				for _, p := range answer {
					b, err := p.AppendBinary(nil)
					if err != nil {
						t.Error(err)
					}
					sent = append(sent, b)
				}
				return sent
			})
			check := func(a sqpnet.Answer, err error) {
				t.Helper()
				if !errors.Is(err, lobbywire.ErrUnreadable) || !errors.Is(err, lobbywire.ErrTruncated) ||
					errors.Is(err, lobbywire.ErrTimeout) || a.Missing != sqp.ChunkServerInfo {
					t.Errorf("%s: missing %v, %v", name, a.Missing, err)
				}
			}
			check(w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo))
			for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.ChunkServerInfo) {
				check(r.Answer, r.Err)
			}
		})
	}
}

// ServerInfo in place of other chunks, alone or before them, is not read as these.
func TestQueryReadsServersThatIgnoreTheMask(t *testing.T) {
	for _, more := range []sqp.QueryResponse{{}, {ServerRules: []sqp.Rule{{Key: "gravity"}}, PlayerInfo: &sqp.Table{}}} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			more.ServerInfo = &sqp.ServerInfo{
				MaxPlayers: 16, ServerName: "Duel", GameType: "dm", BuildID: "1", Map: "yard", Port: 7777,
			}
			w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
				if len(req) == 5 {
					return [][]byte{make([]byte, 5)}
				}
				b, err := more.AppendBinary(nil)
				if err != nil {
					t.Error(err)
				}
				more.ServerInfo.CurrentPlayers++
				return [][]byte{b}
			})
			a, err := w.client.Query(t.Context(), home.String(), sqp.AllChunks)
			if err != nil || a.Message.ServerInfo == nil || a.Missing != sqp.AllChunks&^sqp.ChunkServerInfo || a.Attempts != 1 {
				t.Errorf("got %+v after %d attempts, %v", a.Message, a.Attempts, err)
			}
		})
	}
}

// Answers with another token may be of anybody, so the attempts go on. They are no
// silence.
func TestOtherTokensAreUnreadableNotSilence(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			if len(req) == 5 {
				return [][]byte{{0, 1, 2, 3, 4}}
			}
			b, err := sqp.QueryResponse{Token: 7, ServerInfo: &sqp.ServerInfo{}}.AppendBinary(nil)
			if err != nil {
				t.Error(err)
			}
			return [][]byte{b}
		})
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
		var e *lobbywire.Error
		if !errors.Is(err, lobbywire.ErrUnreadable) || !errors.As(err, &e) || e.Field != "token" || a.Attempts != 4 {
			t.Errorf("got %v after %d attempts", err, a.Attempts)
		}
	})
}

// A server that answers for ever, but never well, does not hold a query. It is not silent.
func TestEndlessAnswersEndAQueryInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Route = func(p nettest.Packet) []nettest.Packet {
			if p.From == home {
				p.Delay = 400 * time.Millisecond
			}
			return []nettest.Packet{p}
		}
		w.Serve(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			if len(req) == 5 {
				return [][]byte{make([]byte, 5)}
			}
			junk := make([][]byte, 100)
			for i := range junk {
				junk[i] = []byte{1, 0, 0, 0, 0, 0, 1, byte(i), 255, 0, 0}
			}
			return junk
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		_, err := w.client.Query(ctx, home.String(), sqp.ChunkServerInfo)
		if !errors.Is(err, lobbywire.ErrUnreadable) || !errors.Is(err, lobbywire.ErrTruncated) {
			t.Errorf("got %v", err)
		}
	})
}

// addresses returns n targets. No server answers at the first silent ones.
func addresses(n int) []netip.AddrPort {
	var all []netip.AddrPort
	for i := range n {
		all = append(all, netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i >> 8)}), uint16(7000+i&0xff)))
	}
	return all
}

// Negative times and numbers of attempts mean the defaults, and a request for no
// chunks is an error.
func TestNegativeSettingsMeanDefaults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		for _, chunks := range []sqp.Chunks{0, ^sqp.AllChunks} {
			if a, err := w.client.Query(t.Context(), home.String(), chunks); err == nil || a.Attempts != 0 {
				t.Errorf("chunks %d: %+v, %v", chunks, a, err)
			}
			results := 0
			for addr, r := range w.client.Scan(t.Context(), slices.Values(addresses(5)), chunks) {
				results++
				if addr.IsValid() || r.Err == nil {
					t.Errorf("chunks %d: scan: %v, %v", chunks, addr, r.Err)
				}
			}
			if results != 1 {
				t.Errorf("chunks %d: scan: %d results", chunks, results)
			}
		}
		w.client.Timeout, w.client.Attempts = -1, -1
		start := time.Now()
		if _, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo); !errors.Is(err,
			lobbywire.ErrTimeout) || time.Since(start) != 4*time.Second {
			t.Errorf("silent server: %v after %v", err, time.Since(start))
		}
	})
}

// Answers without the token of the query are no answers, whole or split: somebody who forges
// datagrams of the server, but does not see its queries, does not know it.
func TestAnswersWithOtherTokensAreIgnored(t *testing.T) {
	for _, players := range []int{1, 1000} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			state := sampleState()
			state.PlayerInfo.Rows = slices.Repeat(state.PlayerInfo.Rows, players)
			s := newServer(t)
			if err := s.Set(state); err != nil {
				t.Fatal(err)
			}
			w.Serve(t, home, func(from netip.AddrPort, req []byte) [][]byte {
				var all [][]byte
				for _, b := range nettest.Answers(s.Respond(from, req, nil)) {
					if _, err := sqp.ParseChallengeResponse(b); err == nil {
						return [][]byte{b}
					}
					forged := bytes.ReplaceAll(b, []byte("Ada"), []byte("Eve"))
					forged[4] ^= 1 // of the token
					all = append(all, forged, b, forged)
				}
				return all
			})
			a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkPlayerInfo)
			if err != nil || a.Attempts != 1 || a.Message.PlayerInfo == nil || len(a.Message.PlayerInfo.Rows) != players {
				t.Fatalf("%d players: %+v, %v", players, a, err)
			}
			for i, row := range a.Message.PlayerInfo.Rows {
				if row[0] != sqp.String("Ada") {
					t.Fatalf("player %d is %v", i, row[0])
				}
			}
		})
	}
}
