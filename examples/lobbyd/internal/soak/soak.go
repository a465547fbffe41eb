package soak

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// A Soak is what happens to one lobbyd. Fields must not change once it runs.
type Soak struct {
	Addr   map[string]string   // where lobbyd listens, by the names of its servers
	Corpus map[string][][]byte // what hostile peers send, by the names of servers
	Hosts  int                 // up to MaxHosts
	Seed   uint64              // of all that is random, but for what time does
	Ramp   time.Duration       // in which hosts come first
	Stay   time.Duration       // of a host, on average
	Away   time.Duration       // until it comes again, on average

	model  *Model
	agents *agents
	begin  sync.Once
	counts struct{ joins, updates, lists, entries, present, absent, payloads atomic.Uint64 }
	faults faults
}

// A Report is what has happened so far.
type Report struct {
	Here     int    // hosts now
	Joins    uint64 // of hosts
	Updates  uint64
	Lists    uint64 // that were compared with the model
	Entries  uint64 // of them
	Present  uint64 // hosts that a list had to have, of all lists
	Absent   uint64 // hosts that a list must not have had
	Payloads uint64 // that hostile peers sent
	Faults   uint64
	Examples []string // of faults, the first of each kind
}

// Report returns a snapshot.
func (s *Soak) Report() Report {
	s.begin.Do(s.start)
	n, examples := s.faults.all()
	return Report{
		Here:     s.model.count(),
		Joins:    s.counts.joins.Load(),
		Updates:  s.counts.updates.Load(),
		Lists:    s.counts.lists.Load(),
		Entries:  s.counts.entries.Load(),
		Present:  s.counts.present.Load(),
		Absent:   s.counts.absent.Load(),
		Payloads: s.counts.payloads.Load(),
		Faults:   n,
		Examples: examples,
	}
}

func (s *Soak) start() { s.model = newModel(kinds(s.Hosts)) }

// Run has hosts come and go until ctx is done, and then all leave. When it
// returns all lists are empty, or have not become so in time, and nothing is
// left of all that it did.
func (s *Soak) Run(ctx context.Context) error {
	s.begin.Do(s.start)
	var err error
	if s.agents, err = newAgents(s.Addr[string(GameAgent)]); err != nil {
		return err
	}
	defer s.agents.close()
	looking, stop := context.WithCancel(context.Background())
	defer stop()

	var hosts, peers, clients sync.WaitGroup
	for id := range s.model.hosts {
		hosts.Go(func() { s.live(ctx, id) })
	}
	for n := range hostilePeers {
		peers.Go(func() { s.attack(ctx, n) })
	}
	listers := s.listers()
	for _, l := range listers {
		clients.Go(func() { s.look(looking, l) })
	}
	clients.Go(func() { s.lookByName(looking) })
	hosts.Wait()
	peers.Wait()
	stop()
	clients.Wait()
	for _, l := range listers {
		clients.Go(func() { s.lookUntilEmpty(l) })
	}
	clients.Wait()
	return nil
}

// random returns a source of its own for one host or peer.
func (s *Soak) random(of int) *rand.Rand { return rand.New(rand.NewPCG(s.Seed, uint64(of))) }

// pause waits for a time, and reports whether ctx is not done.
func pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-t.C:
		return true
	}
}

// about returns a time that is mean on average: how long nothing has happened
// yet tells nothing of when it will.
func about(r *rand.Rand, mean time.Duration) time.Duration {
	return time.Duration(r.ExpFloat64() * float64(mean))
}
