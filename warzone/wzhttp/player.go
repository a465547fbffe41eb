package wzhttp

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Player is the player who hosts a game.
//
//wire:object
type Player struct {
	Name      string                     `wire:"name,playerName"` // at most MaxPlayerName bytes
	PublicKey string                     `wire:"pk,publicKey"`    // Ed25519 key in base64, or ""; clients refuse a host with a different key
	Extra     map[string]json.RawMessage // unknown members
}

func decodePlayerName(j *wire.JSON, o Options) string { return decodeLimited(j, o, MaxPlayerName) }

func appendPlayerName(w *wire.Writer, field, s string) { appendLimited(w, field, s, MaxPlayerName) }

func decodeRoomName(j *wire.JSON, o Options) string { return decodeLimited(j, o, MaxRoomName) }

func appendRoomName(w *wire.Writer, field, s string) { appendLimited(w, field, s, MaxRoomName) }
