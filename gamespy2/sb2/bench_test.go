package sb2_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// Results of benchmarks go here, so that the work is not optimised away.
var (
	sinkRequest sb2.Request
	sinkList    sb2.ListRequest
	sinkServers []sb2.Server
	sinkCipher  sb2.Cipher
	sinkBytes   []byte
	sinkPush    sb2.Push
)

// benchServers is the number of servers in the lists of benchmarks.
const benchServers = 10_000

func BenchmarkNewCipher(b *testing.B) {
	for b.Loop() {
		sinkCipher, _ = sb2.NewCipher("secret", sb2.Challenge{1, 2, 3, 4, 5, 6, 7, 8}, nil)
	}
}

func BenchmarkEncrypt(b *testing.B) {
	c, _ := sb2.NewCipher("secret", sb2.Challenge{1, 2, 3, 4, 5, 6, 7, 8}, nil)
	p := make([]byte, 4096)
	b.SetBytes(int64(len(p)))
	for b.Loop() {
		c.Encrypt(p, p)
	}
}

// pieceSize is the size of the pieces that benchmarks read, a usual one of TCP.
const pieceSize = 4096

// BenchmarkMasterStream reads a list of 10 000 servers from a connection.
func BenchmarkMasterStream(b *testing.B) {
	in := mustAppend(b, answerOf(bigList(benchServers)))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	servers := make([]sb2.Server, 0, benchServers)
	for b.Loop() {
		sinkServers = readServers(b, in, servers)
	}
}

// readServers reads a list in pieces and appends its servers.
func readServers(t testing.TB, b []byte, servers []sb2.Server) []sb2.Server {
	s := testStream()
	for len(b) > 0 {
		rest := b[:min(pieceSize, len(b))]
		b = b[len(rest):]
		for {
			var server sb2.Server
			var err error
			server, rest, err = s.NextServer(rest)
			if err == lobbywire.ErrTruncated {
				break
			} else if err == sb2.ErrEndOfList {
				return servers
			} else if err != nil {
				t.Fatal(err)
			}
			servers = append(servers, server)
		}
	}
	t.Fatal("no end")
	return nil
}

// BenchmarkAppendServers appends and encrypts a list as masters do.
func BenchmarkAppendServers(b *testing.B) {
	l := bigList(benchServers)
	buf := make([]byte, 0, len(mustAppend(b, l)))
	b.SetBytes(int64(cap(buf)))
	b.ReportAllocs()
	a := sb2.NewListAppender(l.Keys, l.Popular)
	for b.Loop() {
		c, _ := sb2.NewCipher("secret", sb2.Challenge{1, 2, 3, 4, 5, 6, 7, 8}, nil)
		sinkBytes, _ = a.AppendStart(buf, sb2.List{ClientIP: l.ClientIP, DefaultPort: l.DefaultPort})
		for i := range l.Servers {
			sinkBytes, _ = a.AppendServer(sinkBytes, &l.Servers[i])
		}
		sinkBytes = a.AppendEnd(sinkBytes)
		c.Encrypt(sinkBytes, sinkBytes)
	}
}

// BenchmarkAppendServersFloor copies the same bytes, appended before, and encrypts
// them by the same cipher.
func BenchmarkAppendServersFloor(b *testing.B) {
	plain := mustAppend(b, bigList(benchServers))
	buf := make([]byte, 0, len(plain))
	b.SetBytes(int64(len(plain)))
	b.ReportAllocs()
	for b.Loop() {
		c, _ := sb2.NewCipher("secret", sb2.Challenge{1, 2, 3, 4, 5, 6, 7, 8}, nil)
		sinkBytes = append(buf, plain...)
		c.Encrypt(sinkBytes, sinkBytes)
	}
}

// TestAllocationsStayInBudget checks the allocation budgets.
func TestAllocationsStayInBudget(t *testing.T) {
	request := golden.Read(t, "list_request")
	list := bigList(100)
	appender := sb2.NewListAppender(list.Keys, list.Popular)
	buf := make([]byte, 0, 1<<16)
	rules := mustAppend(t, sb2.RulesRequest{Addr: netip.MustParseAddrPort("192.0.2.1:1")})
	keepalive := mustAppend(t, sb2.Keepalive{})
	deleted := mustAppend(t, sb2.DeleteServer{Addr: netip.MustParseAddrPort("192.0.2.1:1")})
	m, err := sb2.ParseListRequest(request)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		budget float64
		run    func()
	}{
		{"parse list request", 1, func() { sinkList, _ = sb2.ParseListRequest(request) }},
		{"parse any list request", 2, func() { sinkRequest, _ = sb2.ParseRequest(request) }},
		{"parse rules request", 0, func() { _, _ = sb2.ParseRulesRequest(rules) }},
		{"parse keepalive", 0, func() { _, _ = sb2.ParseKeepalive(keepalive) }},
		{"parse deleted server", 1, func() { sinkPush, _ = sb2.ParsePush(deleted) }},
		{"refuse a request", 2, func() { sinkRequest, _ = sb2.ParseRequest(request[:50]) }},
		{"cut a frame", 0, func() { sinkBytes, _, _ = sb2.NextFrame(request, sb2.MaxRequest) }},
		{"append list request", 0, func() { sinkBytes, _ = m.AppendBinary(buf) }},
		{"append server", 0, func() { sinkBytes, _ = appender.AppendServer(buf, &list.Servers[7]) }},
		{"append end", 0, func() { sinkBytes = appender.AppendEnd(buf) }},
		{"make a cipher", 0, func() {
			sinkCipher, _ = sb2.NewCipher("HA6zkS", m.Challenge, request)
		}},
	} {
		got := testing.AllocsPerRun(100, tt.run)
		t.Logf("%s: %v allocations", tt.name, got)
		if got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}

// A stream allocates blocks of texts and fields, far less than once a server.
func TestMasterStreamAllocatesInBlocks(t *testing.T) {
	for _, servers := range []int{1, 100, benchServers} {
		t.Run(fmt.Sprint(servers), func(t *testing.T) {
			in := mustAppend(t, answerOf(bigList(servers)))
			all := make([]sb2.Server, 0, servers)
			got := testing.AllocsPerRun(3, func() { sinkServers = readServers(t, in, all) })
			budget := 40 + float64(servers)/10
			t.Logf("%v allocations, budget %v", got, budget)
			if got > budget {
				t.Errorf("%v allocations, budget %v", got, budget)
			}
		})
	}
}
