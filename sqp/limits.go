package sqp

import "math"

// Sizes and limits, in bytes unless stated otherwise.
const (
	// RequestSize is the size of a challenge request and of its response. A query request
	// has 8 bytes. A server that ignores shorter challenge requests does not amplify.
	RequestSize = 5

	// MaxText is the length of the longest text. The length field has one byte.
	MaxText = math.MaxUint8

	// MaxDatagram is the size of the largest packet that fits an Ethernet frame
	// over IPv4, and of the buffers of Unity's client and servers. A ServerInfo
	// response has at most 1045 bytes. UDP carries packets of up to 65507 bytes.
	MaxDatagram = 1472

	// MaxPackets is the number of packets that a response can be split into.
	// The packet number has one byte.
	MaxPackets = math.MaxUint8 + 1

	// maxAnswer is the default limit for the joined body of a split response:
	// 64 full datagrams. The limit is ours.
	maxAnswer = 64 * MaxDatagram

	// maxTableValues is the limit for the number of values in a table:
	// 1024 players with 64 columns. The limit is ours.
	maxTableValues = 1 << 16
)

// Options changes what the decoder accepts. The zero Options is the default of
// the functions with the same names.
type Options struct {
	// Strict refuses what the specification does not allow but real servers send: a missing
	// chunk, text that is not UTF-8, and bytes after the end of the packet. It also refuses
	// versions above 2, which no program uses. An answer has the version of its query: 0, 1
	// or 2.
	Strict bool

	// Text, unless nil, decodes texts that are not UTF-8, for servers whose encoding the
	// caller knows. Strict refuses them first.
	Text func([]byte) string
}
