package gamespy2net_test

import (
	"bytes"
	"encoding"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The game of the SDK's samples, and the addresses of its servers.
var (
	gmtest      = gamespy2net.Game{Name: "gmtest", Key: "HA6zkS"}
	gameServer  = netip.MustParseAddrPort("127.0.0.1:11111")
	otherServer = netip.MustParseAddrPort("198.51.100.2:6500")
	instance    = [4]byte{0xc7, 0x8c, 0x75, 0xc2} // of the recorded server
)

// newMaster returns a master of gmtest without limits on rates.
func newMaster() *gamespy2net.Master {
	return &gamespy2net.Master{
		Games: []gamespy2net.Game{gmtest},
		Limits: gamespy2net.MasterLimits{Rates: lobbywire.Rates{PerSource: 1 << 30, PerPrefix: 1 << 30,
			Global: 1 << 30}},
	}
}

// recorded returns a message that the SDK's samples or their master have sent.
func recorded(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../qr2/testdata/golden", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	_, b, err := hexfile.Parse(string(text))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A beat contains the parts of heartbeats that differ in a test.
type beat struct {
	key   [4]byte
	state qr2.State
	game  string // gmtest
	pairs []string
}

func (v beat) wire(t testing.TB) []byte {
	t.Helper()
	identity := qr2.Identity{LocalAddrs: []netip.Addr{netip.MustParseAddr("192.168.1.2")}, LocalPort: 6500,
		State: v.state, GameName: "gmtest"}
	if v.game != "" {
		identity.GameName = v.game
	}
	m := qr2.Heartbeat{Key: v.key, Info: identity.AppendTo(nil)}
	for i := 0; i < len(v.pairs); i += 2 {
		m.Info = append(m.Info, gamespy2.KeyValue{Key: v.pairs[i], Value: v.pairs[i+1]})
	}
	return wireBytes(t, m)
}

// wireBytes returns the wire form of a message.
func wireBytes(t testing.TB, m encoding.BinaryAppender) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// challengeIn returns the challenge that is the only answer.
func challengeIn(t testing.TB, packets [][]byte) qr2.Challenge {
	t.Helper()
	if len(packets) != 1 {
		t.Fatalf("%d datagrams, want a challenge: %q", len(packets), packets)
	}
	m, err := qr2.ParseChallenge(packets[0])
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// answerTo returns the answer to a challenge with a secret key.
func answerTo(t testing.TB, c qr2.Challenge, secretKey string) []byte {
	t.Helper()
	return wireBytes(t, qr2.ChallengeAnswer{Key: c.Key, Text: string(qr2.AppendAnswer(nil, c.Text, secretKey))})
}

// register makes a server answer its challenge, and returns the queries of the master.
func register(t testing.TB, m *gamespy2net.Master, from netip.AddrPort, heartbeat []byte) (queries [][]byte) {
	t.Helper()
	c := challengeIn(t, nettest.Answers(m.Respond(from, heartbeat, nil)))
	answers, _ := m.Respond(from, answerTo(t, c, "HA6zkS"), nil)
	if len(answers) == 0 || !bytes.Equal(answers[0], wireBytes(t, qr2.Registered{Key: c.Key})) {
		t.Fatalf("the right answer is answered with %q", answers)
	}
	return answers[1:]
}

// enlist registers a server and answers the queries of the master.
func enlist(t testing.TB, m *gamespy2net.Master, from netip.AddrPort, heartbeat []byte) {
	t.Helper()
	for _, q := range register(t, m, from, heartbeat) {
		noAnswer(t, m, from, answerToQuery(t, q))
	}
}

// answerToQuery returns the answer of a server to a query of a master.
func answerToQuery(t testing.TB, query []byte) []byte {
	t.Helper()
	q, err := gamespy2.ParseRequest(query)
	if err != nil {
		t.Fatal(err)
	}
	if q.Type == gamespy2.TypeChallenge {
		return wireBytes(t, gamespy2.ChallengeResponse{ID: q.ID, Number: 123456})
	}
	return wireBytes(t, gamespy2.Values{ID: q.ID, Values: []string{"name"}})
}

// noAnswer sends a datagram that must get no answer.
func noAnswer(t testing.TB, m *gamespy2net.Master, from netip.AddrPort, req []byte) {
	t.Helper()
	if got, _ := m.Respond(from, req, nil); len(got) > 0 {
		t.Errorf("%.40q from %v is answered with %q", req, from, got)
	}
}

// wantListed checks which servers are listed.
func wantListed(t testing.TB, m *gamespy2net.Master, want ...netip.AddrPort) {
	t.Helper()
	got := []netip.AddrPort{}
	for e := range m.Servers() {
		if !e.Withheld {
			got = append(got, e.Addr)
		}
	}
	slices.SortFunc(got, netip.AddrPort.Compare)
	want = append([]netip.AddrPort{}, want...)
	slices.SortFunc(want, netip.AddrPort.Compare)
	if diff := cmp.Diff(want, got, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	if st := m.Stats(); st.Listed != len(want) {
		t.Errorf("%d servers counted, want %d", st.Listed, len(want))
	}
}

// entryOf returns the entry of a server.
func entryOf(t testing.TB, m *gamespy2net.Master, addr netip.AddrPort) gamespy2net.Entry {
	t.Helper()
	for e := range m.Servers() {
		if e.Addr == addr {
			return e
		}
	}
	t.Fatalf("no entry of %v", addr)
	return gamespy2net.Entry{}
}

// The recorded server of the SDK gets the same answers as from the master that it was
// recorded with, except for random numbers and the time.
func TestMasterAnswersTheRecordedServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		if got, _ := m.Respond(gameServer, recorded(t, "available"), nil); len(got) != 1 ||
			!bytes.Equal(got[0], recorded(t, "available_answer")) {
			t.Errorf("availability: %x", got)
		}
		first := recorded(t, "heartbeat_first")
		c := challengeIn(t, nettest.Answers(m.Respond(gameServer, first, nil)))
		got, want := wireBytes(t, c), recorded(t, "challenge")
		const random, randomSize = 7, 6
		if len(got) != len(want) || !bytes.Equal(got[:random], want[:random]) ||
			!bytes.Equal(got[random+randomSize:], want[random+randomSize:]) {
			t.Errorf("challenge %q, recorded %q", got, want)
		}
		answer := answerTo(t, c, gmtest.Key)
		if len(answer) != len(recorded(t, "challenge_answer")) {
			t.Errorf("answer of %d bytes", len(answer))
		}
		answers, _ := m.Respond(gameServer, answer, nil)
		if len(answers) != 3 || !bytes.Equal(answers[0], recorded(t, "registered")) {
			t.Fatalf("registered: %x", answers)
		}
		wantListed(t, m)

		// The server answers the query for a key with option 00, and a challenge
		// request with 80.
		id := [4]byte(answers[1][3:7])
		noAnswer(t, m, gameServer, wireBytes(t, gamespy2.Values{ID: id, Values: []string{"GameSpy QR2 Sample"}}))
		wantListed(t, m, gameServer)
		if h, err := entryOf(t, m, gameServer).Parse(); err != nil || !bytes.Equal(wireBytes(t, h), first) {
			t.Errorf("kept %q, %v", entryOf(t, m, gameServer).Heartbeat, err)
		}

		time.Sleep(20 * time.Second)
		alive, _ := m.Respond(gameServer, recorded(t, "keepalive"), nil)
		if len(alive) != 1 {
			t.Fatalf("keepalive: %x", alive)
		}
		got, want = alive[0], recorded(t, "keepalive_answer")
		if len(got) != len(want) || !bytes.Equal(got[:7], want[:7]) ||
			binary.BigEndian.Uint32(got[7:]) != uint32(time.Now().Unix()) {
			t.Errorf("keepalive: %x, recorded %x", got, want)
		}
		noAnswer(t, m, gameServer, recorded(t, "heartbeat_changed"))
		if v := entryOf(t, m, gameServer).View(); v.Map != "gmtmap2" || v.Host != "127.0.0.1" {
			t.Errorf("after the change: %+v", v)
		}
	})
}

// A server is listed once it answers one of the two queries with the id that was sent
// to it.
func TestMasterQueriesServers(t *testing.T) {
	heartbeat := beat{key: instance}.wire(t)
	for _, tt := range []struct {
		name   string
		answer func(id [4]byte) encoding.BinaryAppender
		from   netip.AddrPort
		listed bool
	}{
		{"values", func(id [4]byte) encoding.BinaryAppender {
			return gamespy2.Values{ID: id, Values: []string{""}}
		}, gameServer, true},
		{"challenge", func(id [4]byte) encoding.BinaryAppender {
			return gamespy2.ChallengeResponse{ID: id, Number: -545257353}
		}, gameServer, true},
		{"no challenges", func(id [4]byte) encoding.BinaryAppender {
			return gamespy2.ChallengeResponse{ID: id}
		}, gameServer, true},
		{"another id", func(id [4]byte) encoding.BinaryAppender {
			id[3] ^= 1
			return gamespy2.Values{ID: id, Values: []string{""}}
		}, gameServer, false},
		{"no id", func([4]byte) encoding.BinaryAppender {
			return gamespy2.Values{Values: []string{""}}
		}, gameServer, false},
		{"another address", func(id [4]byte) encoding.BinaryAppender {
			return gamespy2.Values{ID: id, Values: []string{""}}
		}, otherServer, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newMaster()
			queries := register(t, m, gameServer, heartbeat)
			q, err := gamespy2.ParseRequest(queries[0])
			if err != nil || q.Type != gamespy2.TypeQuery {
				t.Fatalf("query %x, %v", queries[0], err)
			}
			if c, err := gamespy2.ParseRequest(queries[1]); err != nil || c.Type != gamespy2.TypeChallenge ||
				c.ID != q.ID {
				t.Fatalf("challenge request %x, %v", queries[1], err)
			}
			wantListed(t, m)
			if st := m.Stats(); st.Unchecked != 1 {
				t.Errorf("%d unchecked servers", st.Unchecked)
			}
			noAnswer(t, m, tt.from, wireBytes(t, tt.answer(q.ID)))
			if tt.listed {
				wantListed(t, m, gameServer)
				return
			}
			wantListed(t, m)

			// The next heartbeat is answered with the same queries.
			if again, _ := m.Respond(gameServer, heartbeat, nil); !slices.EqualFunc(again, queries, bytes.Equal) {
				t.Errorf("queries %x, after %x", again, queries)
			}
		})
	}
	m := newMaster()
	m.Unchecked = true
	if queries := register(t, m, gameServer, heartbeat); len(queries) > 0 {
		t.Errorf("queries %x", queries)
	}
	wantListed(t, m, gameServer)
}

func TestMasterListsOnlyAfterItsChallenge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		m.Unchecked = true
		heartbeat := beat{key: instance}.wire(t)
		ask := func() qr2.Challenge { return challengeIn(t, nettest.Answers(m.Respond(otherServer, heartbeat, nil))) }
		c := ask()
		text, ok := c.ParseText()
		if !ok || text.Addr != otherServer || text.Options != 0 || c.Key != instance {
			t.Errorf("challenge %+v", text)
		}
		wrongInstance := c
		wrongInstance.Key[0] ^= 1
		noAnswer(t, m, otherServer, answerTo(t, wrongInstance, gmtest.Key))
		right := answerTo(t, c, gmtest.Key)
		noAnswer(t, m, gameServer, right) // has sent no heartbeat
		noAnswer(t, m, netip.AddrPortFrom(otherServer.Addr(), 6501), right)

		// A challenge is valid for 10 to 20 s.
		time.Sleep(10 * time.Second)
		if got, _ := m.Respond(otherServer, right, nil); len(got) != 1 {
			t.Errorf("the right answer after 10 s is answered with %q", got)
		}
		wantListed(t, m, otherServer)
		noAnswer(t, m, otherServer, right) // is used up

		m = newMaster()
		right = answerTo(t, ask(), gmtest.Key)
		time.Sleep(20 * time.Second)
		noAnswer(t, m, otherServer, right)
		c = ask()
		noAnswer(t, m, otherServer, right) // late, not wrong
		if got, _ := m.Respond(otherServer, answerTo(t, c, gmtest.Key), nil); len(got) != 3 {
			t.Errorf("the right answer after a late one is answered with %q", got)
		}

		m = newMaster()
		m.Games[0].RequireChallenge = true
		if text, _ := ask().ParseText(); text.Options != qr2.OptionQueryChallenge {
			t.Errorf("options %#x", text.Options)
		}
	})
}

func TestMasterForgetsSilentServers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		heartbeat := beat{key: instance}.wire(t)
		enlist(t, m, gameServer, heartbeat)
		enlist(t, m, otherServer, heartbeat)
		time.Sleep(gamespy2net.Expiry)
		noAnswer(t, m, gameServer, heartbeat)
		wantListed(t, m, gameServer, otherServer)
		time.Sleep(time.Nanosecond)
		wantListed(t, m, gameServer)

		// A keepalive counts, but not one with another key.
		time.Sleep(gamespy2net.Expiry - 1)
		alive := wireBytes(t, qr2.Keepalive{Key: instance})
		if got, _ := m.Respond(gameServer, alive, nil); len(got) != 1 {
			t.Errorf("keepalive is answered with %q", got)
		}
		time.Sleep(gamespy2net.Expiry)
		noAnswer(t, m, gameServer, wireBytes(t, qr2.Keepalive{Key: [4]byte{1}}))
		wantListed(t, m, gameServer)
		time.Sleep(time.Nanosecond)
		wantListed(t, m)
		noAnswer(t, m, gameServer, alive)
		challengeIn(t, nettest.Answers(m.Respond(gameServer, heartbeat, nil)))
	})
}

// A server is removed only by a datagram from its address with its instance key.
func TestMasterRemovesServersThatStop(t *testing.T) {
	m := newMaster()
	enlist(t, m, gameServer, beat{key: instance}.wire(t))
	enlist(t, m, otherServer, beat{key: instance}.wire(t))
	stop := beat{key: instance, state: qr2.StateShutdown}.wire(t)
	noAnswer(t, m, gameServer, beat{key: [4]byte{1}, state: qr2.StateShutdown}.wire(t))
	noAnswer(t, m, netip.AddrPortFrom(gameServer.Addr(), 1), stop)
	wantListed(t, m, gameServer, otherServer)
	noAnswer(t, m, gameServer, stop)
	wantListed(t, m, otherServer)
	noAnswer(t, m, gameServer, stop)
	challengeIn(t, nettest.Answers(m.Respond(gameServer, beat{key: instance}.wire(t), nil)))
}

// A server that starts again, or with another game, proves its address again. Until
// then the Master keeps its last heartbeat.
func TestMasterKeepsServersThatStartAgain(t *testing.T) {
	m := newMaster()
	m.Games = append(m.Games, gamespy2net.Game{Name: "other", Key: "secret"})
	before := beat{key: instance, pairs: []string{"hostname", "before"}}.wire(t)
	enlist(t, m, gameServer, before)
	again := beat{key: [4]byte{1}, pairs: []string{"hostname", "after"}}
	c := challengeIn(t, nettest.Answers(m.Respond(gameServer, again.wire(t), nil)))
	noAnswer(t, m, gameServer, before)
	if got := entryOf(t, m, gameServer).View().Name; got != "before" {
		t.Errorf("the name is %q before the answer", got)
	}
	if got, _ := m.Respond(gameServer, answerTo(t, c, gmtest.Key), nil); len(got) == 0 {
		t.Error("the right answer is not answered")
	}
	if got := entryOf(t, m, gameServer).View().Name; got != "after" {
		t.Errorf("the name is %q after the answer", got)
	}
	challengeIn(t, nettest.Answers(m.Respond(gameServer, before, nil)))

	again.game = "other"
	c = challengeIn(t, nettest.Answers(m.Respond(gameServer, again.wire(t), nil)))
	if got := entryOf(t, m, gameServer).Game; got != "gmtest" {
		t.Errorf("the game is %q before the answer", got)
	}
	_, err := qr2.ParseAddError(nettest.Answers(m.Respond(gameServer, answerTo(t, c, gmtest.Key), nil))[0])
	if err != nil {
		t.Error(err)
	}
	c = challengeIn(t, nettest.Answers(m.Respond(gameServer, again.wire(t), nil)))
	m.Respond(gameServer, answerTo(t, c, "secret"), nil)
	if got := m.Stats(); got.Listed+got.Unchecked != 1 {
		t.Errorf("%+v", got)
	}
	for _, q := range nettest.Answers(m.Respond(gameServer, again.wire(t), nil)) {
		noAnswer(t, m, gameServer, answerToQuery(t, q))
	}
	if got := entryOf(t, m, gameServer).Game; got != "other" {
		t.Errorf("the game is %q after the answer", got)
	}
	wantListed(t, m, gameServer)
}

func TestMasterAnswersValidHeartbeatsOnly(t *testing.T) {
	m := newMaster()
	heartbeat := beat{key: instance}.wire(t)
	v6 := netip.MustParseAddrPort("[2001:db8::1]:6500")
	noAnswer(t, m, v6, heartbeat)
	noAnswer(t, m, netip.AddrPortFrom(otherServer.Addr(), 0), heartbeat)
	challengeIn(t, nettest.Answers(m.Respond(netip.AddrPortFrom(netip.AddrFrom16(otherServer.Addr().As16()), 6500),
		heartbeat, nil)))
	for name, req := range map[string][]byte{
		"another game":            beat{key: instance, game: "other"}.wire(t),
		"a game in other letters": beat{key: instance, game: "GMTEST"}.wire(t),
		"no game": wireBytes(t,
			qr2.Heartbeat{Key: instance, Info: []gamespy2.KeyValue{{Key: "hostname", Value: "name"}}}),
		"a cut heartbeat":     heartbeat[:len(heartbeat)-1],
		"a server that stops": beat{key: instance, state: qr2.StateShutdown}.wire(t),
		"a short heartbeat": wireBytes(t,
			qr2.Heartbeat{Info: []gamespy2.KeyValue{{Key: "gamename", Value: "gmtest"}}}),
		"a long heartbeat":         append(slices.Clone(heartbeat), make([]byte, qr2.MaxHeartbeat)...),
		"an acknowledgement":       wireBytes(t, qr2.ClientMessageAck{Key: instance}),
		"a keepalive":              wireBytes(t, qr2.Keepalive{Key: instance}),
		"availability of others":   wireBytes(t, qr2.AvailabilityRequest{GameName: "other"}),
		"an answer of a server":    recorded(t, "unknown_challenge_response"),
		"the older protocol":       []byte(`\heartbeat\6500\gamename\gmtest`),
		"an empty datagram":        {},
		"a message of a master":    recorded(t, "registered"),
		"a challenge of a master":  recorded(t, "challenge"),
		"a master's keepalive":     recorded(t, "keepalive_answer"),
		"a master's availability":  recorded(t, "available_answer"),
		"a query":                  wireOf(t, fullQuery(0)),
		"a challenge request":      wireOf(t, gamespy2.Request{Type: gamespy2.TypeChallenge, ID: id}),
		"a number for a game name": wireBytes(t, gamespy2.ChallengeResponse{Number: 123456}),
	} {
		if got, _ := m.Respond(otherServer, req, nil); len(got) > 0 {
			t.Errorf("%s: %q", name, got)
		}
	}
	wantListed(t, m)
	m.Games[0].Availability = qr2.TemporarilyUnavailable
	m = &gamespy2net.Master{Games: m.Games}
	got, _ := m.Respond(v6, recorded(t, "available"), nil)
	if len(got) != 1 || !bytes.Equal(got[0],
		wireBytes(t, qr2.AvailabilityAnswer{Availability: qr2.TemporarilyUnavailable})) {
		t.Errorf("availability %x", got)
	}
}

// Datagrams of other protocols are passed on, but not the answers to queries.
func TestMasterPassesOnOtherProtocols(t *testing.T) {
	m := newMaster()
	var got []string
	m.Other = func(_ netip.Addr, from netip.AddrPort, req []byte, dst [][]byte) ([][]byte, bool) {
		got = append(got, from.String()+" "+string(req))
		return append(dst, []byte("answer")), true
	}
	enlist(t, m, gameServer, beat{key: instance}.wire(t))
	if answers, _ := m.Respond(gameServer, []byte(`\heartbeat\6500`), nil); len(answers) != 1 ||
		string(answers[0]) != "answer" {
		t.Errorf("answered with %q", answers)
	}
	m.Respond(gameServer, beat{key: instance}.wire(t), nil)
	m.Respond(gameServer, recorded(t, "available"), nil)
	if want := []string{`127.0.0.1:11111 \heartbeat\6500`}; !slices.Equal(got, want) {
		t.Errorf("passed on %q, want %q", got, want)
	}
}

func TestMasterHidesWhatAdmitRefuses(t *testing.T) {
	banned := "Bad"
	m := newMaster()
	m.Admit = func(e gamespy2net.Entry) bool { return e.View().Name != banned }
	good, bad := beat{key: instance, pairs: []string{"hostname", "Good"}}, beat{key: instance,
		pairs: []string{"hostname", "Bad"}}
	enlist(t, m, gameServer, good.wire(t))
	enlist(t, m, otherServer, bad.wire(t))
	wantListed(t, m, gameServer)
	if st := m.Stats(); st.Withheld != 1 || !entryOf(t, m, otherServer).Withheld {
		t.Errorf("a bad name: %+v", st)
	}
	noAnswer(t, m, otherServer, good.wire(t))
	wantListed(t, m, gameServer, otherServer)
	noAnswer(t, m, gameServer, bad.wire(t))
	wantListed(t, m, otherServer)
	banned = "Good"
	m.Review()
	wantListed(t, m, gameServer)
	noAnswer(t, m, otherServer, beat{key: instance, state: qr2.StateShutdown}.wire(t)) // while withheld
	if st := m.Stats(); st.Withheld != 0 || st.Listed != 1 {
		t.Errorf("after it has left: %+v", st)
	}
}

// A server with another secret key gets that error, and only once for each heartbeat.
func TestMasterRefusesWrongKeys(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newMaster()
		var refused []lobbywire.Refusal
		m.Refused = func(r lobbywire.Refusal) { refused = append(refused, r) }
		heartbeat := beat{key: instance}.wire(t)
		want := wireBytes(t, qr2.AddError{Key: instance, Code: 1, Text: "wrong secret key"})
		wrong := uint64(0)
		for name, answer := range map[string]func(c qr2.Challenge) []byte{
			"secret key": func(c qr2.Challenge) []byte { return answerTo(t, c, "other") },
			"cut": func(c qr2.Challenge) []byte {
				b := answerTo(t, c,
					gmtest.Key)
				return append(b[:len(b)-3], 0)
			},
		} {
			c := challengeIn(t, nettest.Answers(m.Respond(otherServer, heartbeat, nil)))
			if got, _ := m.Respond(otherServer, answer(c), nil); len(got) != 1 || !bytes.Equal(got[0], want) {
				t.Errorf("%s: answered with %q", name, got)
			}
			noAnswer(t, m, otherServer, answerTo(t, c, "other"))
			noAnswer(t, m, otherServer, answerTo(t, c, gmtest.Key))
			wrong++
			if got := m.Stats().Wrong; got != wrong {
				t.Errorf("%s: %d wrong answers are counted, want %d", name, got, wrong)
			}
			why := []lobbywire.Refusal{
				{From: otherServer, Reason: lobbywire.ReasonChallenge, Game: gmtest.Name},
				{From: otherServer, Reason: lobbywire.ReasonKey, Game: gmtest.Name},
			}
			if !slices.Equal(refused, why) {
				t.Errorf("%s: reported as %v", name, refused)
			}
			refused = nil
		}
		// A Registration stops and reports it.
		r := sampleRegistration()
		r.Key = "other"
		m.Games[0].Availability = 0
		at, err := r.Master()
		if err != nil {
			t.Fatal(err)
		}
		for request := r.Tick(time.Now(), nil); len(request) > 0; request = r.Tick(time.Now(), nil) {
			for answers, _ := m.Respond(otherServer, request, nil); len(answers) > 0; {
				replies, _ := r.Respond(at, answers[0], nil)
				answers = nil
				if len(replies) > 0 {
					answers, _ = m.Respond(otherServer, replies[0], nil)
				}
			}
		}
		st := r.Status()
		if st.Standing != lobbywire.StandingRefused || !strings.Contains(st.Err.Error(), "wrong secret key") {
			t.Errorf("the Registration reports %v", st.Err)
		}
		wantListed(t, m)
	})
}

// 200 servers of the SDK that start at one moment, on one address or on one prefix each,
// are listed although each of them sends nothing twice.
func TestMasterListsABurst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, addr := range map[string]func(i int) netip.AddrPort{
			"one address": func(i int) netip.AddrPort {
				return netip.AddrPortFrom(otherServer.Addr(),
					uint16(7000+i))
			},
			"many prefixes": func(i int) netip.AddrPort { return manyServers(1000 * i) },
		} {
			m := &gamespy2net.Master{
				Games:  []gamespy2net.Game{gmtest},
				Limits: gamespy2net.MasterLimits{MaxPerAddress: 200, MaxPerPrefix: 200},
			}
			const servers = 200
			heartbeat := recorded(t, "heartbeat_first")
			var challenges [servers][][]byte
			for i := range servers {
				if got, _ := m.Respond(addr(i), recorded(t, "available"), nil); len(got) != 1 {
					t.Fatalf("%s: server %d learns nothing of the game", name, i)
				}
				challenges[i], _ = m.Respond(addr(i), heartbeat, nil)
			}
			for i := range servers {
				answers, _ := m.Respond(addr(i), answerTo(t, challengeIn(t, challenges[i]), gmtest.Key), nil)
				if len(answers) != 3 {
					t.Fatalf("%s: server %d is answered with %q", name, i, answers)
				}
				for _, query := range answers[1:] {
					noAnswer(t, m, addr(i), answerToQuery(t, query))
				}
			}
			if st := m.Stats(); st.Listed != servers || st.Limited != 0 {
				t.Errorf("%s: %+v", name, st)
			}
		}
	})
}

// manyServers returns the address of server i of many, each in a prefix with 255
// others.
func manyServers(i int) netip.AddrPort {
	var ip [4]byte
	binary.BigEndian.PutUint32(ip[:], 0x0a000000+uint32(i))
	return netip.AddrPortFrom(netip.AddrFrom4(ip), 6500)
}

func TestMasterLimitsServers(t *testing.T) {
	heartbeat := beat{key: instance}.wire(t)
	for _, tt := range []struct {
		name   string
		limits gamespy2net.MasterLimits
		addr   func(i int) netip.AddrPort
	}{
		{"total", gamespy2net.MasterLimits{MaxServers: 10},
			func(i int) netip.AddrPort { return manyServers(1000 * i) }},
		{"address", gamespy2net.MasterLimits{MaxPerAddress: 10},
			func(i int) netip.AddrPort { return netip.AddrPortFrom(otherServer.Addr(), uint16(6500+i)) }},
		{"prefix", gamespy2net.MasterLimits{MaxPerPrefix: 10}, manyServers},
	} {
		m := newMaster()
		m.Unchecked = true
		tt.limits.Rates, m.Limits = m.Limits.Rates, tt.limits
		for i := range 12 {
			c := challengeIn(t, nettest.Answers(m.Respond(tt.addr(i), heartbeat, nil)))
			got := len(nettest.Answers(m.Respond(tt.addr(i), answerTo(t, c, gmtest.Key), nil)))
			if got != 1 && i < 10 || got != 0 && i >= 10 {
				t.Errorf("%s: server %d gets %d datagrams", tt.name, i, got)
			}
		}
		if st := m.Stats(); st.Listed != 10 || st.Refused != 2 {
			t.Errorf("%s: %+v", tt.name, st)
		}
	}
}

// A server needs no more memory than the package documentation promises.
func TestMasterTakesTheDocumentedMemory(t *testing.T) {
	const servers = 1000
	m := newMaster()
	m.Unchecked = true
	register(t, m, otherServer, recorded(t, "heartbeat_first"))
	before := suite.Heap()
	for i := range servers {
		register(t, m, manyServers(i), recorded(t, "heartbeat_first"))
	}
	each := (int64(suite.Heap()) - int64(before)) / servers
	t.Logf("%d bytes for each server", each)
	if each > 4<<10 {
		t.Errorf("%d bytes for each server", each)
	}
	runtime.KeepAlive(m)
}

// An unverified source never gets more bytes than it has sent, for any request.
func TestMasterNeverSendsMoreThanItGot(t *testing.T) {
	m := newMaster()
	requests := [][]byte{
		recorded(t, "heartbeat_first"), recorded(t, "available"), recorded(t, "heartbeat_keys"),
		beat{key: instance}.wire(t),
		wireBytes(t, qr2.Heartbeat{Info: []gamespy2.KeyValue{{Key: "gamename", Value: "gmtest"}}}),
		wireBytes(t, qr2.Heartbeat{Info: []gamespy2.KeyValue{{Key: "gamename", Value: "gmtest"},
			{Key: "a", Value: "bcd"}}}),
	}
	random := rand.New(rand.NewPCG(1, 2))
	answered := 0
	for i := range 20_000 {
		req := slices.Clone(requests[random.IntN(len(requests))])
		for range random.IntN(4) {
			req[random.IntN(len(req))] = byte(random.IntN(256))
		}
		req = req[:len(req)-random.IntN(2)*random.IntN(len(req))]
		sent := 0
		for _, a := range nettest.Answers(m.Respond(manyServers(i), req, nil)) {
			answered++
			sent += len(a)
		}
		if sent > len(req) {
			t.Fatalf("%d bytes for %d: %q", sent, len(req), req)
		}
	}
	if answered < 1000 {
		t.Errorf("only %d answers", answered)
	}
}

// A verified source has a limit of its own, so nobody else uses it up. Nobody gets
// more than the limits by sending from many addresses of a prefix.
func TestMasterLimitsSources(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &gamespy2net.Master{Games: []gamespy2net.Game{gmtest},
			Limits: gamespy2net.MasterLimits{Rates: lobbywire.Rates{PerSource: 5, PerPrefix: 8, Global: 20}}}
		heartbeat := beat{key: instance}.wire(t)
		enlist(t, m, otherServer, heartbeat)
		time.Sleep(time.Minute)
		count := func(from func(i int) netip.AddrPort) (n int) {
			for i := range 100 {
				n += len(nettest.Answers(m.Respond(from(i), beat{key: [4]byte{2}}.wire(t), nil)))
			}
			return n
		}
		if n := count(func(int) netip.AddrPort { return gameServer }); n != 5 {
			t.Errorf("a source gets %d challenges", n)
		}
		if n := count(manyServers); n != 8 {
			t.Errorf("a prefix gets %d challenges", n)
		}
		n := count(func(i int) netip.AddrPort { return manyServers(1000 * (i + 1)) })
		if n != 2 { // a quarter is kept for proven prefixes
			t.Errorf("all get %d more challenges", n)
		}
		if m.Stats().Limited == 0 {
			t.Error("nothing is counted as limited")
		}
		alive := wireBytes(t, qr2.Keepalive{Key: instance})
		if got, _ := m.Respond(otherServer, alive, nil); len(got) != 1 {
			t.Errorf("keepalive is answered with %q", got)
		}
		noAnswer(t, m, otherServer, heartbeat)

		// A server may report as many changes as a source may send requests.
		time.Sleep(time.Minute)
		for i := range 100 {
			noAnswer(t, m, otherServer, beat{key: instance, pairs: []string{"hostname", fmt.Sprint(i)}}.wire(t))
		}
		if got := entryOf(t, m, otherServer).View().Name; got != "4" {
			t.Errorf("the last change is number %s", got)
		}
	})
}

func TestMasterReusesMemory(t *testing.T) {
	m := newMaster()
	heartbeat := beat{key: instance}.wire(t)
	enlist(t, m, gameServer, heartbeat)
	alive, available := wireBytes(t, qr2.Keepalive{Key: instance}), recorded(t, "available")
	dst := make([][]byte, 0, 4)
	for _, tt := range []struct {
		name   string
		req    []byte
		from   netip.AddrPort
		budget float64
	}{
		{"heartbeat of a listed server", heartbeat, gameServer, 0},
		{"keepalive", alive, gameServer, 0},
		{"availability", available, asker, 1},
		{"heartbeat of a stranger", heartbeat, stranger, 3},
		{"stray datagram", []byte("stray"), stranger, 0},
	} {
		dst, _ = m.Respond(tt.from, tt.req, dst[:0])
		got := testing.AllocsPerRun(100, func() { dst, _ = m.Respond(tt.from, tt.req, dst[:0]) })
		t.Logf("%s: %v allocations", tt.name, got)
		if got > tt.budget {
			t.Errorf("%s: %v allocations, budget %v", tt.name, got, tt.budget)
		}
	}
}

func TestMasterIsSafeForConcurrentUse(t *testing.T) {
	m := newMaster()
	m.Admit = func(e gamespy2net.Entry) bool { return e.Addr.Port()%2 == 0 }
	var wait sync.WaitGroup
	for worker := range 4 {
		wait.Go(func() {
			random := rand.New(rand.NewPCG(uint64(worker), 2))
			for range 200 {
				from := netip.AddrPortFrom(otherServer.Addr(), uint16(6500+random.IntN(8)))
				v := beat{key: instance, pairs: []string{"n", fmt.Sprint(random.IntN(3))}}
				switch answers, _ := m.Respond(from, v.wire(t), nil); {
				case random.IntN(10) == 0:
					v.state = qr2.StateShutdown
					m.Respond(from, v.wire(t), nil)
				case len(answers) == 1:
					if c, err := qr2.ParseChallenge(answers[0]); err == nil {
						m.Respond(from, answerTo(t, c, gmtest.Key), nil)
					}
				case len(answers) == 2:
					m.Respond(from, answerToQuery(t, answers[0]), nil)
				}
				m.Review()
				for range m.Servers() {
				}
				m.Stats()
			}
		})
	}
	wait.Wait()
	st := m.Stats()
	n := 0
	for range m.Servers() {
		n++
	}
	if n != st.Listed+st.Withheld || st.Listed > 4 || st.Withheld > 4 {
		t.Errorf("%d servers, %+v", n, st)
	}
}

func TestMasterListsOverSockets(t *testing.T) {
	pc, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Skip(err)
	}
	m := &gamespy2net.Master{Games: []gamespy2net.Game{gmtest}}
	ended := make(chan error, 1)
	go func() { ended <- m.Serve(pc) }()
	conn, err := net.Dial("udp4", pc.LocalAddr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	b := make([]byte, 100)
	exchange := func(req []byte) []byte {
		if _, err := conn.Write(req); err != nil {
			t.Fatal(err)
		}
		if err := conn.SetReadDeadline(time.Now().Add(time.Minute)); err != nil {
			t.Fatal(err)
		}
		n, err := conn.Read(b)
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(b[:n])
	}
	c := challengeIn(t, [][]byte{exchange(beat{key: instance}.wire(t))})
	if got := exchange(answerTo(t, c, gmtest.Key)); !bytes.Equal(got, wireBytes(t, qr2.Registered{Key: instance})) {
		t.Errorf("registered: %q", got)
	}
	if st := m.Stats(); st.Unchecked != 1 || st.Received != 2 {
		t.Errorf("%+v", st)
	}
	if err := m.Shutdown(t.Context()); err != nil {
		t.Error(err)
	}
	if err := <-ended; err != lobbywire.ErrClosed {
		t.Errorf("Serve returned %v", err)
	}
	if err := m.Close(); err != nil {
		t.Error(err)
	}
}
