package sqpnet_test

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/nettest"
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
	w.client = sqpnet.Client{
		Dial: w.Dial,
		Listen: func(context.Context) (net.PacketConn, error) {
			return w.Network.Listen(netip.MustParseAddrPort("127.0.0.1:0"))
		},
	}
	return w
}

// serve runs a server at addr until the test ends.
func (w *world) serve(t *testing.T, addr netip.AddrPort) {
	t.Helper()
	pc, err := w.Network.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	done := make(chan struct{})
	go func() {
		s.Serve(pc)
		close(done)
	}()
	t.Cleanup(func() {
		s.Close()
		<-done
	})
}

// answerWith runs a server that answers as respond does.
func (w *world) answerWith(t *testing.T, addr netip.AddrPort, respond func(from netip.AddrPort, req []byte) [][]byte) {
	t.Helper()
	pc, err := w.Network.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 64)
		for {
			n, from, err := pc.ReadFrom(buf)
			if err != nil {
				return
			}
			for _, b := range respond(from.(*net.UDPAddr).AddrPort(), buf[:n]) {
				pc.WriteTo(b, from)
			}
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
}

var home = netip.MustParseAddrPort("192.0.2.9:7000")

func TestQuery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.serve(t, home)
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo|sqp.ChunkMetrics)
		if err != nil || a.Chunks() != sqp.ChunkServerInfo|sqp.ChunkMetrics || a.Missing != 0 || a.Attempts != 1 {
			t.Errorf("got %+v, %v", a, err)
		}
	})
}

func TestQueryOfNobodyTakesItsTimeouts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		start := time.Now()
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
		if !errors.Is(err, lobbywire.ErrTimeout) || a.Attempts != 4 || time.Since(start) != 4*time.Second {
			t.Errorf("%v after %v, %d attempts", err, time.Since(start), a.Attempts)
		}
	})
}

func TestQueryEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		_, err := w.client.Query(ctx, home.String(), sqp.ChunkServerInfo)
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("%v after %v", err, time.Since(start))
		}
	})
}

// A closed port of this machine is known at once.
func TestQueryOfAClosedPort(t *testing.T) {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	addr := pc.LocalAddr().String()
	pc.Close()
	start := time.Now()
	_, err = new(sqpnet.Client).Query(t.Context(), addr, sqp.ChunkServerInfo)
	if err == nil || errors.Is(err, lobbywire.ErrTimeout) {
		t.Skipf("the system does not report closed ports: %v", err)
	}
	if took := time.Since(start); took > 500*time.Millisecond {
		t.Errorf("took %v", took)
	}
}

// Unity's C# server answers a mask of exactly ServerInfo, once per port until
// it has answered, and ignores the token.
func TestQueryOfAServerWithServerInfoOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		outstanding := map[netip.AddrPort]bool{}
		info, err := sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{ServerName: "C#"}}.MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		w.answerWith(t, home, func(from netip.AddrPort, req []byte) [][]byte {
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
		if err != nil || a.ServerInfo == nil || a.ServerInfo.ServerName != "C#" || a.Missing != sqp.ChunkPlayerInfo {
			t.Errorf("got %+v, %v", a, err)
		}
	})
}

// A server that ignores a second challenge from a port is asked from another
// when the answer to the first was lost.
func TestQueryRetriesFromAnotherPort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.serve(t, home)
		ports := map[uint16]bool{}
		var mu sync.Mutex
		w.Route = func(p nettest.Packet) []nettest.Packet {
			mu.Lock()
			defer mu.Unlock()
			if p.From == home {
				return []nettest.Packet{p}
			}
			known := len(ports)
			ports[p.From.Port()] = true
			if known == 0 {
				return nil // the first request is lost
			}
			return []nettest.Packet{p}
		}
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
		if err != nil || a.Attempts != 2 || len(ports) != 2 {
			t.Errorf("%v, %d attempts from %d ports", err, a.Attempts, len(ports))
		}
	})
}

// What is wrong with the last answer is in the error, at once.
func TestQueryTellsWhatWasWrong(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.answerWith(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			if len(req) == 5 {
				return [][]byte{make([]byte, 5)}
			}
			return [][]byte{[]byte("\x01\x00\x00\x00\x00\x00\x01\x00\x00\x00\x04\xff\xff\xff\xff")}
		})
		start := time.Now()
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
		var e *lobbywire.Error
		if !errors.Is(err, lobbywire.ErrUnreadable) || errors.Is(err, lobbywire.ErrTimeout) || !errors.As(err, &e) ||
			e.Field != "serverInfo.chunkLength" || a.Attempts != 1 || time.Since(start) > 250*time.Millisecond {
			t.Errorf("got %v after %d attempts and %v", err, a.Attempts, time.Since(start))
		}
		for _, r := range w.client.Scan(t.Context(), slices.Values([]netip.AddrPort{home}), sqp.ChunkServerInfo) {
			if !errors.Is(r.Err, lobbywire.ErrUnreadable) || !errors.As(r.Err, &e) || r.Attempts != 1 {
				t.Errorf("scan: got %v after %d attempts", r.Err, r.Attempts)
			}
		}
	})
}

// Answers with another token may be of anybody, so the attempts go on. They are no
// silence.
func TestQueryTellsOfAnotherToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.answerWith(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
			if len(req) == 5 {
				return [][]byte{{0, 1, 2, 3, 4}}
			}
			b, err := sqp.QueryResponse{Token: 7, ServerInfo: &sqp.ServerInfo{}}.MarshalBinary()
			if err != nil {
				t.Error(err)
			}
			return [][]byte{b}
		})
		a, err := w.client.Query(t.Context(), home.String(), sqp.ChunkServerInfo)
		var e *lobbywire.Error
		if !errors.Is(err, lobbywire.ErrUnreadable) || !errors.As(err, &e) || e.Field != "token" || a.Attempts < 4 {
			t.Errorf("got %v after %d attempts", err, a.Attempts)
		}
	})
}

// A server that answers for ever, but never well, does not hold a query.
func TestQueryOfAServerThatNeverEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		w.Route = func(p nettest.Packet) []nettest.Packet {
			if p.From == home {
				p.Delay = 400 * time.Millisecond
			}
			return []nettest.Packet{p}
		}
		w.answerWith(t, home, func(_ netip.AddrPort, req []byte) [][]byte {
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
		if !errors.Is(err, lobbywire.ErrTimeout) {
			t.Errorf("got %v", err)
		}
	})
}

// faulty loses, doubles, cuts, delays, reorders and replaces packets.
func faulty(seed uint64) func(p nettest.Packet) []nettest.Packet {
	r := rand.New(rand.NewPCG(seed, 1))
	var mu sync.Mutex
	return func(p nettest.Packet) []nettest.Packet {
		mu.Lock()
		defer mu.Unlock()
		p.Delay = time.Duration(r.IntN(50)) * time.Millisecond
		switch r.IntN(12) {
		case 0:
			return nil
		case 1:
			late := p
			late.Delay += 3 * time.Second
			return []nettest.Packet{p, late}
		case 2:
			p.Data = p.Data[:r.IntN(len(p.Data)+1)]
		case 3:
			foreign := p
			foreign.From = stranger
			return []nettest.Packet{foreign, p}
		case 4:
			noise := p
			noise.Data = make([]byte, 1+r.IntN(64))
			for i := range noise.Data {
				noise.Data[i] = byte(r.Uint32())
			}
			return []nettest.Packet{noise, p}
		}
		return []nettest.Packet{p}
	}
}

// Over a bad network a query yields the truth or an error, never anything else.
func TestQueryOverAFaultyNetwork(t *testing.T) {
	for seed := range uint64(200) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.serve(t, home)
			w.Route = faulty(seed)
			a, err := w.client.Query(t.Context(), home.String(), sqp.AllChunks)
			if err != nil {
				return
			}
			if a.ServerInfo != nil && (a.ServerInfo.ServerName != "Duel" || a.ServerInfo.Port != 7777) ||
				a.PlayerInfo != nil && len(a.PlayerInfo.Rows) != 1 {
				t.Errorf("seed %d: got %+v", seed, a)
			}
		})
	}
}

// addresses returns n targets. No server answers at the first silent ones.
func addresses(n int) []netip.AddrPort {
	var all []netip.AddrPort
	for i := range n {
		all = append(all, netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, byte(i >> 8)}), uint16(7000+i&0xff)))
	}
	return all
}

func TestScan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		targets := addresses(300)
		for i, addr := range targets {
			if i%10 != 0 {
				w.serve(t, addr)
			}
		}
		w.Route = func(p nettest.Packet) []nettest.Packet {
			p.Delay = 20 * time.Millisecond
			return []nettest.Packet{p}
		}
		start := time.Now()
		got := map[netip.AddrPort]error{}
		for addr, r := range w.client.Scan(t.Context(), slices.Values(targets), sqp.ChunkServerInfo) {
			if _, twice := got[addr]; twice {
				t.Errorf("%v came twice", addr)
			}
			got[addr] = r.Err
			if r.Err == nil && (r.ServerInfo.ServerName != "Duel" || r.RTT != 40*time.Millisecond) {
				t.Errorf("%v: %+v", addr, r.Answer)
			}
		}
		for i, addr := range targets {
			err, ok := got[addr]
			if !ok || (i%10 == 0) != errors.Is(err, lobbywire.ErrTimeout) {
				t.Errorf("%v: result %v, error %v", addr, ok, err)
			}
		}
		// 30 silent servers, four attempts of a second each: about that and
		// no more, since they are waited for together.
		if took := time.Since(start); took > 4500*time.Millisecond {
			t.Errorf("took %v", took)
		}
	})
}

func TestScanOverAFaultyNetwork(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			targets := addresses(50)
			for _, addr := range targets {
				w.serve(t, addr)
			}
			w.Route = faulty(seed)
			n := 0
			for addr, r := range w.client.Scan(t.Context(), slices.Values(targets), sqp.ChunkServerInfo) {
				n++
				if r.Err == nil && r.ServerInfo.ServerName != "Duel" {
					t.Errorf("seed %d, %v: got %+v", seed, addr, r.Answer)
				}
			}
			if n != len(targets) {
				t.Errorf("seed %d: %d results for %d targets", seed, n, len(targets))
			}
		})
	}
}

func TestScanEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		defer cancel()
		start := time.Now()
		var last sqpnet.Result
		for addr, r := range w.client.Scan(ctx, slices.Values(addresses(5)), sqp.ChunkServerInfo) {
			if addr.IsValid() {
				t.Errorf("%v has a result", addr)
			}
			last = r
		}
		if !errors.Is(last.Err, context.DeadlineExceeded) || time.Since(start) != 300*time.Millisecond {
			t.Errorf("%v after %v", last.Err, time.Since(start))
		}
	})
}

// Breaking out of the loop ends the scan, and its goroutines with it, or the
// bubble would not end.
func TestScanStopsWhenNoMoreIsWanted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		targets := addresses(1000)
		for _, addr := range targets {
			w.serve(t, addr)
		}
		pulled := 0
		var counted iter.Seq[netip.AddrPort] = func(yield func(netip.AddrPort) bool) {
			for _, addr := range targets {
				pulled++
				if !yield(addr) {
					return
				}
			}
		}
		for range w.client.Scan(t.Context(), counted, sqp.ChunkServerInfo) {
			break
		}
		synctest.Wait() // for the goroutine that reads the targets
		if pulled == len(targets) {
			t.Error("all targets were pulled for one result")
		}
	})
}

// Negative times and numbers of attempts mean the defaults, and a request for no
// chunks is an error.
func TestMisuse(t *testing.T) {
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
func TestAnswersWithOtherTokens(t *testing.T) {
	for _, players := range []int{1, 1000} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			state := sampleState()
			state.PlayerInfo.Rows = slices.Repeat(state.PlayerInfo.Rows, players)
			s := newServer(t)
			if err := s.Set(state); err != nil {
				t.Fatal(err)
			}
			w.answerWith(t, home, func(from netip.AddrPort, req []byte) [][]byte {
				var all [][]byte
				for _, b := range s.Respond(from, req, nil) {
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
			if err != nil || a.Attempts != 1 || a.PlayerInfo == nil || len(a.PlayerInfo.Rows) != players {
				t.Fatalf("%d players: %+v, %v", players, a, err)
			}
			for i, row := range a.PlayerInfo.Rows {
				if row[0] != sqp.String("Ada") {
					t.Fatalf("player %d is %v", i, row[0])
				}
			}
		})
	}
}

// Answers that arrive from another address or port than the queried one are no answers.
func TestAnswersOfOthers(t *testing.T) {
	for _, from := range []netip.AddrPort{stranger, netip.AddrPortFrom(home.Addr(), home.Port()+1)} {
		synctest.Test(t, func(t *testing.T) {
			w := newWorld()
			w.serve(t, home)
			w.Route = func(p nettest.Packet) []nettest.Packet {
				if p.From == home {
					p.From = from
				}
				return []nettest.Packet{p}
			}
			if a, err := w.client.Query(t.Context(), home.String(), sqp.AllChunks); err == nil {
				t.Errorf("from %v: %+v", from, a)
			}
			targets := slices.Values([]netip.AddrPort{home})
			for _, r := range w.client.Scan(t.Context(), targets, sqp.ChunkServerInfo) {
				if r.Err == nil {
					t.Errorf("a scan, from %v: %+v", from, r.Answer)
				}
			}
		})
	}
}
