package sb2

import (
	"math"

	"github.com/lobbywire/lobbywire/gamespy2"
)

// Port is the TCP port of masters.
const Port = 28910

// Limits, in bytes unless stated otherwise.
const (
	MaxMessage = math.MaxUint16 // a message from a client or a pushed one: its length has two bytes
	MaxKeys    = math.MaxUint8  // the number of keys of a list: the count has one byte
	MaxPopular = math.MaxUint8  // the number of popular values: the index 255 means that a text follows

	// The other limits are ours.

	MaxRequest = 4096    // a message from a client, for [NextFrame]
	maxPart    = 1 << 16 // the start of a list and each server in a [MasterStream]
	MaxServers = 1 << 16 // the number of servers of a [List]; a MasterStream keeps none
)

// Options changes what the decoder accepts, and gives the facts that a message
// itself does not contain. The zero Options is the default of the functions with
// the same names.
type Options struct {
	// Strict refuses what GameSpy's programs do not send. The package
	// documentation lists the differences.
	Strict bool

	// NoList means that the [ListRequest] contains [OptionNoList], so a [List] ends after
	// its port. Functions with the request as an argument ignore NoList.
	NoList bool

	// Keys are the keys of the values in a [PushServer]: from the last [PushKeys], or from
	// the list.
	Keys []Key

	// Text, unless nil, decodes texts that are not UTF-8, for servers whose encoding the
	// caller knows. The messages are then encoded to other bytes.
	Text func([]byte) string
}

// A KeyValue is a key of a server and its value.
type KeyValue = gamespy2.KeyValue
