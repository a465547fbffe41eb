package main

import (
	"context"
	"errors"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/agones"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/api"
)

// agonesEvery is the time between two reports to Agones. Its default limit is 5 s.
const agonesEvery = 2 * time.Second

// A fleetMember is what Agones knows of the game.
type fleetMember struct {
	sidecar         *agones.Sidecar
	isReady         bool
	players, places int // as reported
}

// report reports to Agones what it does not know yet, and that the game is healthy.
func (m *fleetMember) report(ctx context.Context, players, places int) error {
	if !m.isReady {
		if err := m.sidecar.Ready(ctx); err != nil {
			return err
		}
		m.isReady = true
	}
	err := m.sidecar.Health(ctx)
	if players == m.players && places == m.places {
		return err
	}
	counted := m.sidecar.Count(ctx, players, places)
	if counted == nil {
		m.players, m.places = players, places
	}
	return errors.Join(err, counted)
}

// reportToAgones reports the game as ready with its first state, and as healthy while its
// state is fresh, until ctx is done. It logs the first failure of several.
func (s *sidecar) reportToAgones(ctx context.Context, every time.Duration) {
	member := fleetMember{sidecar: agones.New()}
	tick := time.NewTicker(every)
	defer tick.Stop()
	hasFailed := false
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			if s.health(now) != api.Fresh {
				continue
			}
		}
		players, places := s.state.Now().View.Counts()
		err := member.report(ctx, players, places)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil && !hasFailed:
			s.log.Printf("agones: %q; trying again", err)
		case err == nil && hasFailed:
			s.log.Print("agones: the sidecar of Agones answers")
		}
		hasFailed = err != nil
	}
}
