package wzproposal

import "github.com/lobbywire/lobbywire/internal/wire"

// An Error answers a request that the lobby refuses. It is ours: the proposals
// have no failures. Clients should take an [Unknown] answer as a failure, too.
//
//wire:message Message Response
type Error struct {
	Text string // for people; "" is not sent
}

func (m *Error) layout(f *fields) {
	f.begin(commandError)
	f.optional("text", &m.Text)
	f.end()
}

func (m *Error) decode(r *wire.Reader, o Options) {
	f := fields{r: r, o: o}
	f.open()
	m.layout(&f)
	r.End()
}

// append fails if Text is not text or too long.
func (m *Error) append(w *wire.Writer) {
	f := writing(w, Text)
	m.layout(&f)
}
