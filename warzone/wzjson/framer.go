package wzjson

import "github.com/lobbywire/lobbywire"

// A Framer cuts messages off a stream that arrives in parts. It continues within an
// incomplete message where it ended, so its work for a stream does not depend on
// the sizes of the parts, as that of NextFrame does. Its zero value is ready.
type Framer struct {
	Options Options

	cutter cutter // of the incomplete message
}

// Next cuts the first message off b as [NextFrame] does, with Options. After
// [lobbywire.ErrTruncated], b of the next call must start with the same bytes.
func (f *Framer) Next(b []byte) (payload, rest []byte, err error) {
	kind := f.cutter.cut(b, f.Options.maxFrame())
	if kind == lobbywire.ErrTruncated {
		return nil, b, kind
	}
	start, end := f.cutter.start, f.cutter.at
	f.cutter = cutter{}
	if kind != nil {
		return nil, b, &lobbywire.Error{Proto: proto, Offset: start, Err: kind}
	}
	return b[start:end:end], b[end:], nil
}

// Split is a bufio.SplitFunc for one Scanner, as [SplitFrames] with Options.
func (f *Framer) Split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	payload, rest, err := f.Next(data)
	if err == lobbywire.ErrTruncated && !atEOF {
		return 0, nil, nil
	}
	if err == lobbywire.ErrTruncated {
		start := f.cutter.start
		f.cutter = cutter{}
		if start == len(data) {
			return start, nil, nil
		}
		err = &lobbywire.Error{Proto: proto, Offset: start, Err: err}
	}
	return len(data) - len(rest), payload, err
}
