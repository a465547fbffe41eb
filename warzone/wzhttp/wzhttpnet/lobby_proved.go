package wzhttpnet

import (
	"hash/maphash"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// provedPrefixes remembers the prefixes in which hosts have answered, in fixed memory.
type provedPrefixes struct {
	seed   maphash.Seed
	places *[1 << 12]provedPrefix // each prefix in one of two by its hash, in the older one if both are taken
}

// A provedPrefix is a prefix in which a host has answered.
type provedPrefix struct {
	prefix uint64
	until  time.Time // the zero time in places that are free
}

// provedTime is how long a prefix is remembered.
const provedTime = 24 * time.Hour

func newProvedPrefixes() provedPrefixes {
	return provedPrefixes{maphash.MakeSeed(), new([1 << 12]provedPrefix)}
}

// add records that a host has answered.
func (p *provedPrefixes) add(host netip.Addr, now time.Time) {
	places, prefix := p.placesOf(host)
	place := places[0]
	if place.prefix != prefix && (places[1].prefix == prefix || places[1].until.Before(place.until)) {
		place = places[1]
	}
	*place = provedPrefix{prefix, now.Add(provedTime)}
}

// has reports whether a host has answered in the prefix of a host.
func (p *provedPrefixes) has(host netip.Addr, now time.Time) bool {
	places, prefix := p.placesOf(host)
	for _, place := range places {
		if place.prefix == prefix && now.Before(place.until) {
			return true
		}
	}
	return false
}

// placesOf returns the prefix of a host, and the places that this prefix can have.
func (p *provedPrefixes) placesOf(host netip.Addr) (places [2]*provedPrefix, prefix uint64) {
	prefix = source.Prefix(source.Of(host))
	hash, n := maphash.Comparable(p.seed, prefix), uint64(len(p.places))
	return [2]*provedPrefix{&p.places[hash%n], &p.places[hash/n%n]}, prefix
}
