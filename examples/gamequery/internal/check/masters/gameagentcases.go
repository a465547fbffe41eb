package masters

import (
	"bytes"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
)

// Sources of the cases of masters of GameAgent: the master in Python, and the engine.
const (
	gaMaster = "GameAgent's master"
	gaEngine = "Serious Engine"
	gaFlood  = "a sender with a forged address"
	gaLegacy = "GameSpy's first protocol, as masters of Serious Sam have it"
)

// nativeRows are the cases of the native form. Server 0 is registered once; the others are
// of single cases.
func nativeRows() []row[*nativeMaster] {
	type m = *nativeMaster
	return []row[m]{
		{"1.1", check.Must, "a join is answered with a challenge, which is not 0", gaMaster, func(m m) { m.join(1) }},
		{"1.2", check.Must, "a list request is answered with a list", gaMaster, func(m m) { m.list() }},
		{"1.3", check.Must, "a server that does not return its challenge is not listed", gaMaster, m.hidesSilent},
		{"1.4", check.Must, "a server that returns another challenge is not listed", gaMaster,
			hides(func(c int32) int32 { return c ^ 1 })},
		{"1.5", check.Must, "a server that returns a challenge whose first byte is wrong is not listed", gaMaster,
			hides(func(c int32) int32 { return c ^ 0x15<<24 })},
		{"1.6", check.Must, "a server that returns the challenge with its bytes in the other order is not listed", gaMaster,
			hides(swapped)},
		{"1.7", check.Must, "a server that returns a challenge of 0 is not listed", gaMaster,
			hides(func(int32) int32 { return 0 })},
		{"1.8", check.Must, "a challenge of another port lists no server", gaFlood, refusesChallengeOf(0)},
		{"1.9", check.Must, "a challenge of another host lists no server", gaFlood, refusesChallengeOf(2)},
		{"1.10", check.Must, "a server that returns its challenge is listed, once, with the port of its game", gaMaster,
			listsOnce[m]},
		{"1.11", check.Must, "a later heartbeat has no challenge, and the server stays listed", gaEngine, m.takesHeartbeat},
		{"1.12", check.Should, "a heartbeat and a change of state of a server that is listed are not answered", gaMaster,
			m.answersNoListed},
		{"1.13", check.Should, "a heartbeat without a challenge, of a server that is not listed, gets a challenge", gaMaster,
			func(m m) { m.challenge(1, m.heartbeat(0)) }},
		{"1.14", check.Should, "a change of state of a server that is not listed gets a challenge", gaMaster,
			func(m m) { m.challenge(1, check.MustBinary(gameagent.StateChanged{})) }},
		{"2.1", check.Must, "the list has no port 0, and no server twice", gaEngine, m.sendsSaneList},
		{"3.1", check.Should, "a list request with more bytes is answered", gaMaster, m.answersLongRequest},
		{"3.2", check.Must, "datagrams that are empty, unknown, or for servers and clients are not answered", gaMaster,
			m.ignoresUnknown},
		{"3.3", check.Must, "a heartbeat that is cut lists no server", gaMaster, m.ignoresCut},
		{"3.4", check.Robust, "the master survives broken datagrams", gaMaster, m.survives},
		{"4.1", check.Must, "a join gets at most 5 bytes", gaFlood, m.doesNotAmplify},
		{"4.2", check.Must, "a wrong heartbeat gets at most 5 bytes", gaFlood, m.doesNotAmplifyHeartbeats},
		{"5.1", check.Should, "a server that joins again is not listed until it returns a challenge", gaMaster,
			m.hidesJoining},
	}
}

// legacyRows are the cases of the legacy form, with its list over TCP.
func legacyRows() []row[*legacyMaster] {
	type m = *legacyMaster
	return []row[m]{
		{"6.1", check.Must, "the list of a game is sent to a client that answers the challenge", gaLegacy,
			func(m m) { m.entries(0) }},
		{"6.2", check.Must, "a server that answers no query is not listed", gaLegacy, m.hidesSilent},
		{"6.3", check.Must, "a server that answers the query of the master is listed, once, with its query port", gaLegacy,
			listsOnce[m]},
		{"6.4", check.Should, "the list in text has the server, too", gaLegacy, m.sendsText},
		{"6.5", check.Should, "a client with a wrong answer gets no server", gaLegacy,
			hidesFrom(func(m m, secure string) string { return changedAt(m.right(secure), -1) })},
		{"6.6", check.Should, "a client with the answer to another challenge gets no server", gaLegacy,
			hidesFrom(func(m m, _ string) string { return m.right("ABCDEF") })},
		{"6.7", check.Should, "a client with an empty answer gets no server", gaLegacy,
			hidesFrom(func(m, string) string { return "" })},
		{"6.8", check.Must, "two connections get different challenges", gaLegacy, m.sendsTwoChallenges},
		{"6.9", check.Must, "a heartbeat gets no more bytes than it has", gaFlood, m.doesNotAmplify},
		{"6.10", check.Should, "the list of another game does not have a server", gaLegacy, m.listsOneGame},
		{"6.11", check.Should, "a server that says that it stops, and is silent, is not listed", gaLegacy, m.removesStopped},
	}
}

// ensure lists server 0, unless an earlier case has.
func (m *nativeMaster) ensure() {
	if !m.registered {
		m.register(0)
	}
	lists(m, 0)
}

func (m *nativeMaster) hidesSilent() {
	m.join(1)
	absent(m, 1)
}

// hides is a case of a server that returns a wrong challenge.
func hides(change func(c int32) int32) func(m *nativeMaster) {
	return func(m *nativeMaster) {
		c := m.join(1)
		if change(c) == c {
			m.Fail(check.Skipped("the challenge is the same in the other order"))
		}
		m.AskMaybe(1, m.heartbeat(change(c)))
		absent(m, 1)
	}
}

// swapped returns a number with its bytes in the other order.
func swapped(c int32) int32 { return c<<24 | c>>24&0xff | c<<8&0xff0000 | c>>8&0xff00 }

// refusesChallengeOf is a case of a server that returns the challenge of another address.
func refusesChallengeOf(source int) func(m *nativeMaster) {
	return func(m *nativeMaster) {
		c := m.join(source)
		m.registered = m.registered && source != 0
		if m.join(1) == c {
			m.Failf("both addresses get the challenge %d", c)
		}
		m.AskMaybe(1, m.heartbeat(c))
		absent(m, 1)
		absent(m, source)
	}
}

func (m *nativeMaster) takesHeartbeat() {
	m.ensure()
	m.refresh(0)
	present(m, 0)
}

func (m *nativeMaster) answersNoListed() {
	m.ensure()
	m.AskNothing(0, m.heartbeat(0), check.MustBinary(gameagent.StateChanged{}))
}

func (m *nativeMaster) sendsSaneList() {
	m.ensure()
	seen := map[string]bool{}
	for _, at := range m.list() {
		if at.Port() == 0 || seen[at.String()] {
			m.Failf("%s has port 0, or is listed twice", at)
		}
		seen[at.String()] = true
	}
}

func (m *nativeMaster) answersLongRequest() {
	m.Wait(listPace)
	m.askOnce(1, append(check.MustBinary(gameagent.ListRequest{}), "XYZ"...))
}

func (m *nativeMaster) ignoresUnknown() {
	m.AskNothing(1, []byte{}, []byte{0xff}, []byte{1}, []byte{2}, []byte{3}, []byte{4}, []byte("hello"),
		check.MustBinary(gameagent.ServerList{}), check.MustBinary(gameagent.Challenge{Challenge: 1234567}))
	m.join(1)
}

func (m *nativeMaster) ignoresCut() {
	cut, _, _ := bytes.Cut(m.heartbeat(m.join(1)), []byte(";players"))
	m.AskMaybe(1, cut[:len(cut)-1])
	absent(m, 1)
}

func (m *nativeMaster) survives() {
	legacy := legacyMaster{session: m.session, game: m.game}
	for _, request := range [][]byte{m.heartbeat(1234567), legacy.heartbeat(1, false)} {
		for range check.Mutations / 2 {
			m.AskMaybe(1, m.Mutated(request))
		}
	}
	m.join(1)
}

// maxJoinAnswer is the size of a challenge.
const maxJoinAnswer = 5

func (m *nativeMaster) doesNotAmplify() {
	m.AtMost(1, check.MustBinary(gameagent.Join{}), maxJoinAnswer)
}

func (m *nativeMaster) doesNotAmplifyHeartbeats() {
	m.AtMost(1, m.heartbeat(m.join(1)^1), maxJoinAnswer)
}

func (m *nativeMaster) hidesJoining() {
	listed(m, 1)
	m.end(1)
	gone(m, 1)
}

const compact = gamespy1.ListCompact

func (m *legacyMaster) hidesSilent() {
	m.entries(0)
	m.AskMaybe(1, m.heartbeat(1, false))
	m.Wait(time.Second)
	if m.entriesIn(compact, 1) > 0 {
		m.Fail(check.ErrListed)
	}
}

func (m *legacyMaster) sendsText() {
	listed(m, 0)
	const text = ""
	m.AwaitList(func() {
		if m.entriesIn(text, legacySource) == 0 {
			m.Fail(check.ErrNotListed)
		}
	})
}

// hidesFrom is a case of a client with a wrong answer to the challenge of the list.
func hidesFrom(answer func(m *legacyMaster, secure string) string) func(m *legacyMaster) {
	return func(m *legacyMaster) {
		if m.game.Key == "" {
			m.Fail(check.Skipped("the game has no key"))
		}
		listed(m, 0)
		if n := serversIn(m.list(m.game.Name, compact, func(secure string) string { return answer(m, secure) })); n > 0 {
			m.Failf("it gets %d servers", n)
		}
	}
}

func (m *legacyMaster) sendsTwoChallenges() {
	var seen [2]string
	for i := range seen {
		m.list(m.game.Name, compact, func(secure string) string {
			seen[i] = secure
			return m.right(secure)
		})
	}
	if seen[0] == seen[1] {
		m.Failf("both get %q", seen[0])
	}
}

func (m *legacyMaster) doesNotAmplify() {
	heartbeat := m.heartbeat(1, false)
	m.AtMost(1, heartbeat, len(heartbeat))
}

func (m *legacyMaster) listsOneGame() {
	listed(m, 0)
	if n := serversIn(m.list("no such game", compact, m.right)); n > 0 {
		m.Failf("it has %d servers", n)
	}
}

func (m *legacyMaster) removesStopped() {
	listed(m, 0)
	m.end(0)
	const soon = 30 * time.Second // masters query such a server a moment later, and repeat that
	expires(m, soon, func() { absent(m, 0) })
}
