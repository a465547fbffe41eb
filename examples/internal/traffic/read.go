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

// Read returns the first messages of known protocols in a capture, at most limit of them, how many
// there are, and lines about the others, as [Explain] prints them. It calls progress after each
// step of all.
func Read(file capture.File, only string, o formats.Options, limit int, progress func(done, all int)) (
	first []Message, count int, left []string,
) {
	done := 0
	step := func(conversations int) {
		done++
		progress(done, conversations+len(file.Sent))
	}
	x := explainer{conversations: recognize(file.Sent, only, o, step)}
	for _, s := range file.Sent {
		if r, ok := x.read(s); ok && len(first) < limit {
			first = append(first, Message{s, r.Format, r.Options, marks(s, r, x.conversations[EndsOf(s)].others)})
		}
		step(len(x.conversations))
	}
	return first, x.explained, slices.Concat(shortened(x.lines()), shortened(packetLines(file)))
}
