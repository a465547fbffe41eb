package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// unlimited is a rate that no test reaches: all its queries come from one address.
const unlimited = 1_000_000_000

// startUnlimited starts a sidecar that answers every query.
func startUnlimited(t testing.TB) running {
	t.Helper()
	o := defaults()
	o.State, o.SQP, o.GameSpy2, o.GameAgent = free, free, free, free
	o.rates = lobbywire.Rates{PerSource: unlimited, PerPrefix: unlimited, Global: unlimited}
	return startWith(t, nil, o)
}

// roundName is the text of a round in all members of its state.
func roundName(n int) string { return fmt.Sprintf("round %06d", n) }

// playersOf is the number of players in a round.
func playersOf(n, least int) int { return least + n%8 }

// stateOfRound returns a state whose members all carry the number of the round. It has at
// least least players.
func stateOfRound(n, least int) lobbywire.View {
	name := roundName(n)
	v := lobbywire.View{Name: name, Game: "duel", Map: name, Mode: name, Version: name, Port: 7777, Max: new(n)}
	for i := range playersOf(n, least) {
		player := fmt.Sprintf("%s, player %03d with a long name", name, i)
		v.Roster = append(v.Roster, lobbywire.Player{Name: player, Score: new(n)})
	}
	v.Rules = []lobbywire.Rule{{Key: "round", Value: name}}
	return v
}

// roundOf returns the round of an answer. It fails if the answer has members of several
// rounds. Not every answer has all members.
func roundOf(v lobbywire.View, least int) (n int, err error) {
	texts := []string{v.Name, v.Map, v.Mode, v.Version}
	if v.Max != nil {
		texts = append(texts, roundName(*v.Max))
	}
	for _, p := range v.Roster {
		name, _, _ := strings.Cut(p.Name, ",")
		texts = append(texts, name, roundName(*p.Score))
	}
	texts = slices.Compact(slices.DeleteFunc(texts, func(s string) bool { return s == "" }))
	if len(texts) != 1 {
		return 0, fmt.Errorf("one answer has %q", texts)
	}
	if _, err := fmt.Sscanf(texts[0], "round %d", &n); err != nil {
		return 0, err
	}
	want := playersOf(n, least)
	if players, _ := v.Counts(); players != want {
		return n, fmt.Errorf("%s has %d players, want %d", texts[0], players, want)
	}
	if names := len(v.Roster); names != 0 && names != want {
		return n, fmt.Errorf("%s has %d names, want %d", texts[0], names, want)
	}
	return n, nil
}

// least is the number of players in the states of a test: their names do not fit a datagram.
const least = 40

// While the state changes 100 times a second, and others flood the address of reports,
// every answer shows one state, even if it is several datagrams.
func TestNoAnswerMixesStates(t *testing.T) {
	t.Parallel()
	rounds := suite.Pick(30, 100)
	r := startUnlimited(t)
	put := func(n int) {
		text, _ := json.Marshal(stateOfRound(n, least)) // cannot fail
		if code, text := r.send(t, "PUT", "/v1/state", string(text)); code != http.StatusNoContent {
			t.Error(code, text)
		}
	}
	put(0)
	r.whileAsked(t, func(ctx context.Context) {
		var flood sync.WaitGroup
		defer flood.Wait()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		flood.Go(func() {
			for ctx.Err() == nil {
				r.send(t, "PATCH", "/v1/state", `{"name":`)
			}
		})
		tick := time.NewTicker(time.Second / 100)
		defer tick.Stop()
		for n := range rounds {
			<-tick.C
			put(n)
		}
	})
	for _, p := range r.status().Protocols {
		if len(p.Changed) > 0 {
			t.Errorf("%s cannot carry %q", p.Protocol, p.Changed)
		}
	}
}

// No answer mixes states even if the state changes as fast as the sidecar can follow,
// with many changes while an answer is made.
func TestNoAnswerMixesFastChanges(t *testing.T) {
	rounds := suite.Pick(500, 5000)
	r := startUnlimited(t)
	report := func(n int) {
		_, _ = r.state.Report(func(state.Snapshot) (lobbywire.View, error) { return stateOfRound(n, least), nil })
	}
	report(0)
	r.whileAsked(t, func(context.Context) {
		for n := range rounds {
			report(n)
		}
	})
}

// whileAsked changes states while all questions are asked all the time, and checks that
// each answer shows one state.
func (r running) whileAsked(t *testing.T, change func(ctx context.Context)) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	var tasks sync.WaitGroup
	for _, q := range questions() {
		a := q.dialed(t, r.at(q.protocol))
		tasks.Go(func() {
			answers, split := 0, 0
			seen := map[int]bool{}
			for ; ctx.Err() == nil; answers++ {
				if answers%100 == 99 { // before the challenge expires
					if err := a.prepare(); err != nil {
						t.Errorf("%s: challenge: %v", q.name, err)
						return
					}
				}
				v, datagrams, err := a.ask()
				n := 0
				if err == nil {
					n, err = roundOf(v, least)
				}
				if err != nil {
					t.Errorf("%s: answer: %v", q.name, err)
					return
				}
				if datagrams > 1 {
					split++
				}
				seen[n] = true
			}
			t.Logf("%s: %d answers, %d of them split, of %d states", q.name, answers, split, len(seen))
			if len(seen) < 3 || (split == 0) != q.single {
				t.Errorf("%s: %d of %d answers are split, of %d states", q.name, split, answers, len(seen))
			}
		})
	}
	change(ctx)
	cancel()
	tasks.Wait()
}
