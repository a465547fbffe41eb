package sqpnet_test

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/nettest"
	"github.com/lobbywire/lobbywire/sqp"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

var (
	asker    = netip.MustParseAddrPort("192.0.2.1:5000")
	stranger = netip.MustParseAddrPort("192.0.2.2:5000")
)

func sampleState() sqpnet.State {
	return sqpnet.State{
		ServerInfo:  sqp.ServerInfo{CurrentPlayers: 1, MaxPlayers: 8, ServerName: "Duel", Map: "Harbor", Port: 7777},
		ServerRules: []sqp.Rule{{Key: "rounds", Value: sqp.Uint16(300)}},
		PlayerInfo: sqp.Table{
			Columns: []string{"name"},
			Types:   []sqp.ValueType{sqp.ValueString},
			Rows:    [][]sqp.Value{{sqp.String("Ada")}},
		},
		Metrics: []float32{60},
	}
}

// newServer returns a server with a state to tell.
func newServer(t testing.TB) *sqpnet.Server {
	t.Helper()
	s := new(sqpnet.Server)
	if err := s.Set(sampleState()); err != nil {
		t.Fatal(err)
	}
	return s
}

// respond returns the answer to a request, nil if there is none.
func respond(s *sqpnet.Server, from netip.AddrPort, req []byte) []byte {
	for _, b := range s.Respond(from, req, nil) {
		return b
	}
	return nil
}

// tokenFor gets a token as an asker does.
func tokenFor(t testing.TB, s *sqpnet.Server, from netip.AddrPort) uint32 {
	t.Helper()
	m, err := sqp.ParseChallengeResponse(respond(s, from, make([]byte, 5)))
	if err != nil {
		t.Fatal(err)
	}
	return m.Token
}

// query returns a query for chunks.
func query(t testing.TB, token uint32, chunks sqp.Chunks) []byte {
	t.Helper()
	b, err := sqp.QueryRequest{Token: token, Version: sqp.Version, Chunks: chunks}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestServerAnswersWhatIsAskedFor(t *testing.T) {
	s := newServer(t)
	token := tokenFor(t, s, asker)
	for chunks := range sqp.AllChunks + 1 {
		answers := s.Respond(asker, query(t, token, chunks), [][]byte{[]byte("dst")})
		if len(answers) != 2 || string(answers[0]) != "dst" {
			t.Fatalf("answers %q", answers)
		}
		b := answers[1]
		m, err := sqp.Options{Strict: true}.ParseQueryResponse(b, chunks)
		if err != nil {
			t.Fatalf("%v: %v", chunks, err)
		}
		if m.Token != token || m.Chunks() != chunks || m.Extra != nil {
			t.Errorf("%v: got token %#x, chunks %v, extra %x", chunks, m.Token, m.Chunks(), m.Extra)
		}
	}
	m, err := sqp.ParseQueryResponse(respond(s, asker, query(t, token, sqp.AllChunks|0xe0)), sqp.AllChunks)
	if err != nil {
		t.Fatal(err)
	}
	want := sampleState()
	if diff := cmp.Diff(&want.ServerInfo, m.ServerInfo); diff != "" {
		t.Errorf("server info (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(want.PlayerInfo.Rows, m.PlayerInfo.Rows, cmp.AllowUnexported(sqp.Value{})); diff != "" {
		t.Errorf("players (-want +got):\n%s", diff)
	}
}

func TestServerKeepsItsStateIfTheNewOneCannotBeSent(t *testing.T) {
	s := newServer(t)
	for _, name := range []string{string(make([]byte, 256)), "Gr\xfc\xdfe"} {
		if err := s.Set(sqpnet.State{ServerInfo: sqp.ServerInfo{ServerName: name}}); err == nil {
			t.Errorf("the name %q was accepted", name)
		}
	}
	m, err := sqp.ParseQueryResponse(respond(s, asker, query(t, tokenFor(t, s, asker), 1)), 1)
	if err != nil || m.ServerInfo.ServerName != "Duel" {
		t.Errorf("got %+v, %v", m.ServerInfo, err)
	}
}

func TestServerBeforeSet(t *testing.T) {
	s := new(sqpnet.Server)
	m, err := sqp.ParseQueryResponse(respond(s, asker, query(t, tokenFor(t, s, asker), sqp.AllChunks)), sqp.AllChunks)
	if err != nil || m.Chunks() != sqp.AllChunks {
		t.Errorf("got %v, %v", m.Chunks(), err)
	}
}

// A token is good for one address and port, for between 10 and 20 seconds.
func TestServerTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		token := tokenFor(t, s, asker)
		answered := func(from netip.AddrPort, token uint32) bool {
			return len(s.Respond(from, query(t, token, 1), nil)) > 0
		}
		otherPort := netip.AddrPortFrom(asker.Addr(), asker.Port()+1)
		other := new(sqpnet.Server)
		for _, tt := range []struct {
			name  string
			from  netip.AddrPort
			token uint32
			want  bool
		}{
			{"own", asker, token, true},
			{"own, once more", asker, token, true},
			{"a bit wrong", asker, token ^ 1, false},
			{"none", asker, 0, false},
			{"from a stranger", stranger, token, false},
			{"from another port", otherPort, token, false},
			{"of another server", asker, tokenFor(t, other, asker), false},
		} {
			if got := answered(tt.from, tt.token); got != tt.want {
				t.Errorf("%s: answered %v, want %v", tt.name, got, tt.want)
			}
		}
		time.Sleep(10 * time.Second)
		if !answered(asker, token) {
			t.Error("token of 10 seconds ago is not valid")
		}
		time.Sleep(11 * time.Second)
		if answered(asker, token) {
			t.Error("token of 21 seconds ago is valid")
		}
	})
}

// An IPv4 address is the same in IPv6 form.
func TestServerUnmapsAddresses(t *testing.T) {
	s := newServer(t)
	mapped := netip.AddrPortFrom(netip.AddrFrom16(asker.Addr().As16()), asker.Port())
	if len(s.Respond(mapped, query(t, tokenFor(t, s, asker), 1), nil)) == 0 {
		t.Error("token for an IPv4 address is not valid in IPv6 form")
	}
}

// Nobody gets more bytes than he sent before he has shown that he receives.
func TestServerDoesNotAmplify(t *testing.T) {
	s := new(sqpnet.Server)
	s.Limits.PerSource, s.Limits.Global = 1<<30, 1<<30
	if err := s.Set(sampleState()); err != nil {
		t.Fatal(err)
	}
	check := func(b []byte) {
		if got := respond(s, asker, b); len(got) > len(b) {
			t.Fatalf("%d bytes of answer to %x", len(got), b)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	req := make([]byte, 64)
	for range 200_000 {
		b := req[:r.IntN(len(req)+1)]
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		if len(b) > 0 && r.IntN(2) == 0 {
			b[0] &= 1
		}
		check(b)
	}
	golden, err := filepath.Glob("../testdata/golden/*.hex")
	if err != nil || len(golden) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	for _, p := range golden {
		text, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		_, b, err := hexfile.Parse(string(text))
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(b) + 1 {
			check(b[:n])
		}
	}
}

// A million sources take no memory, and do not keep another from being served.
func TestServerFlood(t *testing.T) {
	s := newServer(t)
	s.Limits.Global = 1000 // that any machine exceeds
	s.Respond(stranger, make([]byte, 5), nil)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	dst := [][]byte{make([]byte, 0, 64)}
	const sources = 250_000
	served := 0
	for i := range uint32(sources) {
		var a [4]byte
		binary.BigEndian.PutUint32(a[:], 0x0a000000+i)
		from := netip.AddrPortFrom(netip.AddrFrom4(a), 5000)
		if len(s.Respond(from, make([]byte, 5), dst[:0])) > 0 {
			served++
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 64<<10 {
		t.Errorf("%d sources took %d bytes", sources, grown)
	}
	if served == 0 || served == sources {
		t.Errorf("%d of %d were served, want the global limit to show", served, sources)
	}
}

// One source gets its share and no more; the next source gets its own.
func TestServerLimitsSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		s.Limits.PerSource = 10
		count := func(from netip.AddrPort, n int) (answered int) {
			for range n {
				if len(s.Respond(from, make([]byte, 5), nil)) > 0 {
					answered++
				}
			}
			return answered
		}
		samePrefix := netip.MustParseAddrPort("[2001:db8::1]:1")
		for _, tt := range []struct {
			name string
			from netip.AddrPort
			want int
		}{
			{"first", asker, 10},
			{"same address, other port", netip.AddrPortFrom(asker.Addr(), 1), 0},
			{"other address", stranger, 10},
			{"IPv6", samePrefix, 10},
			{"same IPv6 /64", netip.MustParseAddrPort("[2001:db8::ffff:2]:1"), 0},
		} {
			if got := count(tt.from, 20); got != tt.want {
				t.Errorf("%s: %d answers, want %d", tt.name, got, tt.want)
			}
		}
		time.Sleep(500 * time.Millisecond)
		if got := count(asker, 20); got != 5 {
			t.Errorf("half a second later: %d answers, want 5", got)
		}
	})
}

func TestServerShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		pc, err := network.Listen(netip.MustParseAddrPort("192.0.2.9:7000"))
		if err != nil {
			t.Fatal(err)
		}
		s := newServer(t)
		ended := make(chan error)
		go func() { ended <- s.Serve(pc) }()
		client, err := network.Dial(t.Context(), "udp", "192.0.2.9:7000")
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range 50 {
			if _, err := client.Write(make([]byte, 5)); err != nil {
				t.Fatal(err)
			}
		}
		synctest.Wait()
		if err := s.Shutdown(t.Context()); err != nil {
			t.Error(err)
		}
		if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve returned %v", err)
		}
		answers := 0
		client.SetReadDeadline(time.Now().Add(time.Second))
		for {
			if _, err := client.Read(make([]byte, 64)); err != nil {
				break
			}
			answers++
		}
		if st := s.Stats(); answers != 50 || st.Received != 50 || st.Sent != 50 {
			t.Errorf("%d answers, stats %+v, want 50", answers, st)
		}
		if err := s.Serve(pc); !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve after Shutdown returned %v", err)
		}
	})
}

// The real loop, over real sockets of both families.
func TestServerOverSockets(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		t.Run(addr, func(t *testing.T) {
			pc, err := net.ListenPacket("udp", addr)
			if err != nil {
				t.Skip(err)
			}
			s := newServer(t)
			ended := make(chan error, 1)
			go func() { ended <- s.Serve(pc) }()
			ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
			defer cancel()
			a, err := new(sqpnet.Client).Query(ctx, pc.LocalAddr().String(), sqp.AllChunks)
			if err != nil || a.Missing != 0 || a.ServerInfo.ServerName != "Duel" || a.RTT <= 0 {
				t.Errorf("got %+v, %v", a, err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
				t.Errorf("Serve returned %v", err)
			}
		})
	}
}

func TestServerAllocs(t *testing.T) {
	s := new(sqpnet.Server)
	s.Limits.PerSource = 1 << 30
	if err := s.Set(sampleState()); err != nil {
		t.Fatal(err)
	}
	q := query(t, tokenFor(t, s, asker), sqp.AllChunks)
	dst := [][]byte{make([]byte, 0, 2048)}
	if got := testing.AllocsPerRun(100, func() { s.Respond(asker, q, dst[:0]) }); got != 0 {
		t.Errorf("%v allocations for a query", got)
	}
	challenge := make([]byte, 5)
	if got := testing.AllocsPerRun(100, func() { s.Respond(asker, challenge, dst[:0]) }); got != 0 {
		t.Errorf("%v allocations for a challenge", got)
	}
}

// A challenge response has the layout of a request, so a server that answered it
// would exchange packets with another server for ever. Clients send token 0.
func TestServerIgnoresChallengeResponses(t *testing.T) {
	a, b := newServer(t), newServer(t)
	if got := respond(b, asker, respond(a, asker, make([]byte, 5))); got != nil {
		t.Errorf("a server answers the challenge response of another with %x", got)
	}
	for _, token := range []string{"\x00\x00\x00\x00\x01", "\x00\xff\xff\xff\xff"} {
		if got := respond(a, asker, []byte(token)); got != nil {
			t.Errorf("challenge with a token answered with %x", got)
		}
	}
	for range 1000 {
		if tokenFor(t, newServer(t), asker) == 0 {
			t.Error("token 0, which is a request")
		}
	}
}

// A flood of forged requests for tokens takes nothing from clients that hold one,
// even in their own names.
func TestTokensSurviveAFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		token := tokenFor(t, s, asker)
		answered := 0
		const seconds, flood = 2, 200_000
		for i := range seconds * flood {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, byte(i >> 16), byte(i >> 8), byte(i)}), 5000)
			if i%2 == 0 {
				from = asker
			}
			s.Respond(from, make([]byte, 5), nil)
			if i%(flood/50) == 0 && respond(s, asker, query(t, token, sqp.ChunkServerInfo)) != nil {
				answered++
			}
			if i%200 == 0 {
				time.Sleep(time.Millisecond)
			}
		}
		if want := seconds * 50; answered != want {
			t.Errorf("%d of %d queries answered", answered, want)
		}
	})
}
