package gamespy1

import (
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "gamespy1"

// decodeEnd ignores bytes after the message. With Options.Strict it refuses
// them.
func decodeEnd(r *wire.Reader, o Options) { pairs.DecodeEnd(r, o.Strict) }
