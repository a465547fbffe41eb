package wzhttpnet

import (
	"hash/maphash"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// provedPrefixes remembers the prefixes in which hosts have answered, in fixed memory.
type provedPrefixes struct {
	seed  maphash.Seed
	slots *[1 << 12]provedPrefix // each prefix in one of two by its hash, in the older one if both are taken
}

// A provedPrefix is a prefix in which a host has answered.
type provedPrefix struct {
	prefix uint64
	until  time.Time // the zero time in slots that are free
}

// provedTime is how long a prefix is remembered.
const provedTime = 24 * time.Hour

func newProvedPrefixes() provedPrefixes {
	return provedPrefixes{maphash.MakeSeed(), new([1 << 12]provedPrefix)}
}

// add records that a host has answered.
func (p *provedPrefixes) add(host netip.Addr, now time.Time) {
	slots, prefix := p.slotsOf(host)
	slot := slots[0]
	if slot.prefix != prefix && (slots[1].prefix == prefix || slots[1].until.Before(slot.until)) {
		slot = slots[1]
	}
	*slot = provedPrefix{prefix, now.Add(provedTime)}
}

// has reports whether a host has answered in the prefix of a host.
func (p *provedPrefixes) has(host netip.Addr, now time.Time) bool {
	slots, prefix := p.slotsOf(host)
	for _, slot := range slots {
		if slot.prefix == prefix && now.Before(slot.until) {
			return true
		}
	}
	return false
}

// slotsOf returns the prefix of a host, and the slots that this prefix can have.
func (p *provedPrefixes) slotsOf(host netip.Addr) (slots [2]*provedPrefix, prefix uint64) {
	prefix = source.Prefix(source.Of(host))
	hash, n := maphash.Comparable(p.seed, prefix), uint64(len(p.slots))
	return [2]*provedPrefix{&p.slots[hash%n], &p.slots[hash/n%n]}, prefix
}
