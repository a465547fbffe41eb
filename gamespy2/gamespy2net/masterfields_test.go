package gamespy2net_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
)

// A list has the fields of a server that answers only queries with a challenge, unless the
// clients of its game send such queries.
func TestMasterListsServersThatNeedAChallenge(t *testing.T) {
	for _, tt := range []struct {
		name             string
		requireChallenge bool
		answers          []gamespy2.Type
		hasFields        bool
	}{
		{"query", false, []gamespy2.Type{gamespy2.TypeQuery}, false},
		{"both", false, []gamespy2.Type{gamespy2.TypeQuery, gamespy2.TypeChallenge}, false},
		{"both, challenge first", false, []gamespy2.Type{gamespy2.TypeChallenge, gamespy2.TypeQuery}, false},
		{"challenge", false, []gamespy2.Type{gamespy2.TypeChallenge}, true},
		{"challenge, and the game requires it", true, []gamespy2.Type{gamespy2.TypeChallenge}, false},
	} {
		m := newListMaster()
		m.Games[0].RequireChallenge = tt.requireChallenge
		queries := register(t, m, otherServer, beat{key: instance, pairs: []string{"hostname", "Town"}}.wire(t))
		for _, want := range tt.answers {
			for _, query := range queries {
				if q, err := gamespy2.ParseRequest(query); err != nil || q.Type == want {
					noAnswer(t, m, otherServer, answerToQuery(t, query))
				}
			}
		}
		c := ask(t, serveLists(t, m), requestFor("hostname"))
		l := c.list()
		if len(l.Servers) != 1 {
			t.Fatalf("%s: %d servers", tt.name, len(l.Servers))
		}
		if got := l.Servers[0].Flags&sb2.FlagFields != 0; got != tt.hasFields ||
			entryOf(t, m, otherServer).NeedsChallenge != tt.hasFields {
			t.Errorf("%s: has fields: %v, entry %+v", tt.name, got, entryOf(t, m, otherServer))
		}
	}
}
