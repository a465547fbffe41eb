package wzhttp

import (
	"encoding/json"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A JoinCheck is a host's request to check the token of a player who joins. The lobby
// answers with a [Verdict].
//
//wire:message object
type JoinCheck struct {
	// the token that the player sent to the host
	JoinToken string     `wire:"joinToken"`
	IP        netip.Addr `wire:"ip"` // of the player, as seen by the host
	// of the player, at most MaxPlayerName bytes
	Name string `wire:"name,max=MaxPlayerName"`
	// the key that the player proved to own, in base64
	PublicKey string                     `wire:"pk,should=publicKeyOrNone,plain"`
	Method    string                     `wire:"connMethod,should=knownMethod"`
	Spectate  bool                       `wire:"asSpec"` // the player joins as a spectator
	Extra     map[string]json.RawMessage // unknown members
}

// knownMethod reports whether the game knows a method.
func knownMethod(s string) bool { return s == MethodTCP || s == MethodGNS }

// knownMethodFault is the reason for refusing an unknown method.
const knownMethodFault wire.Invalid = "is neither tcp nor gns"
