package wzjson

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A cutter finds the first object of a stream. It only counts braces outside of
// strings; the parser checks the rest. If it has only the start of the object, it
// continues where it ended, so it reads each byte once.
type cutter struct {
	start  int // of the object
	at     int // of the next byte; once the object is complete, its end
	depth  int // of open braces
	inText bool
}

// cut finds the first object of b, which starts with the bytes of the call before.
func (c *cutter) cut(b []byte, limit int) (kind error) {
	whole := len(b) <= limit
	b = b[:min(len(b), limit)]
	if c.depth == 0 {
		for c.start < len(b) && isSpace(b[c.start]) {
			c.start++
		}
		if c.start < len(b) && b[c.start] != '{' {
			return wire.Invalid("is not an object")
		}
		c.at = c.start
	}
	depth, inText := c.depth, c.inText
	i := c.at
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
				c.at = i + 1
				return nil
			}
		}
	}
	c.depth, c.inText, c.at = depth, inText, i
	if !whole || len(b) == limit {
		return wire.Over(limit)
	}
	return lobbywire.ErrTruncated
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
