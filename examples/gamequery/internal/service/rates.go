package service

import (
	"encoding/binary"
	"hash/maphash"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/internal/limit"
	"github.com/lobbywire/lobbywire/internal/source"
)

// rates limit how often something is used by clients. What is used may be the service itself, and
// is then limited for each client; or a host, which is then limited for all of them. A part is
// kept for clients that use it little, so that others who use it up do not take it from them.
type rates struct {
	most   limit.Limiter // what everybody may use
	kept   limit.Limiter // what is kept
	little limit.Limiter // what a prefix may use of one host to use it little
	burst  int           // of little
	seed   maphash.Seed
}

// begin sets the rates. A prefix of clients uses a host little within the rate little.
func (r *rates) begin(most, kept limit.Rates, little limit.Rate) {
	r.most.Begin(most)
	r.kept.Begin(kept)
	const noLimit = 1 << 30
	r.little.Begin(limit.Rates{PerSource: little, Global: limit.Rate{PerSecond: noLimit, Burst: noLimit}})
	r.burst = int(little.Burst)
	r.seed = maphash.MakeSeed()
}

// allow reports whether a client may use a host n times, and counts it if so.
func (r *rates) allow(client, host netip.Addr, n int) bool {
	now := time.Now()
	isLittle := n <= r.burst && r.little.AllowN(r.pair(client, host), n, now)
	return r.most.AllowN(host, n, now) || isLittle && r.kept.AllowN(host, n, now)
}

// pair returns an address that stands for the prefix of a client and a host, or for one of many
// such pairs.
func (r *rates) pair(client, host netip.Addr) netip.Addr {
	var b [16]byte
	pair := [...]uint64{source.Prefix(source.Of(client)), source.Of(host)}
	binary.BigEndian.PutUint64(b[:], maphash.Comparable(r.seed, pair))
	return netip.AddrFrom16(b)
}
