package wzproposal

import (
	"fmt"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A decoder is a pointer to a message that stands alone.
type decoder interface {
	decode(r *wire.Reader, o Options)
}

// Explain accounts for every byte of b, read into m, a pointer to a message, as
// the ParseX of its type with these options reads it. Unlike the function
// [Explain] it also explains the binary encoding.
func (o Options) Explain(b []byte, m decoder) lobbywire.Explanation {
	name := fmt.Sprintf("%T", m)
	name = name[strings.IndexByte(name, '.')+1:]
	return wire.Explain(proto, name, b, func(r *wire.Reader) { m.decode(r, o) })
}
