package formats

import (
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/sqp"
)

// Options are options for decoding. Some messages cannot be decoded without knowledge of
// the request.
type Options struct {
	Strict bool // accept only what the specification allows
	Part   bool // decode one packet of a split answer by itself

	Chunks sqp.Chunks // in an sqp answer

	Challenge bool              // gamespy2 queries have a challenge
	Sections  gamespy2.Sections // in a plain gamespy2 answer; 0 means to guess
	Keys      int               // number of values in a gamespy2 answer without names

	ServerBrowsing ServerBrowsing

	Query gamespy1.Query // that a Status of gamespy1 answers
}

// DefaultOptions returns the options if the user gives no flags.
func DefaultOptions() Options { return Options{Chunks: sqp.ChunkServerInfo} }
