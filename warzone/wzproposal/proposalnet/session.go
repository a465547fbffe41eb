package proposalnet

import (
	"github.com/lobbywire/lobbywire/internal/stream"
	"github.com/lobbywire/lobbywire/warzone/internal/refusal"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
)

// maxMalformed is the number of malformed commands that a connection may send.
const maxMalformed = 16

// serveConn answers the commands of a connection, in order.
func (l *Lobby) serveConn(c *stream.Conn) {
	next := l.dialect.commands()
	pace := serving.NewPace()
	from := c.Remote().Addr().WithZone("")
	for malformed := 0; malformed < maxMalformed; {
		var wrong error // with a command after which the next one can be found
		m, err := stream.Next(c, func(b []byte) (m command, rest []byte, err error) {
			m, rest, err = next(b)
			if serving.IsMalformed(err) && len(rest) < len(b) {
				wrong, err = err, nil
			}
			return m, rest, err
		})
		switch {
		case serving.IsMalformed(err):
			wrong, malformed = err, maxMalformed
		case err != nil:
			return
		}
		if !pace.Wait(c.Ending()) {
			return
		}
		var answer []byte
		if wrong != nil {
			malformed++
			l.counts.Add(&l.counts.Stats.Malformed)
			answer = l.dialect.refused(refusal.Shown(wrong.Error(), refusal.MaxText))
		} else {
			answer = l.answer(from, m)
		}
		if _, err := c.Write(answer); err != nil {
			return
		}
	}
	c.Finish()
}
