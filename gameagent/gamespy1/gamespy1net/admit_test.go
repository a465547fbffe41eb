package gamespy1net_test

import (
	"net/netip"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// onLevel returns the heartbeat of a server on a level.
func onLevel(level string) []byte {
	return []byte("0;challenge;0;players;1;maxplayers;8;level;" + level)
}

// banned is an Admit that refuses some levels.
type banned struct{ levels atomic.Pointer[[]string] }

func (b *banned) set(levels ...string) { b.levels.Store(&levels) }

func (b *banned) admit(e gamespy1net.Entry) bool {
	h, err := e.Parse()
	levels := b.levels.Load()
	return err != nil || levels == nil || !slices.Contains(*levels, h.Level)
}

// expectWithheld checks which servers are listed, by every method that shows it, and
// which are withheld. It identifies servers by their source.
func expectWithheld(t *testing.T, m *gamespy1net.Master, listed, withheld []netip.AddrPort) {
	t.Helper()
	var all [2][]netip.AddrPort // listed, withheld
	for e := range m.Servers() {
		at := 0
		if e.Withheld {
			at = 1
		}
		all[at] = append(all[at], e.Game)
	}
	for i, want := range [][]netip.AddrPort{listed, withheld} {
		var games []netip.AddrPort
		for _, s := range want {
			games = append(games, netip.AddrPortFrom(s.Addr(), s.Port()-1))
		}
		slices.SortFunc(games, netip.AddrPort.Compare)
		slices.SortFunc(all[i], netip.AddrPort.Compare)
		if !slices.Equal(all[i], games) {
			t.Errorf("withheld %v: %v, want %v", i == 1, all[i], games)
		}
	}
	if got := listing(t, m); !slices.Equal(got, all[0]) {
		t.Errorf("list %v, want %v", got, all[0])
	}
	if st := m.Stats(); st.Listed != len(listed) || st.Withheld != len(withheld) {
		t.Errorf("stats %+v, want %d and %d", st, len(listed), len(withheld))
	}
}

func only(servers ...netip.AddrPort) []netip.AddrPort { return servers }

// A withheld server is on no list, but its requests are answered as if it were
// listed.
func TestWithheldServerIsOnNoList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := new(banned)
		rules.set("Karnak", "Moon")
		m := newMaster()
		m.Admit = rules.admit
		m.Limits.MaxServers = 2
		enlist(t, m, gameServer) // on Karnak
		expectWithheld(t, m, nil, only(gameServer))

		// Its requests are answered as usual: a change of state gets no answer, and a
		// join gets the challenge and hides it.
		silent(t, m, gameServer, changed)
		silent(t, m, gameServer, onLevel("Karnak"))
		enlist(t, m, otherServer)
		silent(t, m, otherServer, onLevel("Luxor"))
		expectWithheld(t, m, only(otherServer), only(gameServer))
		challenge := challengeOf(t, nettest.Answers(m.Respond(gameServer, join, nil)))
		expectWithheld(t, m, only(otherServer), nil)
		silent(t, m, gameServer, answerTo(challenge))
		expectWithheld(t, m, only(otherServer), only(gameServer))

		// There is no room for another server.
		enlist(t, m, netip.MustParseAddrPort("203.0.113.9:25601"))
		if st := m.Stats(); st.Refused != 1 {
			t.Errorf("%d refused", st.Refused)
		}

		// A change of level takes effect at once.
		silent(t, m, gameServer, onLevel("Luxor"))
		expectWithheld(t, m, only(gameServer, otherServer), nil)
		silent(t, m, otherServer, onLevel("Moon"))
		expectWithheld(t, m, only(gameServer), only(otherServer))
		silent(t, m, gameServer, onLevel("Moon"))
		expectWithheld(t, m, nil, only(gameServer, otherServer))

		// Heartbeats keep the entry; it expires without them.
		time.Sleep(gamespy1net.Expiry - time.Second)
		silent(t, m, otherServer, onLevel("Moon"))
		time.Sleep(2 * time.Second)
		expectWithheld(t, m, nil, only(otherServer))
		time.Sleep(gamespy1net.Expiry)
		expectWithheld(t, m, nil, nil)
	})
}

// Review applies the current rules, even to more servers than it reviews in one step.
func TestReviewAppliesCurrentRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rules := new(banned)
		m := newMaster()
		m.Admit = rules.admit
		m.Review() // of none
		var karnak, luxor []netip.AddrPort
		for i := range 1000 {
			s := manyServers(i)
			enlist(t, m, s)
			if i%3 > 0 {
				karnak = append(karnak, s)
				continue
			}
			silent(t, m, s, onLevel("Luxor"))
			luxor = append(luxor, s)
		}
		hidden := manyServers(1000)
		enlist(t, m, hidden)
		challenge := challengeOf(t, nettest.Answers(m.Respond(hidden, join, nil)))
		all := slices.Concat(karnak, luxor)

		expectWithheld(t, m, all, nil)
		rules.set("Karnak")
		expectWithheld(t, m, all, nil)
		m.Review()
		expectWithheld(t, m, luxor, karnak)
		rules.set("Luxor")
		m.Review()
		expectWithheld(t, m, karnak, luxor)
		rules.set("Luxor", "Karnak")
		m.Review()
		expectWithheld(t, m, nil, all)
		rules.set()
		m.Review()
		expectWithheld(t, m, all, nil)
		silent(t, m, hidden, answerTo(challenge))
		expectWithheld(t, m, append(all, hidden), nil)
	})
}

// Admit is called with the new state when something has changed.
func TestAdmitIsAskedOfChanges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked []string
		m := newMaster()
		m.Admit = func(e gamespy1net.Entry) bool {
			if e.Game.Port() != gameServer.Port()-1 || !e.Seen.Equal(time.Now()) {
				t.Errorf("asked of %+v", e)
			}
			level := e.Heartbeat[strings.LastIndex(e.Heartbeat, ";")+1:]
			if e.Withheld {
				level = "withheld " + level
			}
			asked = append(asked, level)
			return level == "Luxor"
		}
		enlist(t, m, gameServer)
		for _, level := range []string{"Luxor", "Luxor", "Moon", "Moon", "Karnak"} {
			time.Sleep(time.Second)
			silent(t, m, gameServer, onLevel(level))
		}
		want := []string{"Karnak", "withheld Luxor", "withheld Moon", "withheld Karnak"}
		if !slices.Equal(asked, want) {
			t.Errorf("asked of %q, want %q", asked, want)
		}
	})
}

// Each node judges its own servers and the servers of other nodes.
func TestEachNodeAppliesItsOwnRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := newHub()
		rules := new(banned)
		rules.set("Karnak")
		strict := newMaster()
		strict.Admit, strict.Store = rules.admit, h.Node()
		lax, onLax := newNode(h)
		enlist(t, strict, gameServer)
		enlist(t, lax, otherServer)
		expectWithheld(t, strict, nil, only(gameServer, otherServer))
		expectWithheld(t, lax, only(gameServer, otherServer), nil)
		for _, e := range h.All() { // what one withholds the other has listed
			e.Withheld = true
			onLax.Deliver(e)
		}
		expectWithheld(t, lax, only(gameServer, otherServer), nil)

		// Other nodes get changes, and so does Admit.
		time.Sleep(30 * time.Second)
		silent(t, lax, otherServer, onLevel("Luxor"))
		expectWithheld(t, strict, only(otherServer), only(gameServer))
		time.Sleep(30 * time.Second)
		silent(t, lax, otherServer, onLevel("Karnak"))
		expectWithheld(t, strict, nil, only(gameServer, otherServer))
		rules.set("Luxor")
		strict.Review()
		expectWithheld(t, strict, only(gameServer, otherServer), nil)

		// Withheld servers are removed like others.
		rules.set("Karnak")
		strict.Review()
		challengeOf(t, nettest.Answers(lax.Respond(otherServer, join, nil)))
		expectWithheld(t, strict, nil, only(gameServer))
		time.Sleep(gamespy1net.Expiry)
		expectWithheld(t, strict, nil, nil)
	})
}

// Rules may change while servers join and leave, and while clients fetch lists.
func TestReviewIsSafeForConcurrentUse(t *testing.T) {
	rules := new(banned)
	m := newMaster()
	m.Admit = rules.admit
	var peers sync.WaitGroup
	for p := range 4 {
		peers.Go(func() {
			for i := range 500 {
				s := manyServers(p*500 + i)
				c, err := strict.ParseChallenge(nettest.Answers(m.Respond(s, join, nil))[0])
				if err != nil {
					t.Error(err)
				}
				m.Respond(s, answerTo(c.Challenge), nil)
				m.Respond(browser, askList, nil)
				m.Respond(s, onLevel("Luxor"), nil)
				if i%2 == 0 {
					m.Respond(s, join, nil)
				}
			}
		})
	}
	for _, level := range slices.Repeat([]string{"Luxor", "Karnak"}, 20) {
		rules.set(level)
		m.Review()
	}
	peers.Wait()
	rules.set("Luxor")
	m.Review()
	if st := m.Stats(); st.Listed != 0 || st.Withheld != 1000 {
		t.Errorf("banned: %+v", st)
	}
	rules.set()
	m.Review()
	if st := m.Stats(); st.Listed != 1000 || st.Withheld != 0 || len(listing(t, m)) != 1000 {
		t.Errorf("admitted again: %+v", st)
	}
}

// Rules do not slow down lists or unchanged heartbeats.
func TestAdmitAllocatesNothing(t *testing.T) {
	m := newMaster()
	m.Admit = func(e gamespy1net.Entry) bool { return e.Game.Port() != gameServer.Port()-1 }
	enlist(t, m, gameServer)
	enlist(t, m, otherServer)
	silent(t, m, gameServer, periodic)
	var dst [][]byte
	for name, req := range map[string][]byte{"list": askList, "heartbeat": periodic} {
		if got := testing.AllocsPerRun(100, func() { dst, _ = m.Respond(gameServer, req, dst[:0]) }); got != 0 {
			t.Errorf("%s: %v allocations", name, got)
		}
	}
}

// Stats count the answers of each kind.
func TestMasterCountsAnswers(t *testing.T) {
	m := newMaster()
	enlist(t, m, gameServer)
	silent(t, m, gameServer, periodic)
	silent(t, m, otherServer, answerTo(1)) // a wrong challenge
	m.Respond(browser, askList, nil)
	if st := m.Stats(); st.GameAgentLists != 1 || st.Challenges != 1 || st.Heartbeats != 2 {
		t.Errorf("%+v", st)
	}
}
