package wzhttpnet

import (
	"hash/maphash"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// checks counts the checks of hosts that are running. An address and a prefix have a share
// of them, so that few peers that accept connections and never answer do not stop others.
// Half of all are for prefixes in which a host has answered, so that many such peers stop
// only hosts in new prefixes.
type checks struct {
	running      source.Counter
	strangers    int // running, in prefixes that are not proved
	maxStrangers int
	seed         maphash.Seed
	proved       [1 << 12]provedPrefix // each in one of two places by its hash, in the older one if both are taken
}

// A provedPrefix is a prefix in which a host has answered.
type provedPrefix struct {
	prefix uint64
	until  time.Time // the zero time in places that are free
}

// provedTime is how long a prefix is remembered.
const provedTime = 24 * time.Hour

// newChecks returns checks that allow up to most at a time.
func newChecks(most int) *checks {
	share := func(n int) int { return max(most/n, 1) }
	return &checks{
		running:      source.Counter{Max: most, MaxPerAddress: share(32), MaxPerPrefix: share(16)},
		maxStrangers: share(2),
		seed:         maphash.MakeSeed(),
	}
}

// begin counts a check of a host, unless too many are running.
func (c *checks) begin(host netip.Addr, now time.Time) (isStranger, ok bool) {
	isStranger = !c.isProved(host, now)
	if isStranger && c.strangers >= c.maxStrangers || !c.running.Add(host) {
		return isStranger, false
	}
	if isStranger {
		c.strangers++
	}
	return isStranger, true
}

// end reverts begin.
func (c *checks) end(host netip.Addr, isStranger bool) {
	c.running.Remove(host)
	if isStranger {
		c.strangers--
	}
}

// prove records that a host has answered.
func (c *checks) prove(host netip.Addr, now time.Time) {
	places, prefix := c.placesOf(host)
	place := places[0]
	if place.prefix != prefix && (places[1].prefix == prefix || places[1].until.Before(place.until)) {
		place = places[1]
	}
	*place = provedPrefix{prefix, now.Add(provedTime)}
}

func (c *checks) isProved(host netip.Addr, now time.Time) bool {
	places, prefix := c.placesOf(host)
	for _, place := range places {
		if place.prefix == prefix && now.Before(place.until) {
			return true
		}
	}
	return false
}

// placesOf returns the prefix of a host, and the places that this prefix can have.
func (c *checks) placesOf(host netip.Addr) (places [2]*provedPrefix, prefix uint64) {
	prefix = source.Prefix(source.Of(host))
	hash, n := maphash.Comparable(c.seed, prefix), uint64(len(c.proved))
	return [2]*provedPrefix{&c.proved[hash%n], &c.proved[hash/n%n]}, prefix
}
