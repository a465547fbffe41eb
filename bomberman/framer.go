package bomberman

import "github.com/lobbywire/lobbywire"

// A Framer cuts frames off a stream that arrives in parts. It continues within an
// incomplete frame where it ended, so, unlike NextFrame, its work for a stream
// does not depend on the sizes of the parts. Its zero value is ready.
type Framer struct {
	Options Options

	cutter cutter // of the incomplete frame
}

// Next cuts the first frame off b as [NextFrame] does, with Options. After
// [lobbywire.ErrTruncated], b of the next call must start with the same bytes.
func (f *Framer) Next(b []byte) (payload, rest []byte, err error) {
	return f.cutter.take(b, f.Options, f.Options.maxPayload())
}

// Split is a bufio.SplitFunc that splits as [SplitFrames] does, with Options.
// It is for a single Scanner.
func (f *Framer) Split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	c := &f.cutter
	switch kind := c.cut(data, f.Options, f.Options.maxPayload()); {
	case kind == nil:
		advance, token = c.next, data[c.start:c.end:c.end]
	case kind == lobbywire.ErrTruncated && !atEOF:
		return 0, nil, nil
	case kind == lobbywire.ErrTruncated && c.digits == len(data):
		advance = len(data)
	default:
		err = c.failure()
	}
	*c = cutter{}
	return advance, token, err
}
