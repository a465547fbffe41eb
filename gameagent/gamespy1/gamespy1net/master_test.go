package gamespy1net_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Requests to a master.
var (
	askList  = []byte("e")
	join     = []byte("q")
	changed  = []byte("u")
	periodic = []byte("0;challenge;0;players;9;maxplayers;16;level;Yodeller;gametype;Fragmatch;" +
		"version;1.10;product;serioussamse")
	browser     = netip.MustParseAddrPort("192.0.2.77:40000")
	gameServer  = netip.MustParseAddrPort("198.51.100.1:25601")
	otherServer = netip.MustParseAddrPort("198.51.100.2:25701")
)

var strict = gameagent.Options{Strict: true}

// one returns the only datagram of an answer.
func one(t testing.TB, packets [][]byte) []byte {
	t.Helper()
	if len(packets) != 1 {
		t.Fatalf("%d datagrams", len(packets))
	}
	return packets[0]
}

// agentServer returns a server of Serious Sam.
func agentServer(t testing.TB) *gameagentnet.Server {
	t.Helper()
	s := new(gameagentnet.Server)
	if err := s.Set(gameagentnet.State{SessionName: "Duel", GameName: "serioussamse"}); err != nil {
		t.Fatal(err)
	}
	return s
}

// corpus returns the vectors of both codecs, by the package and the message they hold.
func corpus(t testing.TB) map[string][][]byte {
	t.Helper()
	all := map[string][][]byte{}
	for name, dir := range map[string]string{"gameagent": "../..", "gamespy1": ".."} {
		files, err := golden.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			message := name + "." + f.Message()
			all[message] = append(all[message], f.Data)
		}
	}
	return all
}

// newMaster returns a master without rate limits.
func newMaster() *gamespy1net.Master {
	return &gamespy1net.Master{
		Limits: gamespy1net.MasterLimits{
			Rates:          lobbywire.Rates{PerSource: 1 << 30, Global: 1 << 30},
			Lists:          lobbywire.Rates{PerSource: 1 << 30, Global: 1 << 30},
			MaxListPackets: 1 << 20,
		},
	}
}

// challengeOf returns the challenge in an answer.
func challengeOf(t testing.TB, packets [][]byte) int32 {
	t.Helper()
	m, err := strict.ParseChallenge(one(t, packets))
	if err != nil {
		t.Fatal(err)
	}
	if m.Challenge <= 0 {
		t.Fatalf("challenge %d", m.Challenge)
	}
	return m.Challenge
}

// answerTo returns the heartbeat that answers a challenge.
func answerTo(challenge int32) []byte {
	return fmt.Appendf(nil, "0;challenge;%d;players;1;maxplayers;8;level;Karnak", challenge)
}

// enlist makes a server listed.
func enlist(t testing.TB, m *gamespy1net.Master, from netip.AddrPort) {
	t.Helper()
	silent(t, m, from, answerTo(challengeOf(t, nettest.Answers(m.Respond(from, join, nil)))))
}

// silent sends a request that must not be answered.
func silent(t testing.TB, m *gamespy1net.Master, from netip.AddrPort, req []byte) {
	t.Helper()
	if got, _ := m.Respond(from, req, nil); len(got) > 0 {
		t.Errorf("%.40q from %v is answered with %q", req, from, got)
	}
}

// listing returns the servers that a master lists, in order, after consistency
// checks.
func listing(t testing.TB, m *gamespy1net.Master) []netip.AddrPort {
	t.Helper()
	packets, _ := m.Respond(browser, askList, nil)
	games := []netip.AddrPort{}
	for i, p := range packets {
		l, err := strict.ParseServerList(p)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(l.Servers); n > gameagent.MaxListEntries || i < len(packets)-1 && n < gameagent.MaxListEntries ||
			n == 0 && i > 0 {
			t.Fatalf("packet %d of %d has %d servers", i, len(packets), n)
		}
		games = append(games, l.Servers...)
	}
	if len(packets) == 0 {
		t.Fatal("no list")
	}
	slices.SortFunc(games, netip.AddrPort.Compare)
	if n := len(slices.Compact(slices.Clone(games))); n != len(games) {
		t.Fatalf("%d of %d servers are listed twice", len(games)-n, len(games))
	}
	return games
}

// expectListed checks which servers are listed, by every method that shows it. It
// identifies servers by their source.
func expectListed(t testing.TB, m *gamespy1net.Master, servers ...netip.AddrPort) {
	t.Helper()
	want := []netip.AddrPort{}
	for _, s := range servers {
		want = append(want, netip.AddrPortFrom(s.Addr(), s.Port()-1))
	}
	slices.SortFunc(want, netip.AddrPort.Compare)
	if diff := cmp.Diff(want, listing(t, m), cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("list (-want +got):\n%s", diff)
	}
	told := []netip.AddrPort{}
	for e := range m.Servers() {
		told = append(told, e.Game)
	}
	slices.SortFunc(told, netip.AddrPort.Compare)
	if diff := cmp.Diff(want, told, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	if st := m.Stats(); st.Listed != len(want) {
		t.Errorf("stats tell of %d servers, want %d", st.Listed, len(want))
	}
}

// All servers that an address may list can register at one moment.
func TestMasterListsABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const servers = 64
		m := new(gamespy1net.Master)
		addr := func(i int) netip.AddrPort {
			return netip.AddrPortFrom(netip.MustParseAddr("198.51.100.7"), uint16(7000+2*i))
		}
		var challenges [servers]int32
		for i := range servers {
			challenges[i] = challengeOf(t, nettest.Answers(m.Respond(addr(i), join, nil)))
		}
		for i := range servers {
			silent(t, m, addr(i), answerTo(challenges[i]))
		}
		if st := m.Stats(); st.Listed != servers || st.Limited != 0 {
			t.Errorf("%+v", st)
		}
	})
}

// manyServers returns server i of many, each in a prefix with 255 others.
func manyServers(i int) netip.AddrPort {
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], 0x0a000000+uint32(i))
	return netip.AddrPortFrom(netip.AddrFrom4(ip), 25601)
}

// vector returns a vector of the codec.
func vector(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../testdata/golden", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A session with the original master, as captured. Comments explain intended
// differences.
func TestMasterAnswersAsTheOriginal(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		at := netip.MustParseAddrPort
		client := at("127.0.0.1:40000")
		game1, game2, game3 := at("127.0.0.1:25601"), at("127.0.0.2:25701"), at("127.0.0.3:1")
		m := newMaster()
		challenges := map[netip.AddrPort]int32{}

		// do sends a captured request, with our challenge if right is set. It
		// compares the answer: the same servers in any order, or a challenge with any
		// number.
		right := func(from netip.AddrPort, name string) []byte {
			h, err := strict.ParseHeartbeat(vector(t, name))
			if err != nil {
				t.Fatal(err)
			}
			h.Challenge = challenges[from]
			b, err := h.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			return b
		}
		do := func(number int, from netip.AddrPort, req []byte, want ...string) {
			t.Helper()
			got, _ := m.Respond(from, req, nil)
			if len(got) != len(want) {
				t.Fatalf("%03d: %d datagrams, want %d", number, len(got), len(want))
			}
			for i, name := range want {
				if strings.HasPrefix(name, "challenge") {
					challenges[from] = challengeOf(t, got)
					if w := vector(t, name); len(got[i]) != len(w) || got[i][0] != w[0] {
						t.Errorf("%03d: got %x, want as %x", number, got[i], w)
					}
					continue
				}
				g, err := strict.ParseServerList(got[i])
				if err != nil {
					t.Fatal(err)
				}
				w, err := strict.ParseServerList(vector(t, name))
				if err != nil {
					t.Fatal(err)
				}
				for _, l := range [][]netip.AddrPort{g.Servers, w.Servers} {
					slices.SortFunc(l, netip.AddrPort.Compare)
				}
				if !slices.Equal(g.Servers, w.Servers) {
					t.Errorf("%03d: listed %v, want %v", number, g.Servers, w.Servers)
				}
			}
		}
		do(1, client, vector(t, "list_request"), "server_list_empty")
		do(3, game1, vector(t, "join"), "challenge")
		do(5, client, vector(t, "list_request"), "server_list_unverified")
		do(7, game1, vector(t, "heartbeat_wrong"))
		do(8, client, vector(t, "list_request"), "server_list_wrong_challenge")
		do(10, game1, right(game1, "heartbeat_right"))
		do(11, client, vector(t, "list_request"), "server_list_one")
		do(13, game2, vector(t, "heartbeat_unknown"), "challenge_by_heartbeat")
		do(15, game2, right(game2, "heartbeat_right_other"))
		do(16, client, vector(t, "list_request"), "server_list_two")
		do(18, game1, vector(t, "state_changed"))
		do(19, game1, vector(t, "heartbeat_periodic"))
		do(20, client, vector(t, "list_request_long"), "server_list_long_request")
		do(22, client, vector(t, "unknown"))
		do(23, game1, vector(t, "join"), "challenge_again")
		do(25, client, vector(t, "list_request"), "server_list_rejoin")

		// The original answers the first change of state of an unknown server,
		// ignores seven more, and answers the ninth. It lists the server with port 0.
		// We never answer a server on port 1, since it cannot be listed; for other
		// ports, see TestMasterTakesAnyJoin.
		for n := 27; n <= 36; n++ {
			if n != 28 {
				do(n, game3, vector(t, "state_changed"))
			}
		}
		do(38, game3, vector(t, "heartbeat_port1"))
		do(39, client, vector(t, "list_request"), "server_list_rejoin") // not server_list_port0

		// With 170 servers more, the list is two packets. The original lists one
		// server more, so its second packet has 13 bytes.
		for i := 1; i <= 170; i++ {
			enlist(t, m, netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, 0, 1, byte(i)}), 25601))
		}
		packets, _ := m.Respond(client, vector(t, "list_request"), nil)
		if len(packets) != 2 || len(packets[0]) != 1021 || len(packets[1]) != 7 {
			t.Errorf("041: %d packets", len(packets))
		}

		// The original removes a late server only when a client requests the list, so
		// it accepts a late heartbeat before that. We do not.
		time.Sleep(301 * time.Second)
		do(44, game2, vector(t, "heartbeat_periodic_late"), "challenge")
		do(44, game2, right(game2, "heartbeat_periodic_late"))
		do(45, client, vector(t, "list_request"), "server_list_expired")
		do(47, game1, vector(t, "heartbeat_after_expiry"), "challenge_after_expiry")

		// The original ends here.
		do(49, client, vector(t, "empty"))
		do(50, client, vector(t, "list_request"), "server_list_expired")
	})
}

// Every request that starts like one from a server is a join, any number of times.
func TestMasterTakesAnyJoin(t *testing.T) {
	m := newMaster()
	for _, req := range []string{"q", "qXYZ", "u", "u", "u", "u", "u", "u", "u", "u", "u", string(periodic), "0;a;b",
		"0;players;3;challenge;0"} {
		challengeOf(t, nettest.Answers(m.Respond(gameServer, []byte(req), nil)))
	}
	expectListed(t, m)
	for _, name := range []string{"challenge first", "challenge last"} {
		req := answerTo(challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil))))
		if name == "challenge last" {
			req = fmt.Appendf(nil, "0;players;3;x;;challenge;%d",
				challengeOf(t, nettest.Answers(m.Respond(gameServer, changed, nil))))
		}
		silent(t, m, gameServer, req)
		expectListed(t, m, gameServer)
		m = newMaster()
	}
}

func TestMasterForgetsSilentServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		enlist(t, m, gameServer)
		time.Sleep(time.Second)
		enlist(t, m, otherServer)
		time.Sleep(299 * time.Second)
		silent(t, m, gameServer, changed) // which is not being heard of
		expectListed(t, m, gameServer, otherServer)
		silent(t, m, otherServer, periodic)
		time.Sleep(time.Nanosecond)
		expectListed(t, m, otherServer)

		// An expired server is unknown.
		challengeOf(t, nettest.Answers(m.Respond(gameServer, periodic, nil)))
		enlist(t, m, gameServer)
		expectListed(t, m, gameServer, otherServer)

		// Every heartbeat counts.
		for _, h := range []string{string(periodic), "0;challenge;5", "0", "0junk", "0;"} {
			time.Sleep(300*time.Second - 1)
			silent(t, m, gameServer, []byte(h))
			silent(t, m, otherServer, periodic)
			expectListed(t, m, gameServer, otherServer)
		}
		time.Sleep(300 * time.Second)
		expectListed(t, m, gameServer, otherServer)
		time.Sleep(time.Nanosecond)
		expectListed(t, m)
	})
}

func TestMasterHidesWhoJoinsAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		enlist(t, m, gameServer)
		enlist(t, m, otherServer)
		challenge := challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil)))
		expectListed(t, m, otherServer)
		silent(t, m, gameServer, answerTo(challenge^1))
		expectListed(t, m, otherServer)
		for _, again := range [][]byte{periodic, changed, join} {
			if got := challengeOf(t, nettest.Answers(m.Respond(gameServer, again, nil))); got != challenge {
				t.Errorf("challenge %d after %d", got, challenge)
			}
		}
		expectListed(t, m, otherServer)
		silent(t, m, gameServer, answerTo(challenge))
		expectListed(t, m, gameServer, otherServer)

		// That works once every 10 seconds.
		for range 3 {
			challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil)))
			expectListed(t, m, gameServer, otherServer)
			time.Sleep(3 * time.Second)
		}
		time.Sleep(time.Second)
		challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil)))
		expectListed(t, m, otherServer)

		// A hidden server expires too, and is unknown then.
		time.Sleep(291 * time.Second)
		expectListed(t, m)
		enlist(t, m, gameServer)
		expectListed(t, m, gameServer)
	})
}

// A challenge is valid for one address and port, for 10 to 20 seconds.
func TestMasterListsOnlyAfterItsChallenge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		challenge := challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil)))
		neighbour := netip.AddrPortFrom(gameServer.Addr(), gameServer.Port()+1)
		foreign := challengeOf(t, nettest.Answers(newMaster().Respond(gameServer, join, nil)))
		for _, tt := range []struct {
			name  string
			from  netip.AddrPort
			value string
		}{
			{"a bit wrong", gameServer, fmt.Sprint(challenge ^ 1)},
			{"with a zero", gameServer, fmt.Sprintf("0%d", challenge)},
			{"with a sign", gameServer, fmt.Sprintf("+%d", challenge)},
			{"with a space", gameServer, fmt.Sprintf("%d ", challenge)},
			{"negative", gameServer, fmt.Sprintf("-%d", challenge)},
			{"with the top bit", gameServer, fmt.Sprint(challenge | -1<<31)},
			{"too large", gameServer, fmt.Sprint(int64(challenge) + 1<<32)},
			{"hexadecimal", gameServer, fmt.Sprintf("%x", challenge)},
			{"none", gameServer, ""},
			{"of another master", gameServer, fmt.Sprint(foreign)},
			{"from another port", neighbour, fmt.Sprint(challenge)},
			{"from another address", netip.AddrPortFrom(gameServer.Addr().Next(), gameServer.Port()), fmt.Sprint(challenge)},
		} {
			m.Respond(tt.from, []byte("0;challenge;"+tt.value+";players;1"), nil)
			if got := listing(t, m); len(got) > 0 {
				t.Fatalf("%s: %v is listed", tt.name, got)
			}
		}
		time.Sleep(10 * time.Second)
		silent(t, m, gameServer, answerTo(challenge))
		expectListed(t, m, gameServer)

		challenge = challengeOf(t, nettest.Answers(m.Respond(otherServer, join, nil)))
		time.Sleep(21 * time.Second)
		silent(t, m, otherServer, answerTo(challenge))
		expectListed(t, m, gameServer)
	})
}

// When very many servers expire at once, the list is correct after a few requests,
// none of which takes long.
func TestMasterLosesManyServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		for i := range 3500 {
			enlist(t, m, manyServers(i))
		}
		time.Sleep(time.Second)
		enlist(t, m, gameServer)
		time.Sleep(299 * time.Second)
		silent(t, m, gameServer, periodic)
		time.Sleep(time.Second)
		for _, want := range []int{2501, 1501, 501, 1, 1} {
			if got := len(listing(t, m)); got != want {
				t.Errorf("%d servers, want %d", got, want)
			}
		}
		expectListed(t, m, gameServer)
	})
}

// Sources that cannot be listed get no answer.
func TestMasterListsNoImpossibleServers(t *testing.T) {
	m := newMaster()
	for _, addr := range []string{"198.51.100.1:0", "198.51.100.1:1", "[2001:db8::1]:25601"} {
		for _, req := range [][]byte{join, changed, periodic, answerTo(1)} {
			silent(t, m, netip.MustParseAddrPort(addr), req)
		}
	}
	lowest, highest := netip.MustParseAddrPort("198.51.100.1:2"), netip.MustParseAddrPort("198.51.100.1:65535")
	enlist(t, m, lowest)
	enlist(t, m, highest)
	expectListed(t, m, lowest, highest)

	// An IPv4 address is the same in IPv6 form, and every source gets the list.
	mapped := netip.AddrPortFrom(netip.AddrFrom16(lowest.Addr().As16()), lowest.Port())
	silent(t, m, mapped, periodic)
	challengeOf(t, nettest.Answers(m.Respond(mapped, join, nil)))
	expectListed(t, m, highest)
	one(t, nettest.Answers(m.Respond(netip.MustParseAddrPort("[2001:db8::1]:1"), askList, nil)))
}

func TestMasterTellsOfServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		enlist(t, m, gameServer)
		time.Sleep(time.Minute)
		seen := time.Now()
		silent(t, m, gameServer, periodic)
		time.Sleep(time.Minute)
		for e := range m.Servers() {
			h, err := e.Parse()
			if err != nil || *h.Players != 9 || h.Level != "Yodeller" || e.Heartbeat != string(periodic) ||
				!e.Seen.Equal(seen) {
				t.Errorf("got %+v, %+v, %v", e, h, err)
			}
		}
		for i := range 1000 {
			enlist(t, m, manyServers(i<<8))
		}
		n := 0
		for range m.Servers() {
			m.Respond(browser, askList, nil) // the master can be used meanwhile
			n++
			if n == 300 {
				break
			}
		}
		if n != 300 {
			t.Errorf("%d servers", n)
		}
	})
}

// Lists stay correct while servers join, leave and hide at random.
func TestMasterKeepsLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		m := newMaster()
		const servers = 600
		expected := map[netip.AddrPort]time.Time{} // listed, until
		hid := map[netip.AddrPort]time.Time{}
		for step := range suite.Pick(5000, 10_000) {
			s := manyServers(r.IntN(servers) * 7)
			until, listed := expected[s]
			switch now := time.Now(); r.IntN(4) {
			case 0:
				enlist(t, m, s)
				expected[s] = now.Add(300 * time.Second)
				if at, ok := hid[s]; listed && (!ok || now.Sub(at) >= 10*time.Second) {
					hid[s] = now
				}
				if !listed && until.IsZero() {
					delete(hid, s)
				}
			case 1:
				if listed {
					silent(t, m, s, periodic)
					expected[s] = now.Add(300 * time.Second)
				}
			case 2:
				time.Sleep(time.Duration(r.IntN(1000)) * time.Millisecond)
			case 3:
				// Sometimes nearly all servers expire in a silence.
				if r.IntN(500) == 0 {
					time.Sleep(time.Duration(250+r.IntN(55)) * time.Second)
				}
			}
			maps.DeleteFunc(expected, func(_ netip.AddrPort, until time.Time) bool { return until.Before(time.Now()) })
			if step%100 == 0 {
				expectListed(t, m, slices.Collect(maps.Keys(expected))...)
			}
		}
	})
}

// Test the sizes around a full packet.
func TestMasterSplitsLists(t *testing.T) {
	m := newMaster()
	m.Limits.MaxPerPrefix = 1 << 10
	for n := range 3*gameagent.MaxListEntries + 2 {
		if got := len(listing(t, m)); got != n {
			t.Fatalf("%d servers, want %d", got, n)
		}
		enlist(t, m, manyServers(n))
	}
}

// A list that is longer than an answer is sent in turns.
func TestMasterListsInTurns(t *testing.T) {
	m := newMaster()
	m.Limits.MaxListPackets = 2
	m.Limits.MaxPerPrefix = 1 << 10
	const n = 4*gameagent.MaxListEntries + 1
	for i := range n {
		enlist(t, m, manyServers(i))
	}
	all := gameagent.ListAssembler{Options: strict}
	for range 3 {
		answer, _ := m.Respond(browser, askList, nil)
		if len(answer) != 2 {
			t.Fatalf("%d packets", len(answer))
		}
		for _, b := range answer {
			if _, err := all.Add(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	if l, err := all.ServerList(); err != nil || len(l.Servers) != n {
		t.Errorf("%d servers in three answers, want %d, error %v", len(l.Servers), n, err)
	}
}

func TestMasterLimitsServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		m.Limits.MaxServers, m.Limits.MaxPerAddress, m.Limits.MaxPerPrefix = 5, 2, 3
		at := netip.MustParseAddrPort
		listed := []netip.AddrPort{}
		for _, tt := range []struct {
			server string
			taken  bool
		}{
			{"198.51.100.1:10", true},
			{"198.51.100.1:20", true},
			{"198.51.100.1:30", false}, // the third of an address
			{"198.51.100.2:10", true},
			{"198.51.100.3:10", false}, // the fourth of a prefix
			{"203.0.113.1:10", true},
			{"203.0.113.2:10", true},
			{"192.0.2.1:10", false}, // the sixth of all
		} {
			enlist(t, m, at(tt.server))
			if tt.taken {
				listed = append(listed, at(tt.server))
			}
			expectListed(t, m, listed...)
		}
		if st := m.Stats(); st.Refused != 3 {
			t.Errorf("%d refused", st.Refused)
		}
		// Listed servers can join again, and hidden ones keep their place.
		challenge := challengeOf(t, nettest.Answers(m.Respond(listed[0], join, nil)))
		enlist(t, m, at("198.51.100.1:30"))
		expectListed(t, m, listed[1:]...)
		silent(t, m, listed[0], answerTo(challenge))
		expectListed(t, m, listed...)
		// There is room once some have left.
		time.Sleep(299 * time.Second)
		silent(t, m, listed[0], periodic)
		time.Sleep(2 * time.Second)
		enlist(t, m, at("198.51.100.1:30"))
		expectListed(t, m, listed[0], at("198.51.100.1:30"))
	})
}

// A server can be listed while another source sends in its name, and while others use
// up the global limits.
func TestMasterFloodKeepsServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := new(gamespy1net.Master)
		enlist(t, m, gameServer)
		flood := func() {
			for range 200 {
				m.Respond(gameServer, changed, nil)
				m.Respond(gameServer, answerTo(7), nil)
			}
			for i := range 12_000 {
				m.Respond(manyServers(i), join, nil)
				m.Respond(manyServers(i), askList, nil)
			}
		}
		for range 3 {
			flood()
			silent(t, m, gameServer, periodic)
			time.Sleep(150 * time.Second)
		}
		expectListed(t, m, gameServer)

		// Hidden by a forged join, it is listed again when it answers.
		challenge := challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil)))
		flood()
		for range 200 {
			m.Respond(gameServer, join, nil)
			m.Respond(gameServer, periodic, nil)
		}
		silent(t, m, gameServer, answerTo(challenge))
		time.Sleep(2 * time.Second)
		expectListed(t, m, gameServer)
		if m.Stats().Limited == 0 {
			t.Error("no limit was met")
		}
	})
}

func TestMasterLimitsSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &gamespy1net.Master{Limits: gamespy1net.MasterLimits{Rates: lobbywire.Rates{PerSource: 10, Global: 35}}}
		count := func(from netip.AddrPort) (answered int) {
			for range 20 {
				answered += len(nettest.Answers(m.Respond(from, join, nil)))
			}
			return answered
		}
		for _, tt := range []struct {
			name string
			from netip.AddrPort
			want int
		}{
			{"first", gameServer, 10},
			{"same address, other port", netip.AddrPortFrom(gameServer.Addr(), 7), 0},
			{"second", otherServer, 10},
			{"third, up to the part for proven prefixes", manyServers(1), 7},
			{"fourth, after all", manyServers(2), 0},
		} {
			if got := count(tt.from); got != tt.want {
				t.Errorf("%s: %d answers, want %d", tt.name, got, tt.want)
			}
		}
		time.Sleep(500 * time.Millisecond)
		if got := count(gameServer); got != 5 {
			t.Errorf("half a second later: %d answers, want 5", got)
		}
	})
}

// The bytes of lists per second are limited, for one source and in total.
func TestMasterLimitsBytesOfLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		filling := newMaster()
		m := new(gamespy1net.Master) // with the default limits
		m.Limits.PerSource, m.Limits.Global = filling.Limits.PerSource, filling.Limits.Global
		for i := range 40 * gameagent.MaxListEntries {
			enlist(t, m, manyServers(i))
		}
		const perSecond, perAnswer = 16 * 1021, 16 * 1021
		var dst [][]byte
		ask := func(from netip.AddrPort) (sent int) {
			dst, _ = m.Respond(from, askList, dst[:0])
			for _, p := range dst {
				sent += len(p)
			}
			if sent > perAnswer {
				t.Fatalf("%d bytes for a request", sent)
			}
			return sent
		}
		const seconds = 10
		sent := 0
		for range seconds * 100 {
			sent += ask(browser)
			time.Sleep(10 * time.Millisecond)
		}
		if sent > (seconds+1)*perSecond || sent < (seconds-1)*perSecond {
			t.Errorf("%d bytes in %d s, want %d a second", sent, seconds, perSecond)
		}
		sent = 0
		for i := range seconds * 2000 {
			sent += ask(manyServers(i << 8))
			time.Sleep(time.Second / 2000)
		}
		if limit := 10_000 * 1021; sent > (seconds+1)*limit || sent < (seconds-1)*limit {
			t.Errorf("%d bytes to all in %d s, want %d a second", sent, seconds, limit)
		}
		// For other answers the limit is 5 times as high.
		r := rand.New(rand.NewPCG(1, 2))
		for i := range 100_000 {
			b := make([]byte, r.IntN(65))
			for i := range b {
				b[i] = byte(r.Uint32())
			}
			if len(b) > 0 {
				b[0] = "qu0z"[r.IntN(4)]
			}
			n := 0
			for _, p := range nettest.Answers(m.Respond(manyServers(1<<20+i), b, nil)) {
				n += len(p)
			}
			if n > 5*len(b) {
				t.Fatalf("%d bytes for %q", n, b)
			}
		}
	})
}

// Input that is not for a master gets no answer: vectors and the fuzz corpus of the
// codec, the master's own answers, and random bytes.
func TestMasterAnswersRequestsOnly(t *testing.T) {
	m := newMaster()
	enlist(t, m, gameServer)
	var dst [][]byte
	try := func(b []byte) {
		t.Helper()
		dst, _ = m.Respond(otherServer, b, dst[:0])
		asks := len(b) > 0 && len(b) <= gameagent.MaxHeartbeat && strings.IndexByte(`equ0\`, b[0]) >= 0
		if len(dst) > 1 || len(dst) > 0 && !asks {
			t.Fatalf("%q is answered with %q", b, dst)
		}
		if len(dst) == 0 {
			return
		}
		answer := dst[0]
		if len(nettest.Answers(m.Respond(otherServer, answer, nil))) > 0 {
			t.Fatalf("its own %q is answered", answer)
		}
	}
	for _, all := range corpus(t) {
		for _, b := range all {
			try(b)
		}
	}
	paths, err := filepath.Glob("../testdata/fuzz/*/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range paths {
		b, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		try(b)
	}
	r := rand.New(rand.NewPCG(1, 2))
	words := []string{"0;", "challenge", ";", "0;challenge;0", "\x00", "\x01", `\heartbeat\`, "7", "-", "e", "q", "u"}
	for range 50_000 {
		b := make([]byte, 1+r.IntN(64))
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		for range r.IntN(4) {
			copy(b[r.IntN(len(b)):], words[r.IntN(len(words))])
		}
		if b[0] == 'q' || r.IntN(2) == 0 {
			copy(b, "0;")
		}
		try(b)
	}
	for _, b := range []string{"", "0", "0;", "0junk", "E", "Q", "s", "\x01abcd", strings.Repeat("q", 1025),
		string(periodic) + strings.Repeat("x", 1024)} {
		if got, _ := m.Respond(otherServer, []byte(b), nil); len(got) > 0 {
			t.Errorf("%.20q is answered with %q", b, got)
		}
	}
	expectListed(t, m, gameServer)
}

func TestMasterReusesMemory(t *testing.T) {
	m := newMaster()
	m.Limits.MaxPerPrefix = 1 << 10
	for i := range 400 {
		enlist(t, m, manyServers(i))
	}
	dst, _ := m.Respond(browser, askList, [][]byte{[]byte("first")})
	if len(dst) != 4 || string(dst[0]) != "first" {
		t.Fatalf("%d datagrams, first %q", len(dst), dst[0])
	}
	changes := [][]byte{answerTo(1), answerTo(2)}
	n := 0
	junk := []byte("z")
	for _, tt := range []struct {
		name   string
		allocs float64
		do     func()
	}{
		{"a list", 0, func() { dst, _ = m.Respond(browser, askList, dst[:0]) }},
		{"a join", 0, func() { dst, _ = m.Respond(otherServer, join, dst[:0]) }},
		{"a heartbeat", 0, func() { dst, _ = m.Respond(manyServers(7), periodic, dst[:0]) }},
		{"a heartbeat with news", 1, func() {
			n++
			dst, _ = m.Respond(manyServers(8), changes[n%2], dst[:0])
		}},
		{"a wrong heartbeat", 2, func() { dst, _ = m.Respond(otherServer, changes[1], dst[:0]) }},
		{"junk", 0, func() { dst, _ = m.Respond(otherServer, junk, dst[:0]) }},
	} {
		tt.do()
		if got := testing.AllocsPerRun(100, tt.do); got > tt.allocs {
			t.Errorf("%s: %v allocations, want %v", tt.name, got, tt.allocs)
		}
	}
}

func TestMasterEndsItsListsAtShutdown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		network := new(nettest.Network)
		pc, err := network.Listen(netip.MustParseAddrPort("192.0.2.9:9005"))
		if err != nil {
			t.Fatal(err)
		}
		m := newMaster()
		ended := make(chan error)
		go func() { ended <- m.Serve(pc) }()
		client, err := network.Dial(t.Context(), "udp", "192.0.2.9:9005")
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		for range 50 {
			if _, err := client.Write(askList); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := client.Write(make([]byte, 1025)); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := m.Shutdown(t.Context()); err != nil {
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
		if st := m.Stats(); answers != 50 || st.Received != 50 || st.Sent != 50 || st.Oversized != 1 {
			t.Errorf("%d answers, stats %+v, want 50", answers, st)
		}
		if err := m.Serve(pc); !errors.Is(err, lobbywire.ErrClosed) {
			t.Errorf("Serve after Shutdown returned %v", err)
		}
	})
}

// Our servers register at our master on a network that drops, duplicates and delays
// packets, and our client sees them join and leave.
func TestClientSeesServersJoinAndLeaveDespiteLoss(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		var mu sync.Mutex
		network := &nettest.Network{Route: func(p nettest.Packet) []nettest.Packet {
			mu.Lock()
			defer mu.Unlock()
			p.Delay = time.Duration(1+r.IntN(100)) * time.Millisecond
			switch r.IntN(10) {
			case 0:
				return nil
			case 1:
				return []nettest.Packet{p, p}
			}
			return []nettest.Packet{p}
		}}
		at := netip.MustParseAddrPort("192.0.2.9:9005")
		pc, err := network.Listen(at)
		if err != nil {
			t.Fatal(err)
		}
		m := new(gamespy1net.Master)
		var wg sync.WaitGroup
		wg.Go(func() { m.Serve(pc) })
		const n = 20
		servers := make([]*gameagentnet.Server, n)
		for i := range servers {
			pc, err := network.Listen(manyServers(i << 8))
			if err != nil {
				t.Fatal(err)
			}
			s := agentServer(t)
			servers[i] = s
			registration := &gameagentnet.Registration{Server: s, Addr: at.String(), Conn: pc}
			wg.Go(func() { s.Serve(pc) })
			wg.Go(func() { registration.Run(t.Context()) })
		}
		// Lists and heartbeats may be lost, so it may take a few minutes.
		listed := func() int {
			return m.Stats().Listed
		}
		for range 20 {
			time.Sleep(time.Minute)
			if listed() == n {
				break
			}
		}
		client := &gameagentnet.Client{Dial: network.Dial}
		l, err := client.List(t.Context(), at.String())
		if err != nil || len(l.Queries) < n-1 || listed() < n-1 {
			t.Errorf("listed %d, got %+v, %v", listed(), l, err)
		}
		for _, s := range servers {
			s.Close()
		}
		time.Sleep(301 * time.Second)
		if listed() != 0 {
			t.Errorf("%d are listed that have gone", listed())
		}
		m.Close()
		wg.Wait()
	})
}

func TestMasterListsOverSockets(t *testing.T) {
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	m := new(gamespy1net.Master)
	ended := make(chan error, 1)
	go func() { ended <- m.Serve(pc) }()
	game, err := net.Dial("udp", pc.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer game.Close()
	exchange := func(req []byte) []byte {
		t.Helper()
		b := make([]byte, 2048)
		game.SetDeadline(time.Now().Add(time.Minute))
		if _, err := game.Write(req); err != nil {
			t.Fatal(err)
		}
		n, err := game.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return b[:n]
	}
	challenge := challengeOf(t, [][]byte{exchange(join)})
	if _, err := game.Write(answerTo(challenge)); err != nil {
		t.Fatal(err)
	}
	l, err := strict.ParseServerList(exchange(askList))
	at := game.LocalAddr().(*net.UDPAddr).AddrPort()
	if want := netip.AddrPortFrom(at.Addr(), at.Port()-1); err != nil ||
		!slices.Equal(l.Servers, []netip.AddrPort{want}) {
		t.Errorf("got %v, %v, want %v", l.Servers, err, want)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	if err := <-ended; !errors.Is(err, lobbywire.ErrClosed) {
		t.Errorf("Serve returned %v", err)
	}
}

// Datagrams of other protocols are passed on.
func TestMasterPassesOnOtherProtocols(t *testing.T) {
	m := newMaster()
	var got []string
	m.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
		got = append(got, from.String()+" "+string(req))
		return append(dst, []byte("answer")), true
	}
	answers, ok := m.Respond(gameServer, []byte("\xfe\xfd\x08name"), nil)
	if !ok || len(answers) != 1 || string(answers[0]) != "answer" {
		t.Errorf("answered with %q, %v", answers, ok)
	}
	enlist(t, m, gameServer)
	if want := []string{gameServer.String() + " \xfe\xfd\x08name"}; !slices.Equal(got, want) {
		t.Errorf("passed on %q, want %q", got, want)
	}
}
