package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// JoinOptions are a host's wishes for joiners whom the lobby should refuse.
//
//wire:object
type JoinOptions struct {
	Bots    JoinPolicy                 `wire:"botProt,should=Valid"`    // programs; the game's default is JoinBlock
	Proxies JoinPolicy                 `wire:"proxyIps,should=Valid"`   // addresses of proxies and VPNs; JoinBlockSuspicious
	Hosting JoinPolicy                 `wire:"hostingIps,should=Valid"` // addresses of hosting providers; JoinBlock
	Extra   map[string]json.RawMessage // unknown members
}

// DefaultJoinOptions returns the options of the game.
func DefaultJoinOptions() JoinOptions {
	return JoinOptions{Bots: JoinBlock, Proxies: JoinBlockSuspicious, Hosting: JoinBlock}
}

// A JoinPolicy is what a lobby does with joiners of a kind.
type JoinPolicy string

// The policies.
const (
	JoinBlock           JoinPolicy = "block"
	JoinBlockSuspicious JoinPolicy = "blockSus"
	JoinAllow           JoinPolicy = "allow"
)

// joinPolicyFault is the reason for another policy.
const joinPolicyFault wire.Invalid = "is not a known policy"

// Valid reports whether p is one of the three policies.
func (p JoinPolicy) Valid() bool {
	return p == JoinBlock || p == JoinBlockSuspicious || p == JoinAllow
}
