package wzproposal

import "github.com/lobbywire/lobbywire/internal/wire"

// A Done answers a request other than [List] that the lobby has carried out.
//
//wire:message Message Response
type Done struct{}

func (m *Done) layout(f *fields) {
	f.begin(commandDone)
	f.end()
}

func (m *Done) decode(r *wire.Reader, o Options) {
	f := fields{r: r, o: o}
	f.open()
	m.layout(&f)
	r.End()
}

func (m *Done) append(w *wire.Writer) {
	f := writing(w, Text)
	m.layout(&f)
}
