package soak

import (
	"context"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"time"
)

// A Soak is a test of one lobbyd. Fields must not change once it runs.
type Soak struct {
	Addr   map[string]string   // addresses of lobbyd, by server
	Corpus map[string][][]byte // input of hostile peers, by server
	Hosts  int                 // up to MaxHosts
	Seed   uint64              // of everything random, except timing
	Ramp   time.Duration       // time for all hosts to join first
	Stay   time.Duration       // average time that a host is listed
	Away   time.Duration       // average time until it joins again

	model  *Model
	agents *agents
	hosted hosted
	begin  sync.Once
	counts struct{ joins, updates, players, lists, entries, present, absent, payloads atomic.Uint64 }
	faults faults
}

// A Report is the result so far.
type Report struct {
	Here     int    // listed hosts
	Joins    uint64 // of hosts
	Updates  uint64
	Players  uint64 // who have joined a game of the HTTP lobby
	Lists    uint64 // compared with the model
	Entries  uint64 // in these lists
	Present  uint64 // hosts that a list had to contain, over all lists
	Absent   uint64 // hosts that a list must not contain, over all lists
	Payloads uint64 // sent by hostile peers
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
		Players:  s.counts.players.Load(),
		Lists:    s.counts.lists.Load(),
		Entries:  s.counts.entries.Load(),
		Present:  s.counts.present.Load(),
		Absent:   s.counts.absent.Load(),
		Payloads: s.counts.payloads.Load(),
		Faults:   n,
		Examples: examples,
	}
}

func (s *Soak) start() { s.model = newModel(kinds(s.Hosts, s.random(0))) }

// Run makes hosts join and leave until ctx is done, and then makes all leave. It
// returns when all lists are empty or a time limit has passed, and everything that it
// started has ended.
func (s *Soak) Run(ctx context.Context) error {
	s.begin.Do(s.start)
	var err error
	s.agents, err = newAgents(s.Addr[string(GameAgent)])
	if err != nil {
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
	clients.Go(func() { s.join(looking) })
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

// random returns a separate source of randomness for one host or peer.
func (s *Soak) random(of int) *rand.Rand { return rand.New(rand.NewPCG(s.Seed, uint64(of))) }

// about returns a random time with the given mean. The distribution is memoryless.
func about(r *rand.Rand, mean time.Duration) time.Duration {
	return time.Duration(r.ExpFloat64() * float64(mean))
}
