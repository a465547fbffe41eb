package main

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// A banEffect describes what a ban would do now.
type banEffect struct {
	Listed  int      `json:"listed"`            // servers in the lists
	Hides   int      `json:"hides"`             // listed servers that it hides
	Servers []place  `json:"servers,omitempty"` // the first hidden ones, or the servers that a mark is for
	Asks    []string `json:"asks,omitempty"`    // why an operator has to confirm it
}

// maxShown is the number of servers that a banEffect names.
const maxShown = 50

// A confirmError means that an operator has to confirm a ban.
type confirmError struct{ asks []string }

func (e *confirmError) Error() string {
	return strings.Join(e.asks, "; ") + `: confirm it with "yes"`
}

// effectOf returns the effect of a ban that an operator requests. The operator must confirm a ban
// that hits more than a tenth of the list or an address that lobbyd itself needs.
func (l *lists) effectOf(r *http.Request, one ban.Record) banEffect {
	entries := l.catalogue.Snapshot().Entries
	x := banEffect{Servers: []place{}}
	means := meansOf(one)
	for _, e := range entries {
		if e.Quarantine != "" {
			continue
		}
		x.Listed++
		if !means(e) {
			continue
		}
		if one.Kind != ban.KindOfficial {
			x.Hides++
		}
		if len(x.Servers) < maxShown {
			x.Servers = append(x.Servers, placeOf(e))
		}
	}
	const tenth = 10
	if one.Kind != ban.KindServer && one.Kind != ban.KindOfficial && x.Hides*tenth > x.Listed {
		x.Asks = append(x.Asks, fmt.Sprintf("it hides %d of %d listed servers", x.Hides, x.Listed))
	}
	switch one.Kind {
	case ban.KindPrefix:
		p, _ := ban.ParsePrefix(one.Value) // Check has accepted it
		x.Asks = append(x.Asks, l.needed(r, p)...)
	case ban.KindPattern:
		if matchesAny(one.Value) {
			x.Asks = append(x.Asks, "it hides all servers, whatever their name is")
		}
	case ban.KindServer, ban.KindOfficial:
		x.Asks = append(x.Asks, unknownServer(one.Value, entries)...)
	}
	return x
}

// meansOf returns a function that reports whether a ban or a mark is for a server.
func meansOf(one ban.Record) func(e *catalogue.Entry) bool {
	switch one.Kind { // Check has accepted the value
	case ban.KindPrefix:
		p, _ := ban.ParsePrefix(one.Value)
		return func(e *catalogue.Entry) bool { return p.Contains(hostOf(e).Addr()) }
	case ban.KindPattern:
		p := regexp.MustCompile(one.Value)
		return func(e *catalogue.Entry) bool { return p.MatchString(e.Name) || p.MatchString(web.PlainName(e)) }
	}
	at := netip.MustParseAddrPort(one.Value)
	return func(e *catalogue.Entry) bool { return hostOf(e) == at }
}

// hostOf returns the address of the host of a server, in the form of bans.
func hostOf(e *catalogue.Entry) netip.AddrPort {
	return netip.AddrPortFrom(e.At.Addr().Unmap().WithZone(""), e.At.Port())
}

// matchesAny reports whether a pattern matches very different names.
func matchesAny(pattern string) bool {
	p := regexp.MustCompile(pattern)
	return !slices.ContainsFunc([]string{"Quick brown fox", "7", "ЖУК"}, func(name string) bool {
		return !p.MatchString(name)
	})
}

// unknownServer returns a question if no listed server has the address. It names the listed
// servers of the same machine.
func unknownServer(value string, entries []*catalogue.Entry) []string {
	at := netip.MustParseAddrPort(value)
	var others []string
	for _, e := range entries {
		host := hostOf(e)
		if host == at {
			return nil
		}
		if host.Addr() == at.Addr() && len(others) < maxOthers && !slices.Contains(others, host.String()) {
			others = append(others, host.String())
		}
	}
	text := "no server has its host at " + value + " now"
	if len(others) > 0 {
		text += ", but at " + strings.Join(others, ", ")
	}
	return []string{text}
}

// maxOthers is the number of servers of the same machine that unknownServer names.
const maxOthers = 5

// The shortest prefixes that are banned without a question: the size of a provider, not of a
// continent.
const (
	shortest4 = 16
	shortest6 = 32
)

// needed returns reasons against banning a prefix: it is wide, or contains an address that lobbyd
// needs.
func (l *lists) needed(r *http.Request, p ban.Prefix) (all []string) {
	ask := func(format string, a ...any) { all = append(all, fmt.Sprintf(format, a...)) }
	if p.Addr().Is4() && p.Bits() < shortest4 || p.Addr().Is6() && p.Bits() < shortest6 {
		ask("%v has very many addresses", p)
	}
	for _, proxy := range l.config.Warzone.TrustedProxies {
		if p.Overlaps(proxy.Prefix) {
			ask("%v has the trusted proxy %v: all who come through it would be shut out", p, proxy)
		}
	}
	for _, peer := range l.config.Cluster.peers(r.Context()) {
		if p.Contains(peer) {
			ask("%v has the address of another node or of NATS, %v", p, peer)
		}
	}
	if p.Overlaps(loopback4) || p.Overlaps(loopback6) {
		ask("%v has loopback addresses: programs of this machine could not reach lobbyd", p)
	}
	if client, err := netip.ParseAddrPort(r.RemoteAddr); err == nil && p.Contains(client.Addr().Unmap().WithZone("")) {
		ask("%v has your own address", p)
	}
	return all
}

var (
	loopback4 = netip.MustParsePrefix("127.0.0.0/8")
	loopback6 = netip.MustParsePrefix("::1/128")
)

// lookupTimeout limits the time to look up the names of other nodes.
const lookupTimeout = 2 * time.Second

// peers returns the addresses of the other nodes and of NATS, as far as they are known.
func (c clusterConfig) peers(ctx context.Context) (all []netip.Addr) {
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	for _, host := range c.peerHosts() {
		found, _ := net.DefaultResolver.LookupNetIP(ctx, "ip", host) // none on error
		for _, addr := range found {
			all = append(all, addr.Unmap().WithZone(""))
		}
	}
	return all
}

// peerHosts returns the hosts of the other nodes and of NATS.
func (c clusterConfig) peerHosts() (all []string) {
	for _, peer := range c.Peers {
		if host, _, err := net.SplitHostPort(peer); err == nil {
			all = append(all, host)
		}
	}
	if c.NATS == "" || c.NATS == embedded {
		return all
	}
	for text := range strings.SplitSeq(c.NATS, ",") {
		if u, err := parseNATS(text); err == nil {
			all = append(all, u.Hostname())
		}
	}
	return all
}
