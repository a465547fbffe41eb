package wzhttp

import (
	"encoding/json"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A JoinCheck from a host asks the lobby whether it has sent a player who wants to
// join. The lobby answers with a [Verdict].
//
//wire:message object
type JoinCheck struct {
	JoinToken string                     `wire:"joinToken"`       // the token that the player sent to the host
	IP        netip.Addr                 `wire:"ip,address"`      // of the player, as the host sees it
	Name      string                     `wire:"name,playerName"` // of the player, at most MaxPlayerName bytes
	PublicKey string                     `wire:"pk,publicKey"`    // the key that the player proved to own, in base64
	Method    string                     `wire:"connMethod,method"`
	Spectate  bool                       `wire:"asSpec"` // the player wants to join as a spectator
	Extra     map[string]json.RawMessage // unknown members
}

// maxAddress is the length of the longest address, an IPv4-mapped IPv6 address.
const maxAddress = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// decodeAddress reads an IP address without a zone.
func decodeAddress(j *wire.JSON, _ Options) netip.Addr {
	ip, err := netip.ParseAddr(j.Text())
	if err != nil || ip.Zone() != "" {
		j.Fail(wire.Invalid(notIP))
	}
	return ip
}

// notIP is the reason for refusing an address.
const notIP = "is not an IP address without a zone"

// appendAddress appends an IP address without a zone.
func appendAddress(w *wire.Writer, field string, ip netip.Addr) {
	if !ip.IsValid() || ip.Zone() != "" {
		w.Refuse(field, notIP)
	}
	var buf [maxAddress]byte
	w.Text(`"`)
	w.Bytes(ip.AppendTo(buf[:0]))
	w.Text(`"`)
}

// methodFault returns the reason why s is not a method that the game knows, or
// nil.
func methodFault(s string) error {
	if s != MethodTCP && s != MethodGNS {
		return wire.Invalid("is neither tcp nor gns")
	}
	return nil
}

func decodeMethod(j *wire.JSON, o Options) string { return decodeFaulty(j, o, methodFault) }

func appendMethod(w *wire.Writer, field, s string) { appendFaulty(w, field, s, methodFault) }
