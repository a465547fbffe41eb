package main

import (
	"context"
	"errors"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/agones"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/api"
)

// agonesEvery is the time between two reports to Agones. Its default limit is 5 s.
const agonesEvery = 2 * time.Second

// A fleetMember holds what Agones knows about the game.
type fleetMember struct {
	sidecar *agones.Sidecar
	isReady bool
	counted agones.Counter // as reported
}

// report reports changes to Agones, and that the game is healthy.
func (m *fleetMember) report(ctx context.Context, v lobbywire.View) error {
	if !m.isReady {
		if err := m.sidecar.Ready(ctx); err != nil {
			return err
		}
		m.isReady = true
	}
	err := m.sidecar.Health(ctx)
	now := counterOf(v)
	if equal(now.Players, m.counted.Players) && equal(now.Places, m.counted.Places) {
		return err
	}
	counted := m.sidecar.Count(ctx, now)
	if counted == nil {
		m.counted = now
	}
	return errors.Join(err, counted)
}

// counterOf returns the numbers of players and places in a state. If there are more
// players than places, the capacity is the number of players, because Agones refuses a
// smaller one.
func counterOf(v lobbywire.View) (c agones.Counter) {
	players, places := v.Counts()
	if v.Players != nil || v.Roster != nil {
		c.Players = &players
	}
	if v.Max != nil {
		c.Places = new(max(places, players))
	}
	return c
}

// equal reports whether two numbers are the same, or unknown.
func equal(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

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
		err := member.report(ctx, s.state.Now().View)
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
