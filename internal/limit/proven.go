package limit

import (
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/lobbywire/lobbywire/internal/source"
)

// Proven remembers prefixes of verified peers: peers that have shown that they receive what is
// sent to their address. It forgets them one to two periods later. It takes 128 KiB,
// whatever the number of prefixes: it may take a prefix for proven that is not, which
// happens to one in 500 with 20 000 proven prefixes, and to one in 30 with 60 000. Its
// zero value is ready.
type Proven struct {
	once   sync.Once
	key    key
	epoch  time.Time
	period atomic.Int64 // the current one, since epoch
	marks  [2]marks     // of even and of odd periods
}

// period is long enough to know players who come back every evening.
const period = 12 * time.Hour

// marks holds a few bits for each prefix, all in one word.
type marks [1 << 13]atomic.Uint64

// Add remembers the prefix of an address.
func (p *Proven) Add(a netip.Addr, now time.Time) {
	key, epoch := p.start(now)
	p.add(key.hash(source.Prefix(source.Of(a))), int64(now.Sub(epoch)))
}

// Has reports whether the prefix of an address has been added.
func (p *Proven) Has(a netip.Addr, now time.Time) bool {
	key, epoch := p.start(now)
	return p.has(key.hash(source.Prefix(source.Of(a))), int64(now.Sub(epoch)))
}

// start returns the key of the hashes and the epoch of all times. The first call makes now
// the epoch.
func (p *Proven) start(now time.Time) (key, time.Time) {
	p.once.Do(func() { p.key, p.epoch = newKey(), now })
	return p.key, p.epoch
}

// add remembers the prefix that has a hash.
func (p *Proven) add(hash uint64, t int64) {
	word, bits := place(hash)
	if w := &p.marks[p.at(t)&1][word]; w.Load()&bits != bits {
		w.Or(bits)
	}
}

// has reports whether the prefix that has a hash has been added.
func (p *Proven) has(hash uint64, t int64) bool {
	p.at(t)
	word, bits := place(hash)
	return p.marks[0][word].Load()&bits == bits || p.marks[1][word].Load()&bits == bits
}

// place returns the word of a prefix, and four of its bits.
func place(hash uint64) (word int, bits uint64) {
	word = int(hash % uint64(len(marks{})))
	return word, 1<<(hash>>40&63) | 1<<(hash>>46&63) | 1<<(hash>>52&63) | 1<<(hash>>58)
}

// at returns the period of a time, or the last one.
func (p *Proven) at(t int64) int64 {
	last := p.period.Load()
	if t < (last+1)*int64(period) {
		return last
	}
	return p.begin(last, t/int64(period))
}

// begin begins a period and erases the marks of the last but one. A mark that is set
// meanwhile may be lost; the next answer sets it again.
func (p *Proven) begin(last, current int64) int64 {
	if !p.period.CompareAndSwap(last, current) {
		return current
	}
	for i := max(last+1, current-1); i <= current; i++ {
		for j := range p.marks[i&1] {
			p.marks[i&1][j].Store(0)
		}
	}
	return current
}
