package gameagent

import (
	"net/netip"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A ListAssembler joins the packets of one answer to a [ListRequest]. Its zero
// value is ready to use. It holds up to [MaxServers] servers.
//
// Packets have no numbers and the last has no mark, so neither a lost packet nor
// the end of the list can be recognized. Add packets until none has arrived for
// a while.
type ListAssembler struct {
	// Options apply to the packets.
	Options Options

	servers []netip.AddrPort // in the order in which they arrived
	known   map[netip.AddrPort]bool
}

// Add adds the servers of a packet that are not listed yet, so a packet may
// arrive twice. done is always false. b is not kept.
//
// If there are too many servers, Add fails with [lobbywire.ErrTooLarge] and
// keeps the first MaxServers.
func (a *ListAssembler) Add(b []byte) (done bool, err error) {
	m, err := a.Options.ParseServerList(b)
	if err != nil {
		return false, err
	}
	if a.known == nil {
		a.known = make(map[netip.AddrPort]bool, len(m.Servers))
	}
	for _, s := range m.Servers {
		if a.known[s] {
			continue
		}
		if len(a.servers) == MaxServers {
			return false, &lobbywire.Error{Proto: proto, Field: "servers", Err: wire.Exceeded(MaxServers+1, MaxServers)}
		}
		a.known[s] = true
		a.servers = append(a.servers, s)
	}
	return false, nil
}

// Missing returns nil, since no packet is known to be missing.
func (a *ListAssembler) Missing() []int { return nil }

// ServerList returns the servers of all packets, each once. Before the first
// packet it fails with [lobbywire.ErrTruncated].
func (a *ListAssembler) ServerList() (ServerList, error) {
	if a.known == nil {
		return ServerList{}, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	}
	return ServerList{Servers: append([]netip.AddrPort{}, a.servers...)}, nil
}
