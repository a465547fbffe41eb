package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// JoinOptions state which joiners the lobby should refuse.
//
//wire:object
type JoinOptions struct {
	Bots JoinPolicy `wire:"botProt,should=valid"` // programs; the game's default is JoinBlock
	// addresses of proxies and VPNs; default JoinBlockSuspicious
	Proxies JoinPolicy `wire:"proxyIps,should=valid"`
	// addresses of hosting providers; default JoinBlock
	Hosting JoinPolicy                 `wire:"hostingIps,should=valid"`
	Extra   map[string]json.RawMessage // unknown members
}

// DefaultJoinOptions returns the game's default options.
func DefaultJoinOptions() JoinOptions {
	return JoinOptions{Bots: JoinBlock, Proxies: JoinBlockSuspicious, Hosting: JoinBlock}
}

// A JoinPolicy states how a lobby treats a kind of joiners.
type JoinPolicy string

// The policies.
const (
	JoinBlock           JoinPolicy = "block"
	JoinBlockSuspicious JoinPolicy = "blockSus"
	JoinAllow           JoinPolicy = "allow"
)

// joinPolicyFault is the reason for refusing an unknown policy.
const joinPolicyFault wire.Invalid = "is not a known policy"

// valid reports whether p is one of the three policies.
func (p JoinPolicy) valid() bool {
	return p == JoinBlock || p == JoinBlockSuspicious || p == JoinAllow
}
