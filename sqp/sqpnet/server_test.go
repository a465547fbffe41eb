package sqpnet_test

import (
	"net/netip"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
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
	for _, b := range nettest.Answers(s.Respond(from, req, nil)) {
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
		answers, _ := s.Respond(asker, query(t, token, chunks), [][]byte{[]byte("dst")})
		if len(answers) != 2 || string(answers[0]) != "dst" {
			t.Fatalf("answers %q", answers)
		}
		b := answers[1]
		want := chunks &^ sqp.ChunkMetrics // which answers of version 1 lack
		m, err := sqp.Options{Strict: true}.ParseQueryResponse(b, want)
		if err != nil {
			t.Fatalf("%v: %v", chunks, err)
		}
		if m.Token != token || m.Chunks() != want || m.Extra != nil {
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

// Metrics are only in answers of version 2, as of Unity's Go server. Answers have the version
// of their query.
func TestServerSendsMetricsInVersion2(t *testing.T) {
	s := newServer(t)
	token := tokenFor(t, s, asker)
	for version := uint16(1); version < 4; version++ {
		for _, asked := range []sqp.Chunks{sqp.AllChunks, sqp.ChunkMetrics, sqp.ChunkServerInfo} {
			req, err := sqp.QueryRequest{Token: token, Version: version, Chunks: asked}.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			b := respond(s, asker, req)
			if version > sqp.VersionMetrics {
				if b != nil {
					t.Errorf("version %d: %x", version, b)
				}
				continue
			}
			want := asked
			if version < sqp.VersionMetrics {
				want &^= sqp.ChunkMetrics
			}
			m, err := sqp.Options{Strict: true}.ParseQueryResponse(b, want)
			if err != nil || m.Chunks() != want || m.Version != version {
				t.Errorf("version %d, %v: %v of version %d, %v", version, asked, m.Chunks(), m.Version, err)
			}
		}
	}
}

func TestServerAnswersBeforeSet(t *testing.T) {
	s := new(sqpnet.Server)
	m, err := sqp.ParseQueryResponse(respond(s, asker, query(t, tokenFor(t, s, asker), sqp.AllChunks)), sqp.AllChunks)
	if err != nil || m.Chunks() != sqp.AllChunks&^sqp.ChunkMetrics {
		t.Errorf("got %v, %v", m.Chunks(), err)
	}
}

// A token is good for one address and port, for between 10 and 20 seconds.
func TestTokensAreOfOneAddressForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		token := tokenFor(t, s, asker)
		answered := func(from netip.AddrPort, token uint32) bool {
			return len(nettest.Answers(s.Respond(from, query(t, token, 1), nil))) > 0
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
	if len(nettest.Answers(s.Respond(mapped, query(t, tokenFor(t, s, asker), 1), nil))) == 0 {
		t.Error("token for an IPv4 address is not valid in IPv6 form")
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

// After the first datagram, only queries with a valid token cause a Refresh, and their answers
// have its state.
func TestServerRefreshesForQueries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var players uint16
		s := new(sqpnet.Server)
		s.Refresh = func() {
			players++
			if err := s.Set(sqpnet.State{ServerInfo: sqp.ServerInfo{CurrentPlayers: players}}); err != nil {
				t.Error(err)
			}
		}
		token := tokenFor(t, s, asker)
		time.Sleep(time.Second)
		respond(s, stranger, query(t, token, sqp.ChunkServerInfo))
		tokenFor(t, s, asker)
		if players != 1 {
			t.Errorf("%d calls without a query, want one for the first datagram", players)
		}
		for i, want := range []uint16{2, 2, 3, 3, 4} { // of queries every 60 ms
			m, err := sqp.ParseQueryResponse(respond(s, asker, query(t, token, sqp.ChunkServerInfo)), sqp.ChunkServerInfo)
			if err != nil {
				t.Fatal(err)
			}
			if got := m.ServerInfo.CurrentPlayers; got != want {
				t.Errorf("query %d: state %d, want %d", i, got, want)
			}
			time.Sleep(60 * time.Millisecond)
		}
	})
}
