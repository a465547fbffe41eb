package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/lobbywire/lobbywire/warzone/warzonenet"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
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
	pause(context.Background(), time.Until(v.changed.Add(2*time.Second)))
	v.cancel()
	<-v.done
	return true
}

// announced handles the result of an announcement.
func (a *arrival) announced(err error) {
	if err != nil {
		a.failed("was refused: %v", err)
		return
	}
	a.came()
}

func openProposal(a *arrival, lobby string, e wzproposal.Encoding) (visit, error) {
	h := &warzonenet.ProposalHost{
		Addr: lobby, Encoding: e, Announced: a.announced,
		Dial: from(addrOf(a.id), isRude(a.random)),
	}
	return runProposal(a, func(name string) error {
		return h.Set(wzproposal.OpenGame{Port: gamePort, Name: name, Map: "Rush", MaxPlayers: 4})
	}, h.Run)
}

func openJSON(a *arrival, lobby string) (visit, error) {
	h := &warzonenet.JSONHost{
		Addr: lobby, Announced: a.announced,
		Dial: from(addrOf(a.id), isRude(a.random)),
	}
	return runProposal(a, func(name string) error {
		return h.Set(wzjson.Add{Name: name, Map: "Rush", Tech: wzjson.TechT1, MaxPlayers: 4})
	}, h.Run)
}
