package masters

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/gameagent"
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
		{"1.1", check.Must, "a join is answered with a challenge, which is not 0", gaMaster, m.sendsChallenge},
		{"1.2", check.Must, "a list request is answered with a list", gaMaster, m.sendsList},
		{"1.3", check.Must, "a server that does not return its challenge is not listed", gaMaster, m.hidesSilent},
		{"1.4", check.Must, "a server that returns another challenge is not listed", gaMaster,
			hides(func(c int32) int32 { return c ^ 1 })},
		{"1.5", check.Must, "a server that returns a challenge whose first byte is wrong is not listed", gaMaster,
			hides(func(c int32) int32 { return c ^ 0x15<<24 })},
		{"1.6", check.Must, "a server that returns the challenge with its bytes in the other order is not listed", gaMaster,
			hides(swapped)},
		{"1.7", check.Must, "a server that returns a challenge of 0 is not listed", gaMaster, hides(func(int32) int32 { return 0 })},
		{"1.8", check.Must, "a challenge of another port lists no server", gaFlood, refusesChallengeOf(0)},
		{"1.9", check.Must, "a challenge of another host lists no server", gaFlood, refusesChallengeOf(2)},
		{"1.10", check.Must, "a server that returns its challenge is listed, once, with the port of its game", gaMaster,
			listsOnce[m]},
		{"1.11", check.Must, "a later heartbeat has no challenge, and the server stays listed", gaEngine, m.takesHeartbeat},
		{"1.12", check.Should, "a heartbeat and a change of state of a server that is listed are not answered", gaMaster,
			m.answersNoListed},
		{"1.13", check.Should, "a heartbeat without a challenge, of a server that is not listed, gets a challenge", gaMaster,
			func(m m) error { _, err := m.challenge(1, m.heartbeat(0)); return err }},
		{"1.14", check.Should, "a change of state of a server that is not listed gets a challenge", gaMaster,
			func(m m) error { _, err := m.challenge(1, check.MustBinary(gameagent.StateChanged{})); return err }},
		{"2.1", check.Must, "the list has no port 0, and no server twice", gaEngine, m.sendsSaneList},
		{"3.1", check.Should, "a list request with more bytes is answered", gaMaster, m.answersLongRequest},
		{"3.2", check.Must, "datagrams that are empty, unknown, or for servers and clients are not answered", gaMaster,
			m.ignoresUnknown},
		{"3.3", check.Must, "a heartbeat that is cut lists no server", gaMaster, m.ignoresCut},
		{"3.4", check.Robust, "the master survives broken datagrams", gaMaster, m.survives},
		{"4.1", check.Must, "a join gets at most 5 bytes", gaFlood, m.doesNotAmplify},
		{"4.2", check.Must, "a wrong heartbeat gets at most 5 bytes", gaFlood, m.doesNotAmplifyHeartbeats},
		{"5.1", check.Should, "a server that joins again is not listed until it returns a challenge", gaMaster, m.hidesJoining},
	}
}

// legacyRows are the cases of the legacy form, with its list over TCP.
func legacyRows() []row[*legacyMaster] {
	type m = *legacyMaster
	return []row[m]{
		{"6.1", check.Must, "the list of a game is sent to a client that answers the challenge", gaLegacy, m.sendsList},
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

func (m *nativeMaster) sendsChallenge() error {
	_, err := m.join(1)
	return err
}

func (m *nativeMaster) sendsList() error {
	_, err := m.list()
	return err
}

// ensure lists server 0, unless an earlier case has.
func (m *nativeMaster) ensure() error {
	if m.registered {
		return m.await(func() error { return present(m, 0) })
	}
	return listed(m, 0)
}

func (m *nativeMaster) hidesSilent() error {
	if _, err := m.join(1); err != nil {
		return err
	}
	return m.absent(1)
}

// hides is a case of a server that returns a wrong challenge.
func hides(change func(c int32) int32) func(m *nativeMaster) error {
	return func(m *nativeMaster) error {
		c, err := m.join(1)
		if err != nil {
			return err
		}
		if change(c.Challenge) == c.Challenge {
			return check.Skipped("the challenge is the same in the other order")
		}
		if _, err := m.AskMaybe(1, m.heartbeat(change(c.Challenge))); err != nil {
			return err
		}
		return m.absent(1)
	}
}

// swapped returns a number with its bytes in the other order.
func swapped(c int32) int32 { return c<<24 | c>>24&0xff | c<<8&0xff0000 | c>>8&0xff00 }

// refusesChallengeOf is a case of a server that returns the challenge of another address.
func refusesChallengeOf(source int) func(m *nativeMaster) error {
	return func(m *nativeMaster) error {
		c, err := m.join(source)
		if err != nil {
			return err
		}
		m.registered = m.registered && source != 0
		own, err := m.join(1)
		if err != nil {
			return err
		}
		if own.Challenge == c.Challenge {
			return fmt.Errorf("both addresses get the challenge %d", c.Challenge)
		}
		if _, err := m.AskMaybe(1, m.heartbeat(c.Challenge)); err != nil {
			return err
		}
		return errors.Join(m.absent(1), m.absent(source))
	}
}

func (m *nativeMaster) takesHeartbeat() error {
	if err := m.ensure(); err != nil {
		return err
	}
	if err := m.refresh(0); err != nil {
		return err
	}
	return present(m, 0)
}

func (m *nativeMaster) answersNoListed() error {
	if err := m.ensure(); err != nil {
		return err
	}
	return m.AskNothing(0, m.heartbeat(0), check.MustBinary(gameagent.StateChanged{}))
}

func (m *nativeMaster) sendsSaneList() error {
	if err := m.ensure(); err != nil {
		return err
	}
	all, err := m.list()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, at := range all {
		if at.Port() == 0 || seen[at.String()] {
			return fmt.Errorf("%s has port 0, or is listed twice", at)
		}
		seen[at.String()] = true
	}
	return nil
}

func (m *nativeMaster) answersLongRequest() error {
	m.Wait(listPace)
	_, err := m.askOnce(1, append(check.MustBinary(gameagent.ListRequest{}), "XYZ"...))
	return err
}

func (m *nativeMaster) ignoresUnknown() error {
	err := m.AskNothing(1, []byte{}, []byte{0xff}, []byte{1}, []byte{2}, []byte{3}, []byte{4}, []byte("hello"),
		check.MustBinary(gameagent.ServerList{}), check.MustBinary(gameagent.Challenge{Challenge: 1234567}))
	if err != nil {
		return err
	}
	return m.sendsChallenge()
}

func (m *nativeMaster) ignoresCut() error {
	c, err := m.join(1)
	if err != nil {
		return err
	}
	cut, _, _ := bytes.Cut(m.heartbeat(c.Challenge), []byte(";players"))
	if _, err := m.AskMaybe(1, cut[:len(cut)-1]); err != nil {
		return err
	}
	return m.absent(1)
}

func (m *nativeMaster) survives() error {
	legacy := legacyMaster{session: m.session, game: m.game}
	for _, request := range [][]byte{m.heartbeat(1234567), legacy.heartbeat(1, false)} {
		for range check.Mutations / 2 {
			if _, err := m.AskMaybe(1, m.Mutated(request)); err != nil {
				return err
			}
		}
	}
	return m.sendsChallenge()
}

// maxJoinAnswer is the size of a challenge.
const maxJoinAnswer = 5

func (m *nativeMaster) doesNotAmplify() error {
	_, err := m.AtMost(1, check.MustBinary(gameagent.Join{}), maxJoinAnswer)
	return err
}

func (m *nativeMaster) doesNotAmplifyHeartbeats() error {
	c, err := m.join(1)
	if err != nil {
		return err
	}
	_, err = m.AtMost(1, m.heartbeat(c.Challenge^1), maxJoinAnswer)
	return err
}

func (m *nativeMaster) hidesJoining() error {
	if err := listed(m, 1); err != nil {
		return err
	}
	if err := m.end(1); err != nil {
		return err
	}
	return m.await(func() error { return m.absent(1) })
}

const compact = gameagent.LegacyListCompact

func (m *legacyMaster) sendsList() error {
	err := m.absent(0)
	if errors.Is(err, check.ErrListed) {
		return nil
	}
	return err
}

func (m *legacyMaster) hidesSilent() error {
	if err := m.sendsList(); err != nil {
		return err
	}
	if _, err := m.AskMaybe(1, m.heartbeat(1, false)); err != nil {
		return err
	}
	m.Wait(time.Second)
	return m.absentIn(compact, 1)
}

func (m *legacyMaster) sendsText() error {
	if err := listed(m, 0); err != nil {
		return err
	}
	const text = ""
	return m.await(func() error {
		err := m.absentIn(text, legacySource)
		switch {
		case err == nil:
			return check.ErrNotListed
		case errors.Is(err, check.ErrListed):
			return nil
		}
		return err
	})
}

// hidesFrom is a case of a client with a wrong answer to the challenge of the list.
func hidesFrom(answer func(m *legacyMaster, secure string) string) func(m *legacyMaster) error {
	return func(m *legacyMaster) error {
		if m.game.Key == "" {
			return check.Skipped("the game has no key")
		}
		if err := listed(m, 0); err != nil {
			return err
		}
		b, err := m.list(m.game.Name, compact, func(secure string) string { return answer(m, secure) })
		if n := serversIn(b); err == nil && n > 0 {
			err = fmt.Errorf("it gets %d servers", n)
		}
		return err
	}
}

func (m *legacyMaster) sendsTwoChallenges() error {
	var seen [2]string
	for i := range seen {
		if _, err := m.list(m.game.Name, compact, func(secure string) string {
			seen[i] = secure
			return m.right(secure)
		}); err != nil {
			return err
		}
	}
	if seen[0] == seen[1] {
		return fmt.Errorf("both get %q", seen[0])
	}
	return nil
}

func (m *legacyMaster) doesNotAmplify() error {
	heartbeat := m.heartbeat(1, false)
	_, err := m.AtMost(1, heartbeat, len(heartbeat))
	return err
}

func (m *legacyMaster) listsOneGame() error {
	if err := listed(m, 0); err != nil {
		return err
	}
	b, err := m.list("no such game", compact, m.right)
	if n := serversIn(b); err == nil && n > 0 {
		err = fmt.Errorf("it has %d servers", n)
	}
	return err
}

func (m *legacyMaster) removesStopped() error {
	if err := listed(m, 0); err != nil {
		return err
	}
	if err := m.end(0); err != nil {
		return err
	}
	const soon = 30 * time.Second // masters query such a server a moment later, and repeat that
	return expires(m, soon, func() error { return m.absent(0) })
}
