package health

import (
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// silentHost is how long hosts of Warzone 4.0 to 4.6 may be silent until their lobby closes the
// connection.
const silentHost = 90 * time.Second

// endOfGame returns when a game is removed without another sign of life of its host.
func endOfGame(e *warzonegames.Entry) time.Time {
	if e.Expires.IsZero() {
		return e.Seen.Add(silentHost)
	}
	return e.Expires
}

// whyLeft returns why a server has left the list of its master, as the end of a sentence.
func (s *server) whyLeft(now time.Time) string {
	isSilent := !now.Before(s.until)
	since := ", and nothing has come from it since " + s.heard.UTC().Format("15:04:05 UTC")
	switch e := s.shown; {
	case e.Quarantine != "":
		return "it was hidden by then: " + e.Quarantine
	case e.Saved != catalogue.Live:
		return "it has not answered since lobbyd was started"
	case e.Source == "lobby" && isSilent:
		return "the connection to its host has ended" + since
	case e.Source == "lobby":
		return "its host has closed the connection, as it does when a match starts"
	case isSilent:
		return "it fell silent" + since
	case e.Family == catalogue.Bomberman:
		return "it has closed the connection"
	}
	return "it said goodbye"
}
