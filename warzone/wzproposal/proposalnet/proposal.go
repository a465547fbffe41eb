package proposalnet

import (
	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A Proposal is one of the three protocols that were proposed for the lobby in 2009.
type Proposal uint8

// The proposals.
const (
	Text   Proposal = iota // lines of text, see package wzproposal
	Binary                 // the same messages in binary, see package wzproposal
	JSON                   // JSON objects, see package wzjson
)

// String returns "text", "binary", "json" or a form such as "proposal(7)".
func (p Proposal) String() string { return wire.EnumName(p, "proposal", "text", "binary", "json") }

// dialect returns the dialect of p. An unknown proposal is Text.
func (p Proposal) dialect() dialect {
	switch p {
	case Binary:
		return columns{wzproposal.Binary}
	case JSON:
		return objects{}
	}
	return columns{wzproposal.Text}
}
