package wzproposal

import "github.com/lobbywire/lobbywire/internal/wire"

// A StartGame says that the sender's game has begun, which sets its status to
// [StatusStarted]. The answer is [Done] or [Error].
//
//wire:message Message Request
type StartGame struct {
	Port uint16 // as in OpenGame
}

func (m *StartGame) layout(f *fields) {
	f.begin(commandStartGame)
	f.port(&m.Port)
	f.end()
}

func (m *StartGame) decode(r *wire.Reader, o Options) {
	f := fields{r: r, o: o}
	f.open()
	m.layout(&f)
	r.End()
}

// append fails if Port is 0.
func (m *StartGame) append(w *wire.Writer) {
	f := writing(w, Text)
	m.layout(&f)
}
