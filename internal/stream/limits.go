package stream

import (
	"cmp"
	"time"

	"github.com/lobbywire/lobbywire"
)

// Limits bound the time and memory that a peer may take of a connection. Every
// field must be set.
type Limits struct {
	First time.Duration // until the first byte of a connection has come
	Frame time.Duration // from the first byte of a message to its last
	Idle  time.Duration // from one message to the first byte of the next
	Write time.Duration // for each 64 KiB, one after the other, to be written

	// MaxFrame is how many bytes a message may have, and with it what of the
	// next has come already.
	MaxFrame int
}

// writeUnit is what Limits.Write is the time for.
const writeUnit = 64 << 10

// Sizes of buffers, in bytes.
const (
	// firstBuffer is what a connection of a server has to read into while it
	// waits. It is enough for what most peers send to stay connected.
	firstBuffer = 64

	// smallBuffer is what a connection may always have. It is enough for every message of
	// a Warzone host.
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
