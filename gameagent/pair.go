package gameagent

import "github.com/lobbywire/lobbywire/gameagent/internal/pairs"

// A Pair is a key and its value, as on the wire.
type Pair struct {
	Key   string
	Value string
}

// A key of a message.
type key = pairs.Key
