package sqpnet_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// singleUse answers as go-svrquery's sample server does: a challenge request
// replaces the token of the port, and each query uses it up.
func singleUse(t *testing.T, answer func(q sqp.QueryRequest) [][]byte) nettest.Respond {
	tokens := map[netip.AddrPort]uint32{}
	next := uint32(0)
	return func(from netip.AddrPort, req []byte) [][]byte {
		m, err := sqp.ParseRequest(req)
		if err != nil {
			return nil
		}
		if m.Type == sqp.TypeChallenge {
			next++
			tokens[from] = next
			b, err := sqp.ChallengeResponse{Token: next}.AppendBinary(nil)
			if err != nil {
				t.Error(err)
			}
			return [][]byte{b}
		}
		token, ok := tokens[from]
		delete(tokens, from)
		if !ok || token != m.Query.Token {
			return nil
		}
		return answer(m.Query)
	}
}

// sample answers queries with what sampleState has.
func sample(t *testing.T) func(q sqp.QueryRequest) [][]byte {
	state := sampleState()
	prepared, err := sqp.QueryResponse{
		ServerInfo:  &state.ServerInfo,
		ServerRules: state.ServerRules,
		PlayerInfo:  &state.PlayerInfo,
		TeamInfo:    &state.TeamInfo,
		Metrics:     &sqp.Metrics{Values: state.Metrics},
	}.Prepare()
	if err != nil {
		t.Fatal(err)
	}
	return func(q sqp.QueryRequest) [][]byte { return [][]byte{prepared.AppendPacket(nil, q, 0)} }
}

// A late copy of an answer is not taken for the answer to the next query, whether
// the server gives a port the same token again or a new one.
func TestLateCopiesOfAnswersAreIgnored(t *testing.T) {
	want := sampleState()
	check := func(t *testing.T, a sqpnet.Answer, err error) {
		t.Helper()
		if err != nil || a.Missing != 0 || a.Attempts != 1 {
			t.Fatalf("missing %v after %d attempts, %v", a.Missing, a.Attempts, err)
		}
		m := a.Message
		got := sqpnet.State{ServerInfo: *m.ServerInfo, ServerRules: m.ServerRules, PlayerInfo: *m.PlayerInfo,
			TeamInfo: *m.TeamInfo, Metrics: m.Metrics.Values}
		if diff := cmp.Diff(want, got, cmp.AllowUnexported(sqp.Value{}), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
	}
	for _, late := range []time.Duration{0, 1, 10, 30, 60, 100} {
		for _, respond := range map[string]nettest.Respond{
			"same tokens": func(s *sqpnet.Server) nettest.Respond {
				return func(from netip.AddrPort, req []byte) [][]byte { return nettest.Answers(s.Respond(from, req, nil)) }
			}(newServer(t)),
			"new tokens": singleUse(t, sample(t)),
		} {
			synctest.Test(t, func(t *testing.T) {
				w := newWorld()
				w.Serve(t, home, respond)
				w.Route = func(p nettest.Packet) []nettest.Packet {
					p.Delay = 10 * time.Millisecond
					copied := p
					copied.Delay += late * time.Millisecond
					if p.From != home {
						return []nettest.Packet{p}
					}
					return []nettest.Packet{p, copied}
				}
				a, err := w.client.Query(t.Context(), home.String(), sqp.AllChunks)
				check(t, a, err)
				for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.AllChunks) {
					check(t, r.Answer, r.Err)
				}
			})
		}
	}
}

// Metrics arrive from servers that send them in version 1 only and from those
// that send them in version 2 only, and cost the former no further request. A server
// that has none and ignores version 2 takes all attempts: its answer could be lost.
func TestMetricsOfEitherVersionArrive(t *testing.T) {
	all := sample(t)
	const always = 99
	for _, tt := range []struct {
		name     string
		from     uint16 // the versions with metrics
		to       uint16
		silent   uint16 // versions from here on are not answered
		requests int
		missing  sqp.Chunks
		attempts int
		took     time.Duration
	}{
		{"go-svrquery", 1, 1, 2, 2, 0, 1, 0},
		{"ours", 1, 2, 3, 2, 0, 1, 0},
		{"Unity's Go server", 2, 2, 3, 4, 0, 1, 0},
		{"no metrics", always, always, always, 4, sqp.ChunkMetrics, 1, 0},
		{"no metrics, version 1", always, always, 2, 14, sqp.ChunkMetrics, 4, 4 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			var requests atomic.Int32
			respond := singleUse(t, func(q sqp.QueryRequest) [][]byte {
				switch {
				case q.Version >= tt.silent:
					return nil
				case q.Version < tt.from || q.Version > tt.to:
					q.Chunks &^= sqp.ChunkMetrics
				}
				return all(q)
			})
			w.Serve(t, home, func(from netip.AddrPort, req []byte) [][]byte {
				requests.Add(1)
				return respond(from, req)
			})
			start := time.Now()
			a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkMetrics|sqp.ChunkServerInfo)
			if err != nil || a.Missing != tt.missing || a.Message.ServerInfo == nil || a.Attempts != tt.attempts ||
				int(requests.Load()) != tt.requests+2 || time.Since(start) != tt.took {
				t.Errorf("%s: missing %v, %d attempts, %d requests, %v after %v", tt.name, a.Missing, a.Attempts,
					requests.Load(), err, time.Since(start))
			}
			for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}),
				sqp.ChunkMetrics|sqp.ChunkServerInfo) {
				if r.Err != nil || r.Missing != tt.missing || r.Attempts != tt.attempts ||
					int(requests.Load()) != 2*(tt.requests+2) {
					t.Errorf("%s: scan: missing %v, %d attempts, %d requests, %v", tt.name, r.Missing, r.Attempts,
						requests.Load(), r.Err)
				}
			}
		})
	}
}

// A query is answered in its version, 0 of Unity's C# test client, 1 or 2; others are not
// answered.
func TestServerAnswersInTheVersionOfTheQuery(t *testing.T) {
	s := newServer(t)
	token := tokenFor(t, s, asker)
	for version := range uint16(5) {
		req := []byte{byte(sqp.TypeQuery), 0, 0, 0, 0, 0, byte(version), byte(sqp.AllChunks)}
		req[1], req[2], req[3], req[4] = byte(token>>24), byte(token>>16), byte(token>>8), byte(token)
		b := respond(s, asker, req)
		if version > sqp.VersionMetrics {
			if b != nil {
				t.Errorf("version %d is answered with %x", version, b)
			}
			continue
		}
		want := sqp.AllChunks
		if version < sqp.VersionMetrics {
			want &^= sqp.ChunkMetrics
		}
		m, err := sqp.Options{Strict: true}.ParseQueryResponse(b, want)
		if err != nil || m.Version != version || m.Chunks() != want {
			t.Errorf("version %d: got version %d, chunks %v, %v", version, m.Version, m.Chunks(), err)
		}
	}
}

// crowded returns a state with players.
func crowded(players int) sqpnet.State {
	state := sampleState()
	state.PlayerInfo = sqp.Table{Columns: []string{"name", "score"},
		Types: []sqp.ValueType{sqp.ValueString, sqp.ValueUint32}}
	for i := range players {
		state.PlayerInfo.Rows = append(state.PlayerInfo.Rows,
			[]sqp.Value{sqp.String(fmt.Sprintf("A player's name, %d", i)), sqp.Uint32(uint32(i))})
	}
	return state
}

// The client reads whatever a Server sends, in any order and copied, and no packet
// is longer than an Ethernet frame.
func TestManyPlayersArriveInAnyOrder(t *testing.T) {
	for _, players := range []int{50, 60, 600, 2400} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			s := new(sqpnet.Server)
			if err := s.Set(crowded(players)); err != nil {
				t.Fatal(err)
			}
			w.Serve(t, home, func(from netip.AddrPort, req []byte) [][]byte {
				return nettest.Answers(s.Respond(from, req, nil))
			})
			r := rand.New(rand.NewPCG(uint64(players), 1))
			var mu sync.Mutex
			w.Route = func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				if len(p.Data) > sqp.MaxDatagram {
					t.Errorf("a datagram of %d bytes", len(p.Data))
				}
				p.Delay = time.Duration(r.IntN(100)) * time.Millisecond
				copied := p
				copied.Delay = time.Duration(r.IntN(100)) * time.Millisecond
				return []nettest.Packet{p, copied}
			}
			check := func(a sqpnet.Answer, err error) {
				t.Helper()
				if err != nil || a.Missing != 0 || a.Attempts != 1 || len(a.Message.PlayerInfo.Rows) != players {
					t.Fatalf("missing %v, %d attempts, %v", a.Missing, a.Attempts, err)
				}
				for i, row := range a.Message.PlayerInfo.Rows {
					if row[1] != sqp.Uint32(uint32(i)) {
						t.Errorf("row %d: %v", i, row)
					}
				}
			}
			check(w.client.Query(t.Context(), home.String(), sqp.AllChunks))
			for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.AllChunks) {
				check(r.Answer, r.Err)
			}
		})
	}
}

// A datagram that is longer than UDP can carry is the reason in the error.
func TestTooLongAnswerIsTheReason(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		long := make([]byte, 1<<16)
		w.Serve(t, home, singleUse(t, func(sqp.QueryRequest) [][]byte { return [][]byte{long} }))
		_, err := w.client.Query(t.Context(), home.String(), sqp.ChunkPlayerInfo)
		if !errors.Is(err, lobbywire.ErrUnreadable) || !errors.Is(err, lobbywire.ErrTooLarge) {
			t.Errorf("got %v", err)
		}
		for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.ChunkPlayerInfo) {
			if !errors.Is(r.Err, lobbywire.ErrUnreadable) || !errors.Is(r.Err, lobbywire.ErrTooLarge) {
				t.Errorf("scan: got %v", r.Err)
			}
		}
	})
}

// A query that is lost, or its answer, is sent again with its token after half of
// the timeout. A port sends one challenge request only.
func TestQueryIsRepeatedWithItsToken(t *testing.T) {
	for _, lost := range []string{"query", "answer"} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.Serve(t, home, nettest.By(newServer(t)))
			var mu sync.Mutex
			challenges := map[netip.AddrPort]int{}
			var queries []string
			w.Route = func(p nettest.Packet) []nettest.Packet {
				mu.Lock()
				defer mu.Unlock()
				isChallenge := len(p.Data) == sqp.RequestSize
				switch {
				case isChallenge && p.To == home:
					challenges[p.From]++
				case p.To == home:
					queries = append(queries, fmt.Sprintf("%v %x", p.From, p.Data))
					if lost == "query" && len(queries)%2 == 1 {
						return nil
					}
				case !isChallenge && lost == "answer" && len(queries)%2 == 1:
					return nil
				}
				return []nettest.Packet{p}
			}
			check := func(took time.Duration, a sqpnet.Answer, err error) {
				t.Helper()
				mu.Lock()
				defer mu.Unlock()
				if err != nil || a.Attempts != 1 || took.Round(time.Millisecond) != 500*time.Millisecond ||
					len(queries) != 2 || queries[0] != queries[1] {
					t.Errorf("%s: %v, %d attempts, %v, %q", lost, err, a.Attempts, took, queries)
				}
				queries = nil
			}
			start := time.Now()
			a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
			check(time.Since(start), a, err)
			start = time.Now()
			for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.ChunkServerInfo) {
				check(time.Since(start), r.Answer, r.Err)
			}
			for port, n := range challenges {
				if n != 1 {
					t.Errorf("%s: %d challenge requests from %v", lost, n, port)
				}
			}
		})
	}
}

// Of 10 000 servers behind a network that loses 5 % each way, fewer than 10 seem
// silent.
func TestScanFindsServersDespiteLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		s := newServer(t)
		s.Limits = lobbywire.Rates{PerSource: 1 << 30, PerPrefix: 1 << 30, Global: 1 << 30}
		r := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		w.Route = func(p nettest.Packet) (answers []nettest.Packet) {
			mu.Lock()
			defer mu.Unlock()
			isLost := func() bool { return r.IntN(20) == 0 }
			if isLost() {
				return nil
			}
			for _, b := range nettest.Answers(s.Respond(p.From, p.Data, nil)) {
				if !isLost() {
					answers = append(answers,
						nettest.Packet{From: p.To, To: p.From, Data: b, Delay: 40 * time.Millisecond})
				}
			}
			return answers
		}
		targets := addresses(10_000)
		answered := map[netip.AddrPort]bool{}
		for addr, r := range w.client.Scan(t.Context(), slices.Values(targets), sqp.ChunkServerInfo) {
			answered[addr] = r.Err == nil
		}
		silent := 0
		for _, addr := range targets {
			if !answered[addr] {
				silent++
			}
		}
		t.Logf("%d of %d silent", silent, len(targets))
		if silent >= 10 {
			t.Errorf("%d of %d silent", silent, len(targets))
		}
	})
}
