// Package exchange implements requests and their answers for the clients and masters of
// GameAgent and of the first GameSpy protocol.
package exchange

import (
	"bytes"
	"encoding"
	"errors"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// An Exchange is one attempt at a request for a message. The protocols have no request
// ids, so an answer is recognized by its source address, its form, and the port that
// it arrives at. Each attempt uses another port.
type Exchange[M any] struct {
	Sends encoding.BinaryAppender                    // the request
	Hear  func(b []byte) (v scan.Verdict, err error) // handles a datagram

	Message M        // of this attempt or else of the last one that received a message
	Some    bool     // there is a Message
	Partial bool     // it lacks datagrams
	Short   bool     // it is complete, but its Roster is not
	Alive   bool     // the server has answered the first of two requests
	Parts   [][]byte // the different datagrams of an answer that may have several
}

// Request appends the request.
func (e *Exchange[M]) Request(dst []byte) []byte {
	dst, _ = e.Sends.AppendBinary(dst)
	return dst
}

// Repeats reports whether the second of two requests is to be sent again.
func (e *Exchange[M]) Repeats() bool { return e.Alive && len(e.Parts) == 0 }

// Receive handles a datagram.
func (e *Exchange[M]) Receive(b []byte) (scan.Verdict, error) { return e.Hear(b) }

// Set sets the message.
func (e *Exchange[M]) Set(m M, partial bool) {
	e.Message, e.Some, e.Partial, e.Short = m, true, partial, false
}

// IsComplete reports whether there is a message that lacks no datagram.
func (e *Exchange[M]) IsComplete() bool { return e.Some && !e.Partial }

// setComplete sets a message that lacks no datagram, as far as is known. A server that
// lists no players in its only datagram omits them on purpose.
func (e *Exchange[M]) setComplete(m M, r Roster) (scan.Verdict, error) {
	e.Set(m, false)
	e.Short = r.Partial || r.Listed < r.Counted && (r.Listed > 0 || len(e.Parts) > 1)
	if r.Listed < r.Counted && len(e.Parts) > 1 {
		return scan.Maybe, nil // a datagram from the middle may be late
	}
	return scan.Done, nil
}

// A Roster holds the numbers of players that a message lists and counts, and whether the
// message is marked as partial.
type Roster struct {
	Listed, Counted int
	Partial         bool
}

// Single returns an exchange whose answer is one datagram.
func Single[M any](request encoding.BinaryAppender, parse func(b []byte) (M, error)) *Exchange[M] {
	e := &Exchange[M]{Sends: request}
	e.Hear = func(b []byte) (scan.Verdict, error) {
		m, err := parse(b)
		if err != nil {
			return scan.Stray, err
		}
		e.Set(m, false)
		return scan.Done, nil
	}
	return e
}

// Joined returns an exchange whose answer may be several datagrams: add and join are
// methods of an assembler.
func Joined[M any](
	request encoding.BinaryAppender,
	add func(b []byte) (done bool, err error),
	join func() (M, error),
	roster func(m M) Roster,
) *Exchange[M] {
	e := &Exchange[M]{Sends: request}
	e.Hear = func(b []byte) (scan.Verdict, error) {
		done, err := add(b)
		switch {
		case err != nil:
			return scan.Stray, err
		case slices.ContainsFunc(e.Parts, func(p []byte) bool { return bytes.Equal(p, b) }):
			return scan.Stray, nil // a copy
		}
		e.Parts = append(e.Parts, slices.Clone(b))
		m, err := join()
		switch {
		case !done && !e.IsComplete() && errors.Is(err, lobbywire.ErrTruncated):
			e.Set(m, true)
			return scan.More, nil
		case !done:
			return scan.More, nil
		case err != nil:
			return scan.Stray, err
		}
		return e.setComplete(m, roster(m))
	}
	return e
}
