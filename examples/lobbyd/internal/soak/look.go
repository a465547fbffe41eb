package soak

import (
	"context"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// look fetches lists repeatedly and compares them with the model.
func (s *Soak) look(ctx context.Context, l lister) {
	for cli.Pause(ctx, lookEvery) {
		s.lookOnce(ctx, l)
	}
}

// lookOnce fetches lists until all hosts that must be listed have been seen, with a
// limit.
func (s *Soak) lookOnce(ctx context.Context, l lister) {
	first, seen := time.Now(), make(map[int]bool)
	var missing []string
	var present, absent uint64
	for range max(l.whole, 1) {
		began := time.Now()
		list, err := l.list(ctx)
		if ctx.Err() != nil {
			return
		}
		s.counts.lists.Add(1)
		s.counts.entries.Add(uint64(len(list)))
		if err != nil {
			s.faults.add(l.name, "fails: %v", err)
			return
		}
		for _, wrong := range s.model.check(l.view, began, list, seen) {
			s.faults.add(l.name, "%s", wrong)
		}
		missing, present, absent = s.model.missing(l.view, first, seen)
		if len(missing) == 0 {
			break
		}
	}
	s.counts.absent.Add(absent)
	if l.whole == 0 {
		return
	}
	s.counts.present.Add(present)
	for _, wrong := range missing {
		s.faults.add(l.name, "%s", wrong)
	}
}

// lookUntilEmpty fetches lists until they are empty, after all hosts have left.
func (s *Soak) lookUntilEmpty(l lister) {
	deadline := time.Now().Add(Lag + l.lag)
	for {
		list, err := l.list(context.Background())
		s.counts.lists.Add(1)
		switch {
		case err != nil:
			s.faults.add(l.name, "fails: %v", err)
			return
		case len(list) == 0:
			return
		case time.Now().After(deadline):
			s.faults.add(l.name, "has %d hosts when all have left, as %v", len(list), list[0])
			return
		}
		cli.Pause(context.Background(), lookEvery)
	}
}

// filterEvery is how often a client may request lists with a filter.
const filterEvery = 300 * time.Millisecond

// lookByName searches for hosts that may not fit in the list of the JSON proposal.
func (s *Soak) lookByName(ctx context.Context) {
	c := &proposalnet.Client{Proposal: proposalnet.JSON, ListEvery: always, Timeout: inTime}
	v := view{name: "JSON by name", kinds: of(Lobby, HTTP, Text, Binary, JSON)}
	for cli.Pause(ctx, filterEvery) {
		names := s.model.must(v, 8)
		if len(names) == 0 {
			continue
		}
		var filter []wzjson.Fields
		for _, name := range names {
			filter = append(filter, wzjson.Fields{Name: &name})
		}
		began, seen := time.Now(), make(map[int]bool)
		list, err := c.List(ctx, s.Addr["json"], filter...)
		if ctx.Err() != nil {
			return
		}
		s.counts.lists.Add(1)
		s.counts.entries.Add(uint64(len(list.Games)))
		if err != nil {
			s.faults.add(v.name, "fails: %v", err)
			continue
		}
		listed, _ := each(list.Games, nil, ofProposal)
		for _, wrong := range s.model.check(v, began, listed, seen) {
			s.faults.add(v.name, "%s", wrong)
		}
		for id, name := range names {
			if !seen[id] && s.model.still(id, name) {
				s.faults.add(v.name, "lacks %s", name)
			}
		}
	}
}
