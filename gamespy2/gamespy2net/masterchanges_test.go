package gamespy2net_test

import (
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// Games and keys may change while a Master serves. A server stays listed if its game has
// the same key; clients that get changes are disconnected if their game has changed.
func TestGamesChangeWhileServing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newListMaster()
		enlist(t, m, gameServer, beat{}.wire(t))
		network := serveLists(t, m)
		request := requestFor("hostname")
		request.Options = sb2.OptionPush
		c := ask(t, network, request)
		c.list()
		synctest.Wait()

		other := gamespy2net.Game{Name: "other", Key: "abcdef"}
		m.SetGames([]gamespy2net.Game{gmtest, other})
		wantListed(t, m, gameServer)
		if s := m.Stats(); s.Subscribers != 1 {
			t.Errorf("the same game has %d subscribers", s.Subscribers)
		}
		pending := challengeIn(t, nettest.Answers(m.Respond(otherServer, beat{game: "other"}.wire(t), nil)))

		changed := gmtest
		changed.RequireChallenge = true
		m.SetGames([]gamespy2net.Game{changed})
		wantListed(t, m, gameServer)
		synctest.Wait()
		if s := m.Stats(); s.Subscribers != 0 || s.Conns.Open != 0 {
			t.Errorf("the changed game has %d subscribers", s.Subscribers)
		}
		noAnswer(t, m, otherServer, answerTo(t, pending, other.Key)) // its game is removed
		l := ask(t, network, requestFor("hostname")).list()
		if len(l.Servers) != 1 {
			t.Errorf("the new list has %+v", l.Servers)
		}

		changed.Key = "another"
		m.SetGames([]gamespy2net.Game{changed})
		wantListed(t, m)
		challenge := challengeIn(t, nettest.Answers(m.Respond(gameServer, beat{}.wire(t), nil)))
		m.Respond(gameServer, answerTo(t, challenge, gmtest.Key), nil)
		if s := m.Stats(); s.Wrong != 1 || s.Unchecked != 0 {
			t.Errorf("with the old key: %+v", s)
		}
	})
}
