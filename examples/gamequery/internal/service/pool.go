package service

import (
	"context"
	"net/netip"
	"sync"

	"github.com/lobbywire/lobbywire/internal/source"
)

// A pool limits what clients hold at one time, in units. When it is full, a claim takes its units
// from the prefix that holds most, if that holds more than the claim's own. When the prefix is
// full, it takes them from the client of the prefix that holds most.
type pool struct {
	max, maxPerPrefix, maxPerClient int

	mu      sync.Mutex
	taken   int
	holders map[holderKey]*holder
	claims  []*claim // in no particular order
}

type holderKey struct {
	isPrefix bool
	block    uint64
}

// A holder is a client or a prefix.
type holder struct {
	key    holderKey
	claims int
	units  int
}

// A claim is a number of units that a client holds for one purpose.
type claim struct {
	of             *pool
	client, prefix *holder
	units          int
	place          int // in claims
	end            context.CancelCauseFunc
}

// take takes n units until the claim is released. The context is done with errBusy as its cause
// if others take them. The claim is nil if there are not enough.
func (p *pool) take(ctx context.Context, client netip.Addr, n int) (context.Context, *claim) {
	ctx, end := context.WithCancelCause(ctx)
	block := source.Of(client)
	p.mu.Lock()
	defer p.mu.Unlock()
	c := &claim{
		of:     p,
		client: p.holder(holderKey{block: block}),
		prefix: p.holder(holderKey{true, source.Prefix(block)}),
		place:  len(p.claims),
		end:    end,
	}
	p.claims = append(p.claims, c)
	if !c.resize(n) {
		p.remove(c)
		end(errBusy)
		return ctx, nil
	}
	return ctx, c
}

func (p *pool) holder(k holderKey) *holder {
	h := p.holders[k]
	if h == nil {
		h = &holder{key: k}
		if p.holders == nil {
			p.holders = map[holderKey]*holder{}
		}
		p.holders[k] = h
	}
	h.claims++
	return h
}

// hold sets the units of a claim to n. It reports false if there are not enough, or if others
// have taken its units.
func (c *claim) hold(n int) bool {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	return c.place >= 0 && c.resize(n)
}

// release gives the units back. It may be called more than once.
func (c *claim) release() { c.giveUp(nil) }

// giveUp is release with a cause for the context.
func (c *claim) giveUp(cause error) {
	c.of.mu.Lock()
	defer c.of.mu.Unlock()
	c.of.remove(c)
	c.end(cause)
}

// resize is hold for a claim that exists.
func (c *claim) resize(n int) bool {
	p, more := c.of, n-c.units
	for {
		var from *claim
		switch {
		case c.client.units+more > p.maxPerClient:
			return false
		case c.prefix.units+more > p.maxPerPrefix:
			from = p.largest(c.prefix)
		case p.taken+more > p.max:
			from = p.largest(nil)
		default:
			c.add(more)
			return true
		}
		if from == nil || !from.hasMoreThan(c, more) {
			return false
		}
		p.remove(from)
		from.end(errBusy)
	}
}

// hasMoreThan reports whether the holder of c has more units than the holder of other would have
// after taking more.
func (c *claim) hasMoreThan(other *claim, more int) bool {
	if c.prefix == other.prefix {
		return c.client.units > other.client.units+more
	}
	return c.prefix.units > other.prefix.units+more
}

// largest returns the largest claim of the client with most units of the prefix with most, or of
// the given prefix.
func (p *pool) largest(of *holder) (most *claim) {
	for _, c := range p.claims {
		switch {
		case of != nil && c.prefix != of:
		case most == nil, c.prefix.units > most.prefix.units:
			most = c
		case c.prefix.units < most.prefix.units:
		case c.client.units > most.client.units, c.client == most.client && c.units > most.units:
			most = c
		}
	}
	return most
}

func (c *claim) add(n int) {
	c.units += n
	c.client.units += n
	c.prefix.units += n
	c.of.taken += n
}

func (p *pool) remove(c *claim) {
	if c.place < 0 {
		return
	}
	c.add(-c.units)
	last := p.claims[len(p.claims)-1]
	p.claims[c.place], last.place = last, c.place
	p.claims[len(p.claims)-1] = nil
	p.claims = p.claims[:len(p.claims)-1]
	c.place = -1
	for _, h := range [...]*holder{c.client, c.prefix} {
		h.claims--
		if h.claims == 0 {
			delete(p.holders, h.key)
		}
	}
}

// units returns how many units are taken.
func (p *pool) units() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.taken
}
