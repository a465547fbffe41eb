package qr2

import "github.com/lobbywire/lobbywire/internal/wire"

// An AvailabilityRequest asks a master whether the services of a game are available.
// Clients and servers of the SDK send it first, and repeat it after 2 s. Without an
// answer after 4 s they assume that the services are available.
//
//wire:message ToMaster type=typeAvailability
type AvailabilityRequest struct {
	GameName string
}

// decode fails if the key is not 0.
func (m *AvailabilityRequest) decode(r *wire.Reader, o Options) {
	m.decodeHeader(r)
	at := r.Offset()
	if r.Array4("key") != [4]byte{} {
		r.Refuse("key", at, "not 0")
	}
	m.GameName = decodeText(r, "gamename")
	decodeEnd(r, o)
}

//wire:fails GameName is longer than [MaxText] or contains a zero byte
func (m *AvailabilityRequest) append(w *wire.Writer) {
	m.appendHeader(w)
	w.Uint32(0)
	appendText(w, "gamename", m.GameName)
}

// Availability is a set of reasons why a game is not available, one bit each. 0
// means that the game is available.
type Availability uint32

// The reasons.
const (
	Unavailable            Availability = 1 << 0 // permanently
	TemporarilyUnavailable Availability = 1 << 1
)

// String returns "available", or the names of the reasons joined by |.
func (a Availability) String() string {
	return wire.BitNames(a, []string{"unavailable", "temporarilyUnavailable"}, 0, "available")
}

// An AvailabilityAnswer answers an [AvailabilityRequest].
//
//wire:message ToServer magic=0xfefd type=typeAvailability key=typeAvailability end=decodeEnd
type AvailabilityAnswer struct {
	Availability Availability `wire:"availability"` // unknown bits are kept
}
