package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// A proposalVisit is a game of one of the proposals.
type proposalVisit struct {
	set     func(name string) error
	changed time.Time
	cancel  context.CancelFunc
	done    chan struct{}
}

// runProposal announces a game until it leaves.
func runProposal(a *arrival, set func(name string) error, run func(ctx context.Context) error) (visit, error) {
	if err := set(a.name); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(context.Background())
	v := &proposalVisit{set: set, changed: time.Now(), cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(v.done)
		run(ctx)
	}()
	return v, nil
}

func (v *proposalVisit) rename(name string) error {
	v.changed = time.Now()
	return v.set(name)
}

// leave waits for an announcement in progress, which might otherwise arrive after the
// game is closed and open it again.
func (v *proposalVisit) leave(*rand.Rand) bool {
	cli.Pause(context.Background(), time.Until(v.changed.Add(2*time.Second)))
	v.cancel()
	<-v.done
	return true
}

func openProposal(a *arrival, lobby string, p proposalnet.Proposal) (visit, error) {
	h := &proposalnet.Host{
		Addr: lobby, Proposal: p, Changed: func(s lobbywire.RegistrationStatus) {
			switch {
			case s.Err != nil:
				a.failed("is not listed: %v", s)
			case s.Standing == lobbywire.StandingListed:
				a.came()
			}
		},
		Dial: from(addrOf(a.id), isRude(a.random)),
	}
	return runProposal(a, func(name string) error {
		return h.Set(proposalnet.Game{Port: gamePort, Name: name, Map: "Rush", Tech: wzjson.TechT1, MaxPlayers: 4})
	}, h.Run)
}
