package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// Unknown is a datagram that is not a known message of its direction. Receivers do not
// answer it.
//
//wire:message ToMaster ToServer FromServer
type Unknown struct {
	Raw []byte // the datagram; not empty
}

// decodeUnknown reads any datagram except an empty one, which ends the original
// master.
func decodeUnknown(r *wire.Reader) Unknown {
	if r.Len() == 0 {
		r.Fail(lobbywire.ErrTruncated, "type", 0)
	}
	return Unknown{r.Rest("raw")}
}

// append fails if Raw is empty.
func (m *Unknown) append(w *wire.Writer) {
	if len(m.Raw) == 0 {
		w.Refuse("raw", "missing")
	}
	w.Bytes(m.Raw)
}
