package sb2

import (
	"encoding/binary"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// proto names the package in errors.
const proto = "sb2"

// The types of messages from clients. The numbers have other meanings in pushed messages.
const (
	typeListRequest         = 0
	typeRulesRequest        = 1
	typeMessageRequest      = 2
	typeKeepalive           = 3 // also pushed
	typeMapLoopRequest      = 4
	typePlayerSearchRequest = 5
)

// The types of pushed messages.
const (
	typePushKeys     = 1
	typePushServer   = 2
	typeDeleteServer = 4
	typeMapLoop      = 5
	typePlayerSearch = 6
)

// Sizes in messages.
const (
	lengthSize = 2
	headerSize = lengthSize + 1 // with the type
	ipSize     = 4
	portSize   = 2
)

// tooShort is the reason for refusing a length that is too small for a header.
const tooShort = "is shorter than a header"

// enter reads the length and the type of a message. Its result is passed to
// leave.
func enter(r *wire.Reader, want uint8) (outer int) {
	outer, t := enterAny(r)
	if t != want && !r.Failed() {
		r.Refuse("type", r.Offset()-1, "belongs to another message")
	}
	return outer
}

// enterAny reads the length and the type of a message of any type.
func enterAny(r *wire.Reader) (outer int, t uint8) {
	at := r.Offset()
	n := int(r.Uint16("length"))
	if n < headerSize && !r.Failed() {
		r.Refuse("length", at, tooShort)
	}
	outer = r.Enter(n-lengthSize, "length", at)
	return outer, r.Uint8("type")
}

// leave undoes enter. It fails unless the message and the input end here.
func leave(r *wire.Reader, outer int) {
	r.In("", -1)
	r.Leave(outer)
	r.End()
}

// open appends room for the length, and the type. Its result is passed to seal.
func open(w *wire.Writer, t uint8) (at int) {
	at = w.Size(2)
	w.Uint8(t)
	return at
}

// seal sets the length, which includes its own bytes.
func seal(w *wire.Writer, at int) {
	w.In("", -1)
	size := len(w.Buffer()) - at
	if size > MaxMessage {
		w.Exceed("length", size, MaxMessage)
		return
	}
	binary.BigEndian.PutUint16(w.Buffer()[at:], uint16(size))
}

// NextFrame cuts the first message of a client off b. The frame, a part of b, includes the
// length, as [ParseRequest] expects it. If b does not contain a whole message, the error is
// [lobbywire.ErrTruncated] itself: append more input to rest and call again. A message of
// more than limit bytes is refused as soon as its length has arrived; 0 means [MaxRequest].
//
// After any other error the position of the next message is unknown, so close the
// connection. On error, rest is b.
func NextFrame(b []byte, limit int) (frame, rest []byte, err error) {
	if len(b) < lengthSize {
		return nil, b, lobbywire.ErrTruncated
	}
	n := int(binary.BigEndian.Uint16(b))
	limit = wire.Limit(limit, MaxRequest)
	switch {
	case n < headerSize:
		return nil, b, &lobbywire.Error{Proto: proto, Field: "length", Err: wire.Invalid(tooShort)}
	case n > limit:
		return nil, b, &lobbywire.Error{Proto: proto, Field: "length", Err: wire.Exceeded(n, limit)}
	case n > len(b):
		return nil, b, lobbywire.ErrTruncated
	}
	return b[:n:n], b[n:], nil
}

// SplitFrames is a bufio.SplitFunc that splits as [NextFrame] does, with
// messages of up to [MaxRequest] bytes. It fails if the stream ends within a
// message.
func SplitFrames(data []byte, atEOF bool) (advance int, token []byte, err error) {
	frame, _, err := NextFrame(data, MaxRequest)
	switch {
	case err == nil:
		return len(frame), frame, nil
	case err != lobbywire.ErrTruncated:
		return 0, nil, err
	case atEOF && len(data) > 0:
		return 0, nil, &lobbywire.Error{Proto: proto, Err: lobbywire.ErrTruncated}
	}
	return 0, nil, nil
}
