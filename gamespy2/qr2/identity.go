package qr2

import (
	"encoding/binary"
	"math"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A State is the reason for a heartbeat.
type State uint8

// The states.
const (
	StateSame     State = 0 // nothing has changed; the key statechanged is missing
	StateChanged  State = 1
	StateShutdown State = 2 // the server is stopping: the heartbeat contains no keys of the game and no tables
	StateStart    State = 3 // the server has started, and the master has not answered yet
)

// String returns a name such as "changed", or "state(4)" for an unknown state.
func (s State) String() string {
	return wire.EnumName(s, "state", "same", "changed", "shutdown", "start")
}

// An Identity is the typed form of the keys at the beginning of a [Heartbeat],
// which are about the server itself. The fields are in the order of the wire.
type Identity struct {
	LocalAddrs []netip.Addr // localip0 to localip4: of its network interfaces
	// localport: the query port, which is also the source port of heartbeats unless a
	// router changes it
	LocalPort      uint16
	NATNegotiation bool   // natneg: clients reach the server by NAT negotiation
	State          State  // statechanged
	GameName       string // gamename: the game, as masters know it

	// Public is publicip and publicport: the address that the master reported in
	// its challenge. It is 0.0.0.0:0 before the first challenge. It is not valid if
	// the keys are missing, as in most games. The value of publicip is a signed
	// number; it is read and written in little-endian order. The Wii uses
	// big-endian order.
	Public netip.AddrPort
}

// The keys of an Identity.
const (
	keyLocalIP      = "localip" // with a digit
	keyLocalPort    = "localport"
	keyNATNeg       = "natneg"
	keyStateChanged = "statechanged"
	keyGameName     = "gamename"
	keyPublicIP     = "publicip"
	keyPublicPort   = "publicport"
)

// maxLocalAddrs is the number of local addresses that a server of the SDK sends.
const maxLocalAddrs = 5

// Identity returns the keys about the server itself. Missing and invalid values
// are zero.
func (m Heartbeat) Identity() Identity {
	var v Identity
	var publicIP, publicPort string
	var hasPublic bool
	for _, kv := range m.Info {
		switch kv.Key {
		case keyLocalPort:
			v.LocalPort = uint16(number(kv.Value, math.MaxUint16))
		case keyNATNeg:
			if is := wire.Bool(kv.Value); is != nil {
				v.NATNegotiation = *is
			}
		case keyStateChanged:
			v.State = state(kv.Value)
		case keyGameName:
			v.GameName = kv.Value
		case keyPublicIP:
			publicIP, hasPublic = kv.Value, true
		case keyPublicPort:
			publicPort = kv.Value
		default:
			if !isLocalIP(kv.Key) || len(v.LocalAddrs) == maxLocalAddrs {
				continue
			}
			if a, err := netip.ParseAddr(kv.Value); err == nil {
				v.LocalAddrs = append(v.LocalAddrs, a)
			}
		}
	}
	if hasPublic {
		v.Public = netip.AddrPortFrom(publicAddr(publicIP), uint16(number(publicPort, math.MaxUint16)))
	}
	return v
}

// state returns the state in the value of statechanged.
func state(s string) State { return State(number(s, math.MaxUint8)) }

// number returns a number from 0 to limit, or 0 for a text that is not one.
func number(s string, limit int) int {
	if n := wire.Number(s); n != nil && 0 <= *n && *n <= limit {
		return *n
	}
	return 0
}

// publicAddr returns the address in the value of publicip, or 0.0.0.0.
func publicAddr(s string) netip.Addr {
	var ip [4]byte
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		binary.LittleEndian.PutUint32(ip[:], uint32(n))
	}
	return netip.AddrFrom4(ip)
}

// isLocalIP reports whether a key is localip0 or another of the local addresses.
func isLocalIP(key string) bool {
	digit, ok := strings.CutPrefix(key, keyLocalIP)
	return ok && len(digit) == 1 && digit[0] >= '0' && digit[0] < '0'+maxLocalAddrs
}

// AppendTo appends the keys to info, in the order of the SDK. It omits local addresses
// after the fifth.
func (v Identity) AppendTo(info []gamespy2.KeyValue) []gamespy2.KeyValue {
	add := func(key, value string) { info = append(info, gamespy2.KeyValue{Key: key, Value: value}) }
	for i, a := range v.LocalAddrs[:min(len(v.LocalAddrs), maxLocalAddrs)] {
		add(keyLocalIP+strconv.Itoa(i), a.String())
	}
	add(keyLocalPort, strconv.Itoa(int(v.LocalPort)))
	negotiates := "0"
	if v.NATNegotiation {
		negotiates = "1"
	}
	add(keyNATNeg, negotiates)
	if v.State != StateSame {
		add(keyStateChanged, strconv.Itoa(int(v.State)))
	}
	add(keyGameName, v.GameName)
	if v.Public.IsValid() {
		var n uint32
		if a := v.Public.Addr().Unmap(); a.Is4() {
			ip := a.As4()
			n = binary.LittleEndian.Uint32(ip[:])
		}
		add(keyPublicIP, strconv.Itoa(int(int32(n))))
		add(keyPublicPort, strconv.Itoa(int(v.Public.Port())))
	}
	return info
}

// GameInfo returns the part of Info that a master shows to clients: all keys,
// including gamename, except those about the address and the state of the
// server.
func (m Heartbeat) GameInfo() []gamespy2.KeyValue {
	return slices.DeleteFunc(slices.Clone(m.Info), func(kv gamespy2.KeyValue) bool {
		switch kv.Key {
		case keyLocalPort, keyNATNeg, keyStateChanged, keyPublicIP, keyPublicPort:
			return true
		}
		return isLocalIP(kv.Key)
	})
}
