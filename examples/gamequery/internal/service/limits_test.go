package service

import (
	"context"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/reach"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

// A probe answers before Prometheus gives up, and an invalid time means the longest.
func TestProbesAnswerBeforePrometheusGivesUp(t *testing.T) {
	for header, want := range map[string]time.Duration{
		"": 9500 * time.Millisecond, "x": 9500 * time.Millisecond, "0": 9500 * time.Millisecond,
		"-3": 9500 * time.Millisecond, "NaN": 9500 * time.Millisecond, "+Inf": 9500 * time.Millisecond,
		"1000": 9500 * time.Millisecond, "10": 9500 * time.Millisecond, "5": 4500 * time.Millisecond,
		"0.5": 250 * time.Millisecond, "20": 19500 * time.Millisecond,
	} {
		r := httptest.NewRequest("GET", "/probe", nil)
		r.Header.Set(timeHeader, header)
		if got := timeOf(r); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
}

// A resolving calls a function to resolve a name.
type resolving func(ctx context.Context) ([]netip.Addr, error)

func (r resolving) LookupNetIP(ctx context.Context, _, _ string) ([]netip.Addr, error) { return r(ctx) }

// Work that a request starts ends in time, even if others still wait for it, and its kept result
// counts.
func TestWorkHasADeadline(t *testing.T) {
	var most []time.Duration
	s := &Service{
		Guard: reach.Guard{Resolver: resolving(func(ctx context.Context) ([]netip.Addr, error) {
			deadline, ok := ctx.Deadline()
			if !ok {
				t.Error("no deadline")
			}
			most = append(most, time.Until(deadline))
			return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
		})},
		Limiter: new(admission.Limiter), Judge: verdict.Judge{Row: 1}, Keep: time.Minute, MaxQueries: 1, MaxTargets: 1,
	}
	for _, path := range []string{
		"/v1/query?game=sqp&address=a.example:5000", "/v1/list?protocol=warzone&master=b.example",
		"/probe?module=sqp&target=c.example:5000",
	} {
		s.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", path, nil))
	}
	if len(most) != 3 || most[0] > queryTime || most[1] > listTime || most[2] > probeTimes()[0] {
		t.Errorf("the times are %v", most)
	}
	s.queries.mu.Lock()
	defer s.queries.mu.Unlock()
	for _, e := range s.queries.oldest {
		if want := len(e.value.line) + entrySize; len(e.value.line) == 0 || e.size != want || s.queries.size != want {
			t.Errorf("an answer of %d bytes counts as %d", len(e.value.line), e.size)
		}
	}
}

// The lines of a list are charged to its client, like the bytes read, because few bytes may become
// many lines.
func TestListsChargeTheirLines(t *testing.T) {
	b := newBudget(1)
	client := netip.MustParseAddr("192.0.2.1")
	p, ok := protocols.Named("warzone")
	if !ok {
		t.Fatal("no protocol")
	}
	add := func() error {
		_, claim := b.lists.take(t.Context(), client, 1)
		defer claim.release()
		var l listing
		return l.addAll(p, &meter{client: client, budget: b, claim: claim}, func(yield func(lobbywire.Listed, error) bool) {
			for range 4000 {
				if !yield(lobbywire.Listed{View: lobbywire.View{Name: "A game with a name", Port: 2100}}, nil) {
					return
				}
			}
		})
	}
	lists := 0
	for ; lists < 100 && !isBusy(add()); lists++ {
	}
	if lists == 0 || lists == 100 {
		t.Errorf("%d lists are allowed at once", lists)
	}
}
