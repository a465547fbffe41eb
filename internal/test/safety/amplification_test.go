package safety_test

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// A row of the table of amplification states how much an unverified source receives at
// most.
type row struct {
	server string
	answer string
	limit  string // of answers, by default
	make   func(t testing.TB) server
	only   func(req []byte) bool // the requests that the row is about; nil means all
}

const (
	gameSpyLimit   = "10 answers a second to a source, 20 to a prefix, 200 in total"
	gameAgentLimit = "32 answers of 512 bytes a second to a source, 512 to a prefix, 10 000 in total"
	listLimit      = "16 datagrams a second to a source, 400 to a prefix, 10 000 in total"
	requestLimit   = "100 a second to a source, 1600 to a prefix, 100 000 in total"
	masterLimit    = "100 a second to a source, 800 to a prefix, 10 000 in total"
)

// rows are all servers and masters over UDP. The usual answers describe 16
// players with names of 10 bytes.
var rows = []row{
	{"`sqpnet.Server`", "challenge", requestLimit, kinds[0].unlimited, nil},
	{"`gamespy2net.Server`, challenges required", "challenge", requestLimit, kinds[2].unlimited, nil},
	{"`gamespy2net.Server`, challenges offered or off", "usual", gameSpyLimit,
		func(t testing.TB) server { return gameSpyServer(t, gameSpyState(16, 10)) }, nil},
	{"`gamespy2net.Server`, challenges offered or off", "largest", gameSpyLimit,
		func(t testing.TB) server { return gameSpyServer(t, largestGameSpy()) }, nil},
	{"`gameagentnet.Server`", "usual status", gameAgentLimit,
		func(t testing.TB) server { return gameAgentServer(t, gameAgentState(16, 10)) }, isStatusRequest},
	{"`gameagentnet.Server`", "usual players", gameAgentLimit,
		func(t testing.TB) server { return gameAgentServer(t, gameAgentState(16, 10)) }, nil},
	{"`gameagentnet.Server`", "largest", gameAgentLimit,
		func(t testing.TB) server { return gameAgentServer(t, largestGameAgent()) }, nil},
	{"`gamespy1net.Server`", "usual", gameAgentLimit,
		func(t testing.TB) server { return gameSpy1Server(t, gameSpy1Status(16, 10)) }, nil},
	{"`gamespy1net.Server`", "largest", gameAgentLimit,
		func(t testing.TB) server { return gameSpy1Server(t, largestGameSpy1()) }, nil},
	{"`gamespy1net.Master`", "challenge of GameAgent", masterLimit, kinds[7].unlimited,
		func(req []byte) bool { return !isListRequest(req) }},
	{"`gamespy1net.Master`", "challenge of GameSpy, and queries of the server", masterLimit,
		newCheckedMaster, isLegacyHeartbeat},
	{"`gamespy2net.Master`", "challenge", masterLimit, kinds[8].unlimited, nil},
	{"`gamespy1net.Master`", "list of GameAgent, 2720 servers", listLimit,
		func(t testing.TB) server { return fullMaster(t, unlimited, 16*gameagent.MaxListEntries) }, isListRequest},
}

func (k kind) unlimited(t testing.TB) server { return k.make(t, unlimited) }

func gameSpyServer(t testing.TB, state gamespy2net.State) server {
	s := &gamespy2net.Server{Limits: gamespy2net.ServerLimits{Rates: unlimited, Unverified: unlimited}}
	must(t, s.Set(state))
	return s
}

func gameAgentServer(t testing.TB, state gameagentnet.State) server {
	s := &gameagentnet.Server{Limits: unlimited}
	must(t, s.Set(state))
	return s
}

func gameSpy1Server(t testing.TB, status gamespy1.Status) server {
	s := &gamespy1net.Server{Limits: unlimited}
	must(t, s.Set(status))
	return s
}

// largestGameSpy has as many players as Set accepts.
func largestGameSpy() gamespy2net.State {
	state := func(n int) gamespy2net.State {
		s := gameSpyState(n, 30)
		s.Cut = gamespy2.CutAnywhere
		return s
	}
	return state(most(1000, func(n int) error { return new(gamespy2net.Server).Set(state(n)) }))
}

// largestGameAgent has as many players as Set accepts.
func largestGameAgent() gameagentnet.State {
	return gameAgentState(most(gameagent.MaxPlayers, func(n int) error {
		return new(gameagentnet.Server).Set(gameAgentState(n, 40))
	}), 40)
}

// largestGameSpy1 has as many players as Set accepts.
func largestGameSpy1() gamespy1.Status {
	return gameSpy1Status(most(gamespy1.MaxPlayers, func(n int) error {
		return new(gamespy1net.Server).Set(gameSpy1Status(n, 40))
	}), 40)
}

// most returns the largest number of players, up to limit, that set accepts.
func most(limit int, set func(n int) error) int {
	return sort.Search(limit, func(n int) bool { return set(n+1) != nil })
}

func isStatusRequest(req []byte) bool {
	m, err := gameagent.ParseToServer(req)
	_, ok := m.(gameagent.StatusRequest)
	return ok && err == nil
}

func isListRequest(req []byte) bool {
	_, ok := gameagent.PeekToMaster(req).(gameagent.ListRequest)
	return ok
}

// headers are the bytes of the headers of IPv4 and UDP.
const headers = 28

// measure returns the most bytes that a server sends for each byte that it
// receives, as payload of UDP and with headers.
func (r row) measure(t testing.TB, all [][]byte) (payload, whole float64) {
	s := r.make(t)
	var dst [][]byte
	var worst []byte
	sources := uint32(0)
	send := func(req []byte) {
		sources++
		from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(sources >> 16), byte(sources >> 8), byte(sources)}),
			5000)
		sent, sentWhole := 0, 0
		dst, _ = s.Respond(from, req, dst[:0])
		for _, p := range dst {
			sent += len(p)
			sentWhole += len(p) + headers
		}
		if f := float64(sent) / float64(len(req)); f > payload {
			payload, worst = f, req
		}
		whole = max(whole, float64(sentWhole)/float64(len(req)+headers))
	}
	for _, req := range all {
		if len(req) > 0 && (r.only == nil || r.only(req)) {
			send(req)
		}
	}
	// The length of some challenges depends on the source.
	for range 256 {
		send(worst)
	}
	return payload, whole
}

// The table of .github/SECURITY.md agrees with how the servers answer every golden file,
// every entry of a fuzz corpus and their prefixes.
func TestAmplificationIsAsDocumented(t *testing.T) {
	all := datagrams(t)
	var table strings.Builder
	table.WriteString("| server | answer | payload | with headers | limit by default |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		payload, whole := r.measure(t, all)
		fmt.Fprintf(&table, "| %s | %s | %s | %s | %s |\n", r.server, r.answer, factor(payload), factor(whole), r.limit)
	}
	t.Logf("measured:\n%s", table.String())
	text, err := os.ReadFile(filepath.Join("..", "..", "..", ".github", "SECURITY.md"))
	must(t, err)
	_, rest, _ := strings.Cut(string(text), "<!-- amplification -->\n")
	documented, _, ok := strings.Cut(rest, "<!-- end -->")
	if !ok {
		t.Fatal("SECURITY.md has no table of amplification")
	}
	if diff := cmp.Diff(table.String(), documented); diff != "" {
		t.Errorf("table of SECURITY.md (-measured +documented):\n%s", diff)
	}
}

// factor returns a factor with two digits.
func factor(f float64) string {
	if f < 10 {
		return fmt.Sprintf("%.1f", f)
	}
	return fmt.Sprintf("%.0f", f)
}
