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
	c := &f.cutter
	switch c.cut(b, f.Options) {
	case nil:
		payload, rest = b[c.start:c.end:c.end], b[c.next:]
	case lobbywire.ErrTruncated:
		return nil, b, lobbywire.ErrTruncated
	default:
		rest, err = b, new(c.bad)
	}
	*c = cutter{}
	return payload, rest, err
}

// Split is a bufio.SplitFunc for a single Scanner, which needs a buffer of [MaxFrame]
// bytes. Its tokens are the results of Next. A stream that ends within a frame is an error.
func (f *Framer) Split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	payload, rest, err := f.Next(data)
	if err == lobbywire.ErrTruncated {
		if !atEOF {
			return 0, nil, nil
		}
		c := f.cutter
		f.cutter = cutter{}
		if c.digits == len(data) {
			return len(data), nil, nil // white space at the end
		}
		err = new(c.bad)
	}
	return len(data) - len(rest), payload, err
}
