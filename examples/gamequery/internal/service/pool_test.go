package service

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"testing"
)

func newPool(most, perPrefix, perClient int) *pool {
	return &pool{max: most, maxPerPrefix: perPrefix, maxPerClient: perClient}
}

// held counts the claims whose units nobody has taken.
func held(all []context.Context) (n int) {
	for _, ctx := range all {
		if ctx.Err() == nil {
			n++
		}
	}
	return n
}

// taker takes units for clients until the test ends.
type taker struct {
	t *testing.T
	*pool
}

func (p taker) take(client string, n int) (context.Context, bool) {
	ctx, c := p.pool.take(p.t.Context(), netip.MustParseAddr(client), n)
	return ctx, c != nil
}

// A full pool has room for a client that holds less than others, and takes it from the
// client that holds most.
func TestPoolTakesFromWhoHoldsMost(t *testing.T) {
	p := taker{t, newPool(16, 16, 16)}
	var hog, other []context.Context
	for i := range 12 {
		ctx, _ := p.take(fmt.Sprintf("198.51.100.%d", i), 1)
		hog = append(hog, ctx)
	}
	for range 4 {
		ctx, _ := p.take("203.0.113.1", 1)
		other = append(other, ctx)
	}
	for i := range 20 {
		if _, ok := p.take("192.0.2.1", 1); ok != (i < 6) {
			t.Errorf("unit %d: %v", i, ok)
		}
	}
	if held(hog) != 6 || held(other) != 4 {
		t.Errorf("the hog has %d, and another %d", held(hog), held(other))
	}
	for _, ctx := range hog {
		if ctx.Err() != nil && !isBusy(context.Cause(ctx)) {
			t.Error(context.Cause(ctx))
		}
	}
}

// A client finds room beside a neighbour of its prefix that holds most of it, in the pool and in
// the part of the prefix.
func TestPoolHasRoomBesideNeighbours(t *testing.T) {
	for _, perPrefix := range []int{8, 16} {
		p := taker{t, newPool(8, perPrefix, 16)}
		var hog []context.Context
		for range 8 {
			ctx, _ := p.take("192.0.2.1", 1)
			hog = append(hog, ctx)
		}
		if _, ok := p.take("192.0.2.2", 1); !ok || held(hog) != 7 {
			t.Errorf("%d of a prefix: %v, and the hog has %d", perPrefix, ok, held(hog))
		}
	}
}

// No client gets more than its part, and equals do not take from each other.
func TestPoolRefusesMoreThanAPart(t *testing.T) {
	for _, tt := range []struct {
		name string
		pool *pool
		had  []string
		more string
	}{
		{"a client", newPool(8, 4, 2), []string{"192.0.2.1", "192.0.2.1"}, "192.0.2.1"},
		{"an IPv6 /64", newPool(8, 4, 2), []string{"2001:db8::1", "2001:db8::2"}, "2001:db8::3"},
		{"a prefix", newPool(8, 2, 2), []string{"192.0.2.1", "192.0.2.2"}, "192.0.2.3"},
		{"equals", newPool(2, 2, 2), []string{"192.0.2.1", "198.51.100.1"}, "203.0.113.1"},
		{"who would then be largest", newPool(3, 3, 3), []string{"192.0.2.1", "198.51.100.1", "198.51.100.1"},
			"192.0.2.1"},
	} {
		p := taker{t, tt.pool}
		for _, client := range tt.had {
			if _, ok := p.take(client, 1); !ok {
				t.Errorf("%s: %s is refused", tt.name, client)
			}
		}
		if _, ok := p.take(tt.more, 1); ok || p.units() != len(tt.had) {
			t.Errorf("%s: %v, %d units are taken", tt.name, ok, p.units())
		}
	}
}

// Whatever clients take and release, the limits hold, the counts are right, and nothing is left.
func TestPoolCountsStayRight(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	p := newPool(40, 20, 10)
	var all []*claim
	for range 20_000 {
		switch random.IntN(3) {
		case 0:
			client := netip.AddrFrom4([4]byte{192, 0, byte(random.IntN(5)), byte(random.IntN(4))})
			if _, c := p.take(t.Context(), client, 1+random.IntN(4)); c != nil {
				all = append(all, c)
			}
		case 1:
			if len(all) > 0 {
				all[random.IntN(len(all))].hold(1 + random.IntN(12))
			}
		case 2:
			if len(all) > 0 {
				i := random.IntN(len(all))
				all[i].release()
				all = append(all[:i], all[i+1:]...)
			}
		}
		sums := map[*holder]int{}
		total := 0
		for _, c := range p.claims {
			sums[c.client] += c.units
			sums[c.prefix] += c.units
			total += c.units
		}
		if total != p.taken || total > p.max || len(sums) != len(p.holders) {
			t.Fatalf("%d of %d units, %d of %d holders", total, p.taken, len(sums), len(p.holders))
		}
		for key, h := range p.holders {
			most := p.maxPerClient
			if key.isPrefix {
				most = p.maxPerPrefix
			}
			if sums[h] != h.units || h.units > most {
				t.Fatalf("%v has %d of %d units", key, sums[h], h.units)
			}
		}
	}
	for _, c := range all {
		c.release()
	}
	if p.taken != 0 || len(p.claims) != 0 || len(p.holders) != 0 {
		t.Errorf("left: %d units, %d claims, %d holders", p.taken, len(p.claims), len(p.holders))
	}
}
