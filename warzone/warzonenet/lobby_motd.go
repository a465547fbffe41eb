package warzonenet

import "github.com/lobbywire/lobbywire/warzone"

// A greeting is the part of answers that is the same for all peers.
type greeting struct {
	motd   string
	status []byte // the status of success
}

func newGreeting(motd string) (*greeting, error) {
	text := motd
	if text == "" {
		text = "OK"
	}
	status, err := warzone.Status{Code: warzone.StatusOK, Text: text}.MarshalBinary()
	if err != nil {
		return nil, err
	}
	return &greeting{motd: motd, status: status}, nil
}

// SetMOTD replaces MOTD. It may be called while the Lobby serves. It fails, and
// changes nothing, if the text is longer than [warzone.MaxStatusText].
func (l *Lobby) SetMOTD(text string) error {
	l.once.Do(l.init)
	g, err := newGreeting(text)
	if err == nil {
		l.greeting.Store(g)
	}
	return err
}
