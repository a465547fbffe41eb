package serving

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
)

// ErrOtherGame means that the game at an address is not the announced one, for example
// because it was started earlier on the same machine.
var ErrOtherGame = refusal.New(lobbywire.ReasonOther, "warzone: another game answers",
	"Another game answers at the address of your game.")

// Reply returns a function that reads the answer of a host, after which nothing follows.
// It fails with ErrOtherGame if the answer is from another game.
func Reply[M any](parse func(b []byte) (M, error), isGame func(m M) bool) func(c *stream.Conn) error {
	return func(c *stream.Conn) error {
		m, err := stream.Next(c, func(b []byte) (m M, rest []byte, err error) {
			m, err = parse(b)
			if errors.Is(err, lobbywire.ErrTruncated) {
				return m, b, lobbywire.ErrTruncated
			}
			return m, nil, err
		})
		if err == nil && !isGame(m) {
			return ErrOtherGame
		}
		return err
	}
}
