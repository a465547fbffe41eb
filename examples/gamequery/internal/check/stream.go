package check

import (
	"errors"
	"fmt"
)

// A Stream is how a server over TCP is asked. Its cases stand once for all protocols.
type Stream interface {
	Query() []byte               // a request that is answered at once
	IsWhole(answers []byte) bool // reports whether all of the answer has come
	Judge(answers []byte) error  // of Query
}

// AliveStream returns an error if a query is not answered, in whatever way.
func AliveStream(s *Session, stream Stream) error {
	c, err := s.Dial()
	if err != nil {
		return err
	}
	defer c.Line.Close()
	c.Send(stream.Query())
	answers, err := c.Hear(stream.IsWhole)
	if len(answers) > 0 {
		return nil
	}
	return err
}

// AskPieces is a case of a query that comes in pieces, whose answer must not wait for the end
// of the connection.
func AskPieces(s *Session, stream Stream, at ...int) error {
	c, err := s.Dial()
	if err != nil {
		return err
	}
	defer c.Line.Close()
	c.Send(Pieces(stream.Query(), at...)...)
	return hear(c, stream)
}

// AskBesideSlow is a case of a client in the middle of a query that keeps no other waiting.
func AskBesideSlow(s *Session, stream Stream, at int) error {
	slow, err := s.Dial()
	if err != nil {
		return err
	}
	defer slow.Line.Close()
	parts := Pieces(stream.Query(), at)
	slow.Send(parts[0])
	if err := AskPieces(s, stream); err != nil {
		return fmt.Errorf("the other client: %w", err)
	}
	slow.Send(parts[1])
	return hear(slow, stream)
}

func hear(c *Call, stream Stream) error {
	answers, err := c.Hear(stream.IsWhole)
	if err != nil {
		return err
	}
	return Bare(stream.Judge(answers))
}

// AwaitList repeats a check of a list while the error is ErrNotListed or ErrListed. Other errors
// are final.
func (s *Session) AwaitList(check func() error) (final error) {
	_ = s.Eventually(func() error {
		final = check()
		if errors.Is(final, ErrNotListed) || errors.Is(final, ErrListed) {
			return final
		}
		return nil
	})
	return final
}
