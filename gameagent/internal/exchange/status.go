package exchange

import (
	"bytes"
	"errors"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/scan"
)

// errReflected is the error of a request that is sent back, which has the form of an
// answer.
var errReflected = errors.New("gamespy1net: the request came back")

// Status returns an exchange for the status and the players in the first GameSpy protocol.
// The request contains the challenge secure, unless it is "".
func Status(o gamespy1.Options, secure string) *Exchange[gamespy1.Status] {
	a := &gamespy1.Assembler{Options: o}
	request := gamespy1.Request{Query: gamespy1.QueryStatus, Secure: secure}
	e := Joined(request, a.Add, a.Status, rosterOf)
	join := e.Hear
	own, _ := request.AppendBinary(nil)
	e.Hear = func(b []byte) (scan.Verdict, error) {
		if bytes.Equal(b, own) {
			return scan.Stray, errReflected
		}
		// Most answers are one packet, which starts with the name of the game. A damaged one may
		// have arrived before.
		m, err := o.ParseStatus(b)
		if r := rosterOf(m); err == nil && m.GameName != "" && (r.Listed >= r.Counted || isAlone(o, b)) {
			return e.setComplete(m, r)
		}
		return join(b)
	}
	return e
}

func rosterOf(m gamespy1.Status) Roster {
	r := Roster{Listed: len(m.Players), Partial: m.Partial}
	if m.NumPlayers != nil {
		r.Counted = *m.NumPlayers
	}
	return r
}

// isAlone reports whether b, which ends like a last packet, is the only packet of an
// answer. In Descent 3, all packets end like that.
func isAlone(o gamespy1.Options, b []byte) bool {
	alone, _ := (&gamespy1.Assembler{Options: o}).Add(b)
	return alone
}
