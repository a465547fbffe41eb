package wzproposal

import (
	"bytes"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Framer cuts lines, frames, requests or answers off a stream that arrives in parts. It
// searches each byte once, whatever the sizes of the parts. The zero Framer is ready to
// use.
//
// After [lobbywire.ErrTruncated], b of the next call of the same method must start
// with the bytes of rest.
type Framer struct {
	Options Options

	searched int    // bytes of an incomplete line
	listed   int    // bytes of the whole lines or frames of an incomplete list
	games    uint32 // games of the list that have not arrived
}

// Next cuts the first line, with its end, or the first frame off b, for the Parse
// functions. If b does not contain a whole one, the error is [lobbywire.ErrTruncated]
// itself: read more and call Next again. A line of more than Options.MaxLine bytes is
// refused with [lobbywire.ErrTooLarge]; frames need no limit. In a transcript, Next skips
// comments and empty lines. On error, rest is b.
func (f *Framer) Next(b []byte) (frame, rest []byte, err error) {
	if f.Options.Encoding == Binary {
		return nextFrame(b)
	}
	rest = b
	for {
		frame, rest, err = f.nextLine(rest)
		switch {
		case err != nil && err != lobbywire.ErrTruncated:
			return nil, b, err
		case err != nil || !f.Options.Transcript || !isComment(frame):
			return frame, rest, err
		}
	}
}

func (f *Framer) nextLine(b []byte) (line, rest []byte, err error) {
	limit := f.Options.maxLine()
	within := b[:min(len(b), limit)]
	searched := f.searched
	f.searched = 0
	n := bytes.IndexByte(within[searched:], '\n')
	switch {
	case n >= 0:
		n += searched + 1
		return b[:n:n], b[n:], nil
	case len(b) >= limit:
		return nil, b, &lobbywire.Error{Proto: proto, Err: wire.Over(limit)}
	}
	f.searched = len(within)
	return nil, b, lobbywire.ErrTruncated
}

func nextFrame(b []byte) (frame, rest []byte, err error) {
	if len(b) < headerSize {
		return nil, b, lobbywire.ErrTruncated
	}
	n := headerSize + int(b[1])
	if len(b) < n {
		return nil, b, lobbywire.ErrTruncated
	}
	return b[:n:n], b[n:], nil
}

// Split is a bufio.SplitFunc for one Scanner. Its tokens are the results of Next. A stream
// that ends within a line or frame is an error.
func (f *Framer) Split(data []byte, atEOF bool) (advance int, token []byte, err error) {
	frame, rest, err := f.Next(data)
	switch {
	case err == nil:
		return len(data) - len(rest), frame, nil
	case err != lobbywire.ErrTruncated:
		return 0, nil, err
	case atEOF && len(rest) > 0:
		return 0, nil, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	}
	return len(data) - len(rest), nil, nil
}

// NextRequest cuts the first request off b, the bytes from a client, and parses it.
// rest is the remaining bytes.
//
// If b does not contain a whole request, the error is [lobbywire.ErrTruncated] itself:
// append more bytes to rest and call NextRequest again. If rest is shorter than b, another
// error concerns one request, which a lobby answers with [Error], and rest starts with the
// next one. If rest is b, the position of the next request is unknown. This happens only in
// the text encoding.
func (f *Framer) NextRequest(b []byte) (m Request, rest []byte, err error) {
	frame, rest, err := f.Next(b)
	if err != nil {
		return nil, rest, err
	}
	m, err = f.Options.ParseRequest(frame)
	return m, rest, err
}

// NextResponse cuts the first answer off b, the bytes from a lobby, and parses it. For a
// list, these are all of its lines or frames. rest is the remaining bytes.
//
// Errors are as in NextRequest. After an invalid [Count], the position of the next answer
// is unknown.
//
// To read a long list game by game as it arrives, use Next, [ParseCount] and [ParseGame].
func (f *Framer) NextResponse(b []byte) (m Response, rest []byte, err error) {
	answer, size := b, f.listed
	if size == 0 {
		frame, rest, err := f.Next(b)
		if err != nil {
			return nil, rest, err
		}
		f.games, err = f.Options.gamesAfter(frame)
		if err != nil {
			f.games = 0
			return nil, b, err
		}
		answer, size = b[len(b)-len(rest)-len(frame):], len(frame)
	}
	f.listed = 0
	for ; f.games > 0; f.games-- {
		_, rest, err := f.Next(answer[size:])
		size = len(answer) - len(rest)
		if err == lobbywire.ErrTruncated {
			f.listed = size
			return nil, answer, err
		}
		if err != nil {
			f.games = 0
			return nil, b, err
		}
	}
	m, err = f.Options.ParseResponse(answer[:size])
	return m, answer[size:], err
}

// gamesAfter returns the number of games that follow a line or frame.
func (o Options) gamesAfter(frame []byte) (uint32, error) {
	r := wire.NewReader(frame)
	f := reading(&r, &o)
	if f.peek() != commandCount {
		return 0, nil
	}
	var m Count
	m.layout(&f)
	return m.Games, r.Err(proto)
}
