package wzjson

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Framer cuts messages off a stream that arrives in parts. It continues within an
// incomplete message where it ended, so its work for a stream does not depend on the
// sizes of the parts. Its zero value is ready.
type Framer struct {
	Options Options

	// The state of the incomplete message.
	start  int
	at     int // the next byte; once the message is complete, its end
	depth  int // open braces
	inText bool
}

// Next cuts the first message off b, a JSON object, for [ParseMessage]. It skips white
// space before the object, which ends with the brace that matches its first one. If b does
// not contain a whole message, the error is [lobbywire.ErrTruncated] itself: read more and
// call Next again, with a b that starts with the same bytes. A message that does not end
// within Options.MaxFrame bytes is refused with [lobbywire.ErrTooLarge].
//
// After any other error, the position of the next message is unknown, so close the
// connection. On error, rest is b.
func (f *Framer) Next(b []byte) (payload, rest []byte, err error) {
	kind := f.cut(b)
	if kind == lobbywire.ErrTruncated {
		return nil, b, kind
	}
	start, end := f.start, f.at
	*f = Framer{Options: f.Options}
	if kind != nil {
		return nil, b, &lobbywire.Error{Proto: proto, Offset: start, Err: kind}
	}
	return b[start:end:end], b[end:], nil
}

// Split is a bufio.SplitFunc for one Scanner, which needs a buffer of [MaxFrame] bytes. Its
// tokens are the results of Next. A stream that ends within a message is an error.
func (f *Framer) Split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	payload, rest, err := f.Next(data)
	if err == lobbywire.ErrTruncated && !atEOF {
		return 0, nil, nil
	}
	if err == lobbywire.ErrTruncated {
		start := f.start
		*f = Framer{Options: f.Options}
		if start == len(data) {
			return start, nil, nil
		}
		err = &lobbywire.Error{Proto: proto, Offset: start, Err: err}
	}
	return len(data) - len(rest), payload, err
}

// cut finds the first object of b, which starts with the bytes of the call before. It
// only counts braces outside of strings; the parser checks the rest.
func (f *Framer) cut(b []byte) (kind error) {
	limit := f.Options.maxFrame()
	b = b[:min(len(b), limit)]
	if f.depth == 0 {
		for f.start < len(b) && isSpace(b[f.start]) {
			f.start++
		}
		if f.start < len(b) && b[f.start] != '{' {
			return wire.Invalid("is not an object")
		}
		f.at = f.start
	}
	depth, inText := f.depth, f.inText
	i := f.at
	for ; i < len(b); i++ {
		switch char := b[i]; {
		case inText && char < ' ':
			// A text cannot contain a line break: its closing quote is missing.
			return wire.Invalid("has a control character in a text")
		case inText && char == '\\':
			i++
		case char == '"':
			inText = !inText
		case inText:
		case char == '{':
			depth++
		case char == '}':
			depth--
			if depth == 0 {
				f.at = i + 1
				return nil
			}
		}
	}
	f.depth, f.inText, f.at = depth, inText, i
	if len(b) == limit {
		return wire.Over(limit)
	}
	return lobbywire.ErrTruncated
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
