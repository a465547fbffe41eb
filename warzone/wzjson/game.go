package wzjson

import (
	"encoding/json"
	"math"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// A Game is an entry of a [ListAck]. Fields that are zero are left out.
//
//wire:object
type Game struct {
	// address of the host; the zero Addr if the list contains none
	Host       netip.Addr                 `wire:"host,omitzero"`
	Port       uint16                     `wire:"port,port,omitzero"` // TCP; 0 means DefaultPort
	Name       string                     `wire:"name,omitzero,lenient"`
	Map        string                     `wire:"map,omitzero,lenient"`
	Tech       Tech                       `wire:"tech,tech,omitzero,lenient"`
	MaxPlayers int                        `wire:"players,range=1..maxPlayers,omitzero,lenient"` // capacity of the game
	Extra      map[string]json.RawMessage // unknown members
}

// maxPlayers bounds the capacity of a game: numbers have 31 bits.
const maxPlayers = math.MaxInt32

// decodePort reads a port other than 0.
func decodePort(j *wirejson.Reader, o Options) uint16 {
	return uint16(decodeRange(j, o, 1, math.MaxUint16))
}
