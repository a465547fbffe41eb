package traffic

import (
	"slices"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// A Message is a datagram, or a direction of a stream, of a known protocol.
type Message struct {
	capture.Sent
	Format  formats.Format
	Options formats.Options // to explain it
	Marks   []string        // comments about the reliability of the explanation
}

// Read returns the messages of known protocols in a capture, and lines about the others, as
// [Explain] prints them.
func Read(file capture.File, only string, o formats.Options) (all []Message, left []string) {
	x := explainer{conversations: Recognize(file.Sent, only, o)}
	for _, s := range file.Sent {
		if r, ok := x.read(s); ok {
			all = append(all, Message{s, r.Format, r.Options, marks(s, r, x.conversations[EndsOf(s)].others)})
		}
	}
	return all, slices.Concat(shortened(x.lines()), shortened(packetLines(file)))
}
