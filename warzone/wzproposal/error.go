package wzproposal

// An Error answers a request that the lobby refuses. It is ours: the proposals define no
// failures. Clients should treat an [Unknown] answer as a failure, too.
//
//wire:message Message Response key=commandError
type Error struct {
	Text string // for people; "" is not sent
}

// layout fails if Text is not text or too long.
func (m *Error) layout(f *fields) {
	f.begin(commandError)
	f.optional("text", &m.Text)
	f.end()
}
