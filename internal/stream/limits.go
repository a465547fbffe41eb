package stream

import (
	"cmp"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Limits bound the time and memory that a peer may take of a connection. Every
// field except Buffer must be set.
type Limits struct {
	First time.Duration // to receive the first byte of a connection
	Frame time.Duration // to receive a message, from its first byte to its last
	Idle  time.Duration // from one message to the first byte of the next
	Write time.Duration // to write each 64 KiB

	// MaxFrame is the most bytes of input: of a message and what follows it.
	MaxFrame int

	// Buffer is the size of a client's first buffer, at least and by default smallBuffer.
	Buffer int
}

// writeUnit is the number of bytes to which Limits.Write applies.
const writeUnit = 64 << 10

// Sizes of buffers, in bytes.
const (
	// firstBuffer is the buffer of a server's connection while it waits. It is
	// enough for the keep-alive messages of most peers.
	firstBuffer = 64

	// smallBuffer is the buffer that every connection may have. It is enough for
	// every message of a Warzone host.
	smallBuffer = 1 << 10
)

// limitsOr returns l with the defaults in place of zeros.
func limitsOr(l, defaults lobbywire.ConnLimits) lobbywire.ConnLimits {
	return lobbywire.ConnLimits{
		First:         cmp.Or(l.First, defaults.First),
		Frame:         cmp.Or(l.Frame, defaults.Frame),
		Idle:          cmp.Or(l.Idle, defaults.Idle),
		Write:         cmp.Or(l.Write, defaults.Write),
		MaxConns:      cmp.Or(l.MaxConns, defaults.MaxConns),
		MaxPerAddress: cmp.Or(l.MaxPerAddress, defaults.MaxPerAddress),
		MaxPerPrefix:  cmp.Or(l.MaxPerPrefix, defaults.MaxPerPrefix),
		MaxBuffered:   cmp.Or(l.MaxBuffered, defaults.MaxBuffered),
	}
}
