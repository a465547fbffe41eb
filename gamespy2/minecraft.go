package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// A BasicStatRequest requests a [BasicStat] from a Minecraft server. It is a
// query without selectors; servers of other games ignore it. A full stat is a
// [Response] in split form, which answers a [Request] with a challenge.
//
//wire:message magic=0xfefd type=TypeQuery
type BasicStatRequest struct {
	ID        [4]byte `wire:"id"`        // Minecraft reads only the low 4 bits of each byte
	Challenge int32   `wire:"challenge"` // Number of the [ChallengeResponse]
}

// A BasicStat is the short answer of a Minecraft server. Its numbers are decimal
// text, except hostPort, which is little-endian.
//
//wire:message type=TypeQuery
type BasicStat struct {
	ID         [4]byte `wire:"id"`             // of the request
	MOTD       string  `wire:"motd,text0"`     // with colour codes: a section sign, in Latin-1 or UTF-8, and a letter
	GameType   string  `wire:"gameType,text0"` // "SMP"
	Map        string  `wire:"map,text0"`      // name of the world
	NumPlayers int32   `wire:"numPlayers,int0"`
	MaxPlayers int32   `wire:"maxPlayers,int0"`
	HostPort   uint16  `wire:"hostPort,le"`
	HostIP     string  `wire:"hostIp,text0"` // as configured on the server
}

func (m *BasicStat) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	decodeEnd(r, o, "ignored")
}
