package soak

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// Parameters of hosts.
const (
	updateEvery = 12 * time.Second
	patience    = time.Minute // until it must be listed
)

// A visit is a host that is listed.
type visit interface {
	// rename changes the name.
	rename(name string) error
	// leave ends the visit. It reports whether the host is certain to be in no
	// list from now on.
	leave(r *rand.Rand) (gone bool)
}

// An arrival is a host that is joining.
type arrival struct {
	id     int
	name   string
	random *rand.Rand
	came   func()                           // called when it is listed
	failed func(format string, args ...any) // called on errors
}

// stands handles a change of how the host stands, whose listing ends with its connection.
func (a *arrival) stands(s lobbywire.RegistrationStatus) {
	switch s.Standing {
	case lobbywire.StandingListed:
		a.came()
	case lobbywire.StandingRefused:
		a.failed("was refused: %v", s.Err)
	case lobbywire.StandingStarting, lobbywire.StandingLeft:
	default:
		a.failed("was cut: %v", s.Err)
	}
}

// here returns the probability that a host is listed at any time. The same share
// joins during the ramp, so that the number stays constant later.
func (s *Soak) here() float64 { return float64(s.Stay) / float64(s.Stay+s.Away) }

// live makes a host join and leave until ctx is done.
func (s *Soak) live(ctx context.Context, id int) {
	r := s.random(id)
	wait := time.Duration(r.Float64() * float64(s.Ramp))
	if r.Float64() > s.here() {
		wait = s.Ramp + about(r, s.Away)
	}
	for cli.Pause(ctx, wait) {
		s.visit(ctx, id, r)
		wait = about(r, s.Away)
	}
	if s.model.hosts[id].kind == GameAgent {
		s.agents.retire(id)
		s.model.left(id)
	}
}

func (s *Soak) visit(ctx context.Context, id int, r *rand.Rand) {
	kind := s.model.hosts[id].kind
	came := make(chan struct{}, 1)
	a := arrival{
		id:     id,
		random: r,
		came: func() {
			s.model.came(id)
			select {
			case came <- struct{}{}:
			default:
			}
		},
		failed: func(format string, args ...any) {
			s.faults.add(string(kind)+" host", format, args...)
		},
	}
	v, err := s.open(kind, &a)
	if err != nil {
		a.failed("cannot join: %v", err)
		return
	}
	s.counts.joins.Add(1)
	timeout := time.NewTimer(patience)
	select {
	case <-came:
	case <-timeout.C:
		a.failed("is not listed in time: %s", a.name)
	}
	timeout.Stop()
	for end := time.Now().Add(about(r, s.Stay)); ; {
		left := time.Until(end)
		if !cli.Pause(ctx, min(left, about(r, updateEvery))) || left <= 0 {
			break
		}
		if err := v.rename(s.model.rename(id)); err != nil {
			a.failed("cannot change: %v", err)
		}
		s.counts.updates.Add(1)
	}
	s.model.leave(id)
	if v.leave(r) {
		s.model.left(id)
	}
}

// open makes a host join with its protocol.
func (s *Soak) open(kind Kind, a *arrival) (visit, error) {
	lobby := s.Addr[string(kind)]
	switch kind {
	case GameAgent:
		a.name = s.model.come(a.id, s.agents.gamePort())
		return s.agents.open(a)
	case Lobby:
		return s.openLobby(a, lobby)
	case HTTP:
		return s.openHTTP(a)
	}
	a.name = s.model.come(a.id, gamePort)
	switch kind {
	case Bomberman:
		return openBomberman(a, lobby)
	case Text:
		return openProposal(a, lobby, proposalnet.Text)
	case Binary:
		return openProposal(a, lobby, proposalnet.Binary)
	}
	return openProposal(a, lobby, proposalnet.JSON)
}
