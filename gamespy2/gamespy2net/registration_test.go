package gamespy2net_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// The addresses of a master and of a server in memory.
var (
	masterAt = netip.MustParseAddrPort("192.0.2.1:27900")
	serverAt = netip.MustParseAddrPort("198.51.100.1:6500")
)

// sampleRegistration registers the sample server of the SDK.
func sampleRegistration() *gamespy2net.Registration {
	return &gamespy2net.Registration{
		Addr: masterAt.String(), Game: "gmtest", Key: "HA6zkS",
		LocalAddrs: []netip.Addr{netip.MustParseAddr("127.0.0.1")}, LocalPort: 11111, NATNegotiation: true,
	}
}

// stateIn returns the state that a recorded heartbeat reports.
func stateIn(t testing.TB, name string) gamespy2net.State {
	t.Helper()
	m, err := qr2.ParseHeartbeat(recorded(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return gamespy2net.State{Info: m.GameInfo(), Players: *m.Players, Teams: *m.Teams}
}

// To the datagrams that the sample server of the SDK received, the Registration sends the
// same bytes as that server.
func TestRegistrationSendsWhatTheSDKSends(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, withServer := range []bool{false, true} {
			r := sampleRegistration()
			receive := r.Respond
			if withServer {
				r.Server = new(gamespy2net.Server)
				receive = r.Server.Respond
			}
			if err := r.Set(stateIn(t, "heartbeat_first")); err != nil {
				t.Fatal(err)
			}
			wantSent := func(name string) {
				t.Helper()
				if got := r.Tick(time.Now(), nil); !bytes.Equal(got, recorded(t, name)) {
					t.Errorf("sent %q, recorded %q", got, recorded(t, name))
				}
				if more := r.Tick(time.Now(), nil); len(more) > 0 {
					t.Errorf("sent %q after %s", more, name)
				}
			}
			wantAnswer := func(name string, want []byte) {
				t.Helper()
				got, _ := receive(masterAt, recorded(t, name), nil)
				if want == nil && len(got) > 0 || want != nil && (len(got) != 1 || !bytes.Equal(got[0], want)) {
					t.Errorf("%s is answered with %q, recorded %q", name, got, want)
				}
			}
			wantSent("available")
			r.SetKey(instance)
			wantAnswer("available_answer", nil)
			wantSent("heartbeat_first")
			wantAnswer("challenge", recorded(t, "challenge_answer"))
			wantAnswer("registered", nil)
			if s, sent := r.Status(), r.Stats().Sent; s.Standing != lobbywire.StandingListed || sent != 3 {
				t.Errorf("%v, sent %d", s, sent)
			}
			time.Sleep(20 * time.Second)
			wantSent("keepalive")
			wantAnswer("keepalive_answer", nil)
			if err := r.Set(stateIn(t, "heartbeat_changed")); err != nil {
				t.Fatal(err)
			}
			wantSent("heartbeat_changed")
			last, err := qr2.ParseHeartbeat(r.Leave(nil))
			if err != nil || last.Key != instance || last.Identity().State != qr2.StateShutdown ||
				len(last.GameInfo()) != 1 || last.Players != nil {
				t.Errorf("last heartbeat %+v, %v", last, err)
			}
			if b := r.Leave(nil); len(b) > 0 {
				t.Errorf("left again with %q", b)
			}
			if b := r.Tick(time.Now().Add(time.Hour), nil); len(b) > 0 {
				t.Errorf("sent %q after the end", b)
			}
		}
	})
}

// A sent is a datagram that a Registration sends, and when.
type sent struct {
	at   time.Duration
	what string
}

// describe names a datagram to a master.
func describe(t testing.TB, b []byte) string {
	t.Helper()
	m, err := qr2.ParseToMaster(b)
	if err != nil {
		t.Fatal(err)
	}
	if h, ok := m.(qr2.Heartbeat); ok {
		return h.Identity().State.String()
	}
	return strings.TrimPrefix(fmt.Sprintf("%T", m), "qr2.")
}

// tickFor returns what a Registration sends in a time, waiting as Next says.
func tickFor(t testing.TB, r *gamespy2net.Registration, d time.Duration) (all []sent) {
	t.Helper()
	start := time.Now()
	for {
		for b := r.Tick(time.Now(), nil); len(b) > 0; b = r.Tick(time.Now(), nil) {
			all = append(all, sent{time.Since(start), describe(t, b)})
		}
		left, wait := d-time.Since(start), time.Until(r.Next())
		if left < wait {
			time.Sleep(max(left, 0))
			return all
		}
		if wait <= 0 {
			t.Fatalf("nothing to send, but it is due %v ago; sent %v", -wait, all)
		}
		time.Sleep(wait)
	}
}

func wantSent(t testing.TB, got []sent, want ...sent) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("sent %v, want %v", got, want)
	}
}

// A master that never answers gets the datagrams of the SDK, at its times.
func TestRegistrationKeepsTheTimesOfTheSDK(t *testing.T) {
	const s = time.Second
	synctest.Test(t, func(t *testing.T) {
		r := sampleRegistration()
		wantSent(t, tickFor(t, r, 43*s),
			sent{0, "AvailabilityRequest"}, sent{2 * s, "AvailabilityRequest"},
			sent{4 * s, "start"}, sent{14 * s, "start"}, sent{24 * s, "start"}, sent{34 * s, "start"})
		if err := r.Status().Err; err != nil {
			t.Errorf("after 43 s: error %v", err)
		}
		wantSent(t, tickFor(t, r, 130*s),
			sent{1 * s, "same"}, sent{21 * s, "Keepalive"}, sent{41 * s, "Keepalive"},
			sent{61 * s, "same"}, sent{81 * s, "Keepalive"}, sent{101 * s, "Keepalive"}, sent{121 * s, "same"})
		if err := r.Status().Err; !errors.Is(err, lobbywire.ErrTimeout) {
			t.Errorf("after 173 s: error %v", err)
		}

		// Anything from the master counts as an answer. So do changes, delayed to
		// 10 s after the last heartbeat, and once for several.
		r.Respond(masterAt, wireBytes(t, qr2.KeepaliveAnswer{}), nil)
		if err := r.Status().Err; err != nil {
			t.Errorf("error %v after an answer", err)
		}
		set := func(players int) {
			if err := r.Set(sampleState(players)); err != nil {
				t.Fatal(err)
			}
		}
		set(1)
		set(2)
		got := tickFor(t, r, 5*s)
		set(2)
		set(3)
		got = append(got, tickFor(t, r, 5*s)...)
		wantSent(t, got, sent{1 * s, "changed"})
		wantSent(t, tickFor(t, r, 12*s), sent{1 * s, "changed"})
	})
}

func TestRegistrationStartsOnceTheMasterAnswers(t *testing.T) {
	const s = time.Second
	synctest.Test(t, func(t *testing.T) {
		r := sampleRegistration()
		tickFor(t, r, s)
		r.Respond(masterAt, recorded(t, "available_answer"), nil)
		wantSent(t, tickFor(t, r, s), sent{0, "start"})
		r.SetKey(instance)
		if got, _ := r.Respond(masterAt, recorded(t, "challenge"), nil); len(got) != 1 {
			t.Errorf("challenge is answered with %q", got)
		}
		wantSent(t, tickFor(t, r, 60*s), sent{19 * s, "Keepalive"}, sent{39 * s, "Keepalive"}, sent{59 * s, "same"})

		// A master that has forgotten the server sends another challenge.
		if got, _ := r.Respond(masterAt, recorded(t, "challenge_options"), nil); len(got) != 1 ||
			!bytes.Equal(got[0], recorded(t, "challenge_answer_options")) {
			t.Errorf("challenge is answered with %q", got)
		}
	})
}

// A master that no longer answers keepalives gets a heartbeat soon. Renew sends one at once.
func TestRegistrationNoticesThatTheMasterHasForgottenIt(t *testing.T) {
	const s = time.Second
	synctest.Test(t, func(t *testing.T) {
		r := sampleRegistration()
		tickFor(t, r, s)
		r.Respond(masterAt, recorded(t, "available_answer"), nil)
		tickFor(t, r, s)
		r.Respond(masterAt, wireBytes(t, qr2.KeepaliveAnswer{}), nil)
		wantSent(t, tickFor(t, r, 20*s), sent{19 * s, "Keepalive"})
		r.Respond(masterAt, wireBytes(t, qr2.KeepaliveAnswer{}), nil)
		wantSent(t, tickFor(t, r, 23*s), sent{19 * s, "Keepalive"})
		if err := r.Status().Err; err != nil {
			t.Errorf("error %v while the master answers", err)
		}
		wantSent(t, tickFor(t, r, 7*s), sent{1 * s, "same"})
		if err := r.Status().Err; !errors.Is(err, lobbywire.ErrTimeout) {
			t.Errorf("error %v after the master has stopped to answer", err)
		}
		r.Renew()
		wantSent(t, tickFor(t, r, 10*s), sent{0, "same"})
	})
}

// A game that is not available is not registered until it is, and a server that the
// master refuses never.
func TestRegistrationWaitsUntilItMayRegister(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		begin := func() *gamespy2net.Registration {
			r := sampleRegistration()
			tickFor(t, r, time.Second)
			return r
		}
		for _, a := range []qr2.Availability{qr2.Unavailable, qr2.TemporarilyUnavailable} {
			r := begin()
			r.Respond(masterAt, wireBytes(t, qr2.AvailabilityAnswer{Availability: a}), nil)
			wantSent(t, tickFor(t, r, 5*time.Minute), sent{5 * time.Minute, "AvailabilityRequest"})
			if err := r.Status().Err; err == nil || !strings.Contains(err.Error(), a.String()) {
				t.Errorf("%v: error %v", a, err)
			}
			r.Respond(masterAt, recorded(t, "available_answer"), nil)
			wantSent(t, tickFor(t, r, time.Second), sent{0, "start"})
			if err := r.Status().Err; err != nil {
				t.Errorf("after an answer: error %v", err)
			}
		}

		r := begin()
		r.Respond(masterAt, recorded(t, "available_answer"), nil)
		tickFor(t, r, time.Second)
		r.SetKey(instance)
		r.Respond(masterAt, wireBytes(t, qr2.AddError{Key: [4]byte{1}, Code: 1, Text: "not ours"}), nil)
		if err := r.Status().Err; err != nil {
			t.Errorf("error %v for another server", err)
		}
		r.Respond(masterAt, wireBytes(t, qr2.AddError{Key: instance, Code: 1, Text: "banned\n"}), nil)
		wantSent(t, tickFor(t, r, time.Hour))
		if err := r.Status().Err; err == nil || !strings.Contains(err.Error(), `"banned\n"`) {
			t.Errorf("after a refusal: error %v", err)
		}
		if got, _ := r.Respond(masterAt, recorded(t, "challenge"), nil); len(got) > 0 {
			t.Errorf("challenge is answered with %q", got)
		}
	})
}

// Only the master of the Registration is answered, and only about its instance key.
func TestRegistrationAnswersItsMasterOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := sampleRegistration()
		r.Server = new(gamespy2net.Server)
		tickFor(t, r, 5*time.Second)
		r.SetKey(instance)
		wrongKey := wireBytes(t, qr2.Challenge{Key: [4]byte{1}, Text: "AbCdEf007F0000012B67"})
		long := append(recorded(t, "challenge")[:27], strings.Repeat("a", 50)+"\x00"...)
		for name, got := range map[string][][]byte{
			"another port": nettest.Answers(r.Server.Respond(netip.AddrPortFrom(masterAt.Addr(), 1), recorded(t, "challenge"),
				nil)),
			"another address":  nettest.Answers(r.Server.Respond(serverAt, recorded(t, "challenge"), nil)),
			"another key":      nettest.Answers(r.Server.Respond(masterAt, wrongKey, nil)),
			"a long challenge": nettest.Answers(r.Server.Respond(masterAt, long, nil)),
			"a registered":     nettest.Answers(r.Server.Respond(masterAt, recorded(t, "registered"), nil)),
			"a cut challenge":  nettest.Answers(r.Server.Respond(masterAt, recorded(t, "challenge")[:20], nil)),
			"a refusal with another key": nettest.Answers(r.Server.Respond(masterAt,
				wireBytes(t, qr2.AddError{Key: [4]byte{1}, Code: 1, Text: "no"}), nil)),
			"a client's message with another key": nettest.Answers(r.Server.Respond(masterAt,
				wireBytes(t, qr2.ClientMessage{Key: [4]byte{1}, ID: 1}), nil)),
			"a master's message": nettest.Answers(r.Server.Respond(masterAt, recorded(t, "keepalive_answer"), nil)),
		} {
			if len(got) > 0 {
				t.Errorf("%s: answered with %q", name, got)
			}
		}
		if got, _ := r.Server.Respond(masterAt, recorded(t, "challenge"), nil); len(got) != 1 {
			t.Errorf("the challenge is answered with %q", got)
		}
		if got, _ := r.Respond(netip.AddrPortFrom(netip.AddrFrom16(masterAt.Addr().As16()), masterAt.Port()),
			recorded(t, "challenge"), nil); len(got) != 1 {
			t.Errorf("the challenge is answered with %q, from an address in the form of IPv6", got)
		}

		// Queries of the master are answered like all others: also the challenge
		// request, which looks like an answer about availability.
		req := wireOf(t, gamespy2.Request{Type: gamespy2.TypeChallenge, ID: [4]byte{0, 0, 0, 1}})
		if got, _ := r.Server.Respond(masterAt, req, nil); len(got) != 1 {
			t.Errorf("the challenge request is answered with %q", got)
		}
		if err := r.Status().Err; err != nil {
			t.Errorf("error %v", err)
		}
	})
}

func TestRegistrationAcknowledgesMessages(t *testing.T) {
	r := sampleRegistration()
	var got []uint32
	r.ClientMessage = func(m qr2.ClientMessage) {
		got = append(got, m.ID)
		r.Stats() // may be called
	}
	r.Tick(time.Now(), nil)
	r.Respond(masterAt, recorded(t, "available_answer"), nil)
	r.Tick(time.Now(), nil)
	r.SetKey(instance)
	for _, id := range []uint32{0, 5, 5, 6, 0, 5} {
		want := wireBytes(t, qr2.ClientMessageAck{Key: instance, ID: id})
		if answers, _ := r.Respond(masterAt, wireBytes(t, qr2.ClientMessage{Key: instance, ID: id}),
			nil); len(answers) != 1 || !bytes.Equal(answers[0], want) {
			t.Errorf("message %d is answered with %q", id, answers)
		}
	}
	if answers, _ := r.Respond(masterAt, wireBytes(t, qr2.ClientMessage{ID: 7}), nil); len(answers) > 0 {
		t.Errorf("message for another server is answered with %q", answers)
	}
	if want := []uint32{0, 5, 6}; !slices.Equal(got, want) {
		t.Errorf("messages %v, want %v", got, want)
	}
}

// With option 80, the server answers no query without a challenge, as the SDK does.
func TestRegistrationRequiresChallenges(t *testing.T) {
	r := sampleRegistration()
	r.Server = newServer(t, gamespy2net.ChallengeOffered, 2)
	r.Tick(time.Now(), nil)
	r.Server.Respond(masterAt, recorded(t, "available_answer"), nil)
	r.Tick(time.Now(), nil)
	r.SetKey(instance)
	answered := func() bool { return len(nettest.Answers(r.Server.Respond(asker, wireOf(t, fullQuery(0)), nil))) > 0 }
	for _, tt := range []struct {
		challenge string
		want      bool
	}{{"challenge", true}, {"challenge_options", false}, {"challenge", true}} {
		r.Server.Respond(masterAt, recorded(t, tt.challenge), nil)
		if got := answered(); got != tt.want {
			t.Errorf("after %s a query without a challenge is answered: %v", tt.challenge, got)
		}
	}
}

// A heartbeat whose tables do not fit has only the keys. If these do not fit either,
// nothing is sent.
func TestRegistrationReportsWhatFits(t *testing.T) {
	heartbeatOf := func(state gamespy2net.State) (qr2.Heartbeat, error) {
		r := sampleRegistration()
		if err := r.Set(state); err != nil {
			return qr2.Heartbeat{}, err
		}
		r.Tick(time.Now(), nil)
		r.Respond(masterAt, recorded(t, "available_answer"), nil)
		m, err := qr2.ParseHeartbeat(r.Tick(time.Now(), nil))
		if err != nil {
			err = r.Status().Err
		}
		return m, err
	}
	if m, err := heartbeatOf(sampleState(8)); err != nil || m.Players == nil || len(m.Players.Rows) != 8 ||
		m.Teams == nil {
		t.Errorf("8 players: %+v, %v", m, err)
	}
	if m, err := heartbeatOf(sampleState(64)); err != nil || m.Players != nil || m.Teams != nil || m.View().Name == "" {
		t.Errorf("64 players: %+v, %v", m, err)
	}
	state := sampleState(0)
	state.Info = append(state.Info, gamespy2.KeyValue{Key: "long", Value: strings.Repeat("a", 1000)})
	if m, err := heartbeatOf(state); err != nil || len(m.View().Rules) == 0 {
		t.Errorf("a long value: %+v, %v", m, err)
	}
	state.Info = append(state.Info, gamespy2.KeyValue{Key: "longer", Value: strings.Repeat("a", 1000)})
	if _, err := heartbeatOf(state); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("two long values: error %v", err)
	}
}

func TestSetViewReachesHeartbeats(t *testing.T) {
	r := sampleRegistration()
	v := lobbywire.View{Name: "Duel", Game: "other", Max: new(8), Roster: []lobbywire.Player{{Name: "Ada"}}}
	if changed := r.SetView(v); changed != nil {
		t.Errorf("%q are changed", changed)
	}
	r.Tick(time.Now(), nil)
	r.Respond(masterAt, recorded(t, "available_answer"), nil)
	m, err := qr2.ParseHeartbeat(r.Tick(time.Now(), nil))
	if v := m.View(); err != nil || v.Name != "Duel" || v.Game != "gmtest" || *v.Max != 8 || len(v.Roster) != 1 {
		t.Errorf("%+v, %v", v, err)
	}
}

// No View stops heartbeats or changes what they say about the server itself. Those that
// are too long have as many keys as fit.
func TestHeartbeatsBearAnyView(t *testing.T) {
	long := strings.Repeat("\xff", 1000)
	var rules []lobbywire.Rule
	for _, key := range []string{"statechanged", "natneg", "localport", "localip0", "gamename", "publicip", long,
		"\x00", ""} {
		rules = append(rules, lobbywire.Rule{Key: key, Value: "2"}, lobbywire.Rule{Key: key + "a", Value: long})
	}
	for name, view := range map[string]lobbywire.View{
		"rules about the server itself": {Name: "Duel", Rules: rules},
		"long texts":                    {Name: long, Game: long, Map: long, Mode: long, Version: long, Rules: rules},
		"players":                       {Name: "Duel", Players: new(-7), Roster: make([]lobbywire.Player, 5000)},
	} {
		for _, server := range []*gamespy2net.Server{nil, new(gamespy2net.Server)} {
			r := sampleRegistration()
			r.Server, r.NATNegotiation = server, false
			r.LocalAddrs = []netip.Addr{netip.MustParseAddr("192.168.100.100"), netip.MustParseAddr("172.16.100.100")}
			r.SetView(view)
			r.Tick(time.Now(), nil)
			r.Respond(masterAt, recorded(t, "available_answer"), nil)
			if server != nil {
				server.Respond(masterAt, recorded(t, "available_answer"), nil)
			}
			m, err := qr2.ParseHeartbeat(r.Tick(time.Now(), nil))
			if err != nil {
				t.Errorf("%s: heartbeat: %v", name, err)
				continue
			}
			v, of := m.View(), m.Identity()
			if of.State != qr2.StateStart || of.NATNegotiation || len(of.LocalAddrs) != 2 || of.GameName != "gmtest" {
				t.Errorf("%s: identity %+v", name, of)
			}
			if players, _ := view.Counts(); v.Name == "" || v.Players == nil || *v.Players != players {
				t.Errorf("%s: view %+v", name, v)
			}
			if err := r.Status().Err; err != nil {
				t.Errorf("%s: status: %v", name, err)
			}
		}
	}
}

// A Registration and a Server on one socket are listed by our Master, follow changes,
// and are removed when they stop.
func TestRegistrationIsListedAndRemoved(t *testing.T) {
	for name, route := range map[string]func(nettest.Packet) []nettest.Packet{
		"as it should be": nil,
		"with losses":     nettest.Faulty(3, false),
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { registerAtMaster(t, &nettest.Network{Route: route}, route != nil) })
		})
	}
}

func registerAtMaster(t *testing.T, network *nettest.Network, isFaulty bool) {
	m := newMaster()
	m.Games[0].RequireChallenge = true
	s := newServer(t, gamespy2net.ChallengeOffered, 2)
	var wait sync.WaitGroup
	conn := listenOn(t, network, serverAt)
	r := &gamespy2net.Registration{Server: s, Conn: conn, Addr: masterAt.String(), Game: "gmtest", Key: "HA6zkS"}
	ctx, cancel := context.WithCancel(t.Context())
	wait.Go(func() { m.Serve(listenOn(t, network, masterAt)) })
	wait.Go(func() { s.Serve(conn) })
	ended := make(chan error, 1)
	wait.Go(func() { ended <- r.Run(ctx) })
	time.Sleep(5 * time.Second)
	if isFaulty {
		time.Sleep(3 * time.Minute)
	}
	wantListed(t, m, serverAt)
	if v := entryOf(t, m, serverAt).View(); v.Game != "gmtest" || len(v.Roster) != 2 {
		t.Errorf("listed: %+v", v)
	}
	if s := r.Status(); !isFaulty && s.Standing != lobbywire.StandingListed {
		t.Errorf("%v", s)
	}
	if err := r.Set(sampleState(5)); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Second)
	if v := entryOf(t, m, serverAt).View(); !isFaulty && len(v.Roster) != 5 {
		t.Errorf("after a change of state: %+v", v)
	}
	for range 10 {
		time.Sleep(time.Minute)
		wantListed(t, m, serverAt)
	}
	cancel()
	if err := <-ended; err != context.Canceled {
		t.Errorf("Run returned %v", err)
	}
	time.Sleep(time.Second)
	if !isFaulty {
		wantListed(t, m)
	}
	if err := errors.Join(s.Close(), m.Close()); err != nil {
		t.Error(err)
	}
	wait.Wait()
}

func listenOn(t testing.TB, network *nettest.Network, addr netip.AddrPort) net.PacketConn {
	t.Helper()
	pc, err := network.Listen(addr)
	if err != nil {
		t.Fatal(err)
	}
	return pc
}

func TestRegistrationSetRefusesAnEmptyKey(t *testing.T) {
	if err := sampleRegistration().Set(gamespy2net.State{Info: []gamespy2.KeyValue{{Key: ""}}}); err == nil {
		t.Error("a state with an empty key is accepted")
	}
}

// Heartbeats have the state that Refresh sets, also if no client queries the server.
func TestHeartbeatsHaveTheRefreshedState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		s := new(gamespy2net.Server)
		r := sampleRegistration()
		r.Server = s
		if _, err := r.Master(); err != nil { // while the Server is not ready
			t.Error(err)
		}
		s.Refresh = func() {
			calls++
			if err := s.Set(sampleState(calls)); err != nil {
				t.Error(err)
			}
		}
		var beats []qr2.Heartbeat
		for range 30 * 60 { // for 30 s of a game's loop
			b := r.Tick(time.Now(), nil)
			if m, err := qr2.ParseHeartbeat(b); err == nil {
				beats = append(beats, m)
			}
			time.Sleep(time.Second / 60)
		}
		if len(beats) < 2 || calls > len(beats)+2 {
			t.Fatalf("%d heartbeats, %d calls", len(beats), calls)
		}
		for i, m := range beats {
			if m.Players == nil || len(m.Players.Rows) != calls-len(beats)+1+i {
				t.Errorf("heartbeat %d of %d: %+v after %d calls", i, len(beats), m.Players, calls)
			}
		}
	})
}
