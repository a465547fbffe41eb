package wzjson

import (
	"encoding/json"
	"math"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Game is an entry of a [ListAck]. Fields that are zero are left out.
//
//wire:object
type Game struct {
	Host       netip.Addr                 `wire:"host,host,omitzero"` // address of the host; the zero Addr if the list has none
	Port       uint16                     `wire:"port,port,omitzero"` // TCP; 0 means DefaultPort
	Name       string                     `wire:"name,omitzero,lenient"`
	Map        string                     `wire:"map,omitzero,lenient"`
	Tech       Tech                       `wire:"tech,tech,omitzero,lenient"`
	MaxPlayers int                        `wire:"players,range=1..maxPlayers,omitzero,lenient"` // capacity of the game
	Extra      map[string]json.RawMessage // unknown members
}

// maxPlayers bounds the capacity of a game: numbers have 31 bits.
const maxPlayers = math.MaxInt32

// maxHost is the length of the longest address, of IPv4 in IPv6.
const maxHost = len("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255")

// notHost is the reason for another host.
const notHost = "is not an IP address without a zone"

// decodeHost reads an address without a zone.
func decodeHost(j *wire.JSON, _ Options) netip.Addr {
	host, err := netip.ParseAddr(j.Text())
	if err != nil || host.Zone() != "" {
		j.Refuse(notHost)
	}
	return host
}

// appendHost appends an address without a zone.
func appendHost(w *wire.Writer, field string, host netip.Addr) {
	if host.Zone() != "" {
		w.Refuse(field, notHost)
	}
	var buf [maxHost]byte
	w.Text(`"`)
	w.Bytes(host.AppendTo(buf[:0]))
	w.Text(`"`)
}

// decodePort reads a port other than 0.
func decodePort(j *wire.JSON, o Options) uint16 {
	return uint16(decodeRange(j, o, 1, math.MaxUint16))
}
