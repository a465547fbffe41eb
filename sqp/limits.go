package sqp

import "math"

// Sizes and limits, in bytes where nothing else is said.
const (
	// RequestSize is the size of a challenge request and of its answer; a query
	// request has 8. A server that answers nothing shorter cannot amplify.
	RequestSize = 5

	// MaxText is the longest text: its length is one byte.
	MaxText = math.MaxUint8

	// MaxDatagram is the largest packet that fits an Ethernet frame over IPv4,
	// the buffer that Unity's client and server use. A ServerInfo answer has
	// 1045 bytes at most. Packets may be larger, to 65507.
	MaxDatagram = 1472

	// MaxMetrics is how many metrics Unity's client takes. The wire has room
	// for 255 and the decoder takes them.
	MaxMetrics = 25

	// MaxPackets is how many packets an answer may be split over: packets are
	// numbered with one byte.
	MaxPackets = math.MaxUint8 + 1

	// MaxAnswer is the default limit for the joined body of a split answer. It
	// is our choice: 64 full datagrams.
	MaxAnswer = 64 * MaxDatagram

	// MaxTableValues is the default limit for rows times columns of a table. It
	// is our choice: 1024 players of 64 fields.
	MaxTableValues = 1 << 16
)

// Options changes what the decoder accepts. The zero Options is what the
// functions of the same names use.
type Options struct {
	// Strict refuses what only real servers, and not the specification, allow:
	// a version other than 1, and bytes after the end of the packet.
	Strict bool

	// MaxTableValues limits rows times columns of a table; 0 means
	// [MaxTableValues].
	MaxTableValues int
}

func (o Options) maxTableValues() int {
	if o.MaxTableValues == 0 {
		return MaxTableValues
	}
	return o.MaxTableValues
}
