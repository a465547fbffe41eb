package sb2

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Push is a message that a master sends after a list: [PushKeys], [PushServer],
// [Keepalive], [DeleteServer], [MapLoop], [PlayerSearch] or [Unknown]. Pushes are
// encrypted by the cipher of the list, which continues where the list ended.
//
//wire:message key=byte
type Push interface {
	encoding.BinaryAppender
	push()
}

// decodePush reads a decrypted message of any type. A message of an unknown type
// is [Unknown]. Options.Keys are the keys of a [PushServer].
func decodePush(r *wire.Reader, o Options) Push {
	if p := r.Peek(); len(p) >= headerSize {
		if m := pushOf(p[lengthSize], r, o); m != nil {
			return m
		}
	}
	var m Unknown
	m.decode(r, o)
	return m
}
