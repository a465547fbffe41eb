package gamespy2

import "github.com/lobbywire/lobbywire/internal/wire"

// A StatRequest requests a stat from a Minecraft server. Servers of other games
// ignore it. The answer to a request for the basic stat is a [BasicStat]; the full
// stat is a [Response] in split form, see [Minecraft].
//
//wire:message magic=0xfefd type=TypeQuery
type StatRequest struct {
	ID        [4]byte `wire:"id"`        // Minecraft reads only the low 4 bits of each byte
	Challenge int32   `wire:"challenge"` // Number of the [ChallengeResponse]

	// Full requests the full stat. Most clients send zeros as padding; clients for several
	// games send the bytes of a [Request] for all keys.
	Full bool
}

// statPadding is the size of the padding of a request for the full stat.
const statPadding = 4

func (m *StatRequest) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	if r.Len() > 0 {
		m.Full = true
		r.Skip(statPadding, "padding")
	}
	decodeEnd(r, o)
}

// append pads the request for the full stat with zeros.
//
//wire:fails never
func (m *StatRequest) append(w *wire.Writer) {
	m.appendHeader(w)
	if m.Full {
		w.Uint32(0)
	}
}
