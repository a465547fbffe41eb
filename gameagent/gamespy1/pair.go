package gamespy1

import (
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
)

// A Pair is a key and its value, as on the wire.
type Pair = gameagent.Pair

// A key of a message.
type key = pairs.Key
