package service

import (
	"encoding/binary"
	"hash/maphash"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/source"
)

// rates limit how often clients use something: a host, with one limit for all clients, or the
// service, with a limit for each client. Part of each limit is reserved for prefixes that use
// little, so heavy users cannot starve them.
type rates struct {
	all    limit.Limiter
	most   limit.Limiter // the same with smaller bursts: without the part reserved for light users
	little limit.Limiter // of a prefix of clients and what it uses
	burst  int           // of little
	seed   maphash.Seed
}

// begin sets the rates. A prefix of clients that stays within the rate little is a light user.
// Others may use no more than most allows: the rates of all, with bursts that are smaller by the
// reserved part.
func (r *rates) begin(all, most limit.Rates, little limit.Rate) {
	r.all.Set(all)
	r.most.Set(most)
	r.little.Set(limit.Rates{PerSource: little,
		Global: limit.Rate{PerSecond: lobbywire.NoLimit, Burst: lobbywire.NoLimit}})
	r.burst = int(little.Burst)
	r.seed = maphash.MakeSeed()
}

// allow reports whether a client may use a host n times, and counts it if so.
func (r *rates) allow(client, host netip.Addr, n int) bool {
	now := time.Now()
	isLittle := n <= r.burst && r.little.AllowN(r.pair(client, host), n, now)
	if !isLittle {
		return r.most.AllowN(host, n, now) && r.all.AllowN(host, n, now)
	}
	if !r.all.AllowN(host, n, now) {
		return false
	}
	r.most.Charge(host, n, now)
	return true
}

// pair returns an address that stands for the prefix of a client and a host, or for one of many
// such pairs.
func (r *rates) pair(client, host netip.Addr) netip.Addr {
	var b [16]byte
	pair := [...]uint64{source.Prefix(source.Of(client)), source.Of(host)}
	binary.BigEndian.PutUint64(b[:], maphash.Comparable(r.seed, pair))
	return netip.AddrFrom16(b)
}
