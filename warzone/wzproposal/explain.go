package wzproposal

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ExplainWith is the function [Explain] with options. So it also explains the
// binary encoding.
func ExplainWith[M any, P explainable[M]](o Options, b []byte) lobbywire.Explanation {
	return wire.Explain(proto, wire.NameOf[M](), b, func(r *wire.Reader) { P(new(M)).decode(r, o) })
}
