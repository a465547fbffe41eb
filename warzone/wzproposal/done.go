package wzproposal

// A Done answers a request other than [List] that the lobby has carried out.
//
//wire:message Message Response key=commandDone
type Done struct{}

//wire:fails never
func (m *Done) layout(f *fields) {
	f.begin(commandDone)
	f.end()
}
