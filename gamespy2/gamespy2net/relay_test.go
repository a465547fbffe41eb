package gamespy2net_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// A proxy answers with what real servers have sent: bots that numplayers does not count, empty
// values, keys without values. The other form has the same, or as many players as fit, or there
// is none.
func TestServerSendsWhatAnotherServerSent(t *testing.T) {
	files, err := golden.ReadDir("..")
	if err != nil {
		t.Fatal(err)
	}
	relayed := 0
	for _, f := range files {
		m, err := gamespy2.ParseResponse(f.Data)
		if f.Message() != "Response" || err != nil || m.Partial {
			continue
		}
		s := gamespy2net.Server{Challenge: gamespy2net.ChallengeOff}
		state := gamespy2net.State{Info: m.Info, Players: m.Players, Teams: m.Teams, Cut: gamespy2.CutAsRead}
		if err := s.Set(state); err != nil {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		for _, split := range []bool{true, false} {
			flags := gamespy2.Flags(0)
			if split {
				flags = gamespy2.FlagSplit
			}
			answers := nettest.Answers(s.Respond(asker, wireOf(t, fullQuery(flags)), nil))
			if !split && !m.Split && m.Sections != gamespy2.AllSections || len(answers) == 0 && split != m.Split {
				continue
			}
			got := joined(t, answers)
			if split != m.Split && len(got.Players.Rows) < len(m.Players.Rows) {
				continue
			}
			diff := cmp.Diff(m, got, cmpopts.EquateEmpty(), cmpopts.IgnoreFields(m, "ID", "Split", "Sections"))
			if diff != "" {
				t.Errorf("%s, split %t: %s", f.Name, split, diff)
			}
			relayed++
		}
	}
	if relayed < 40 {
		t.Errorf("%d answers", relayed)
	}
}

// Other states are checked as before, whatever they were read from.
func TestServerRefusesWhatAnotherServerSentUnlessItRelays(t *testing.T) {
	bots := sampleState(3)
	bots.Info[6].Value = "1"
	for _, cut := range []gamespy2.Cut{gamespy2.CutForAll, gamespy2.CutColumns, gamespy2.CutAnywhere, gamespy2.CutAsRead} {
		bots.Cut = cut
		err := new(gamespy2net.Server).Set(bots)
		if refused := err != nil; refused != (cut != gamespy2.CutAsRead) {
			t.Errorf("%v: %v", cut, err)
		}
	}
}
