package wzproposal

import (
	"encoding"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "wzproposal"

// An Encoding is one of the two forms of the same messages in the proposals.
type Encoding uint8

// The encodings.
const (
	Text   Encoding = iota // lines of columns
	Binary                 // frames of payloads
)

// String returns "text", "binary" or a form such as "encoding(7)".
func (e Encoding) String() string {
	return wire.EnumName(e, "encoding", "text", "binary")
}

// A Message is a [Request], a [Response], or a [Count], [Game] or [Frame].
// AppendBinary writes the text encoding, [Encoding.Append] writes either.
type Message interface {
	encoding.BinaryAppender
	message()
}
