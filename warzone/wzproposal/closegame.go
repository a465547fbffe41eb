package wzproposal

// A CloseGame removes the sender's game from the list. The answer is [Done] or [Error].
//
//wire:message Message Request key=commandCloseGame
type CloseGame struct {
	Port   uint16 // as in OpenGame
	Winner string // optional; "" is not sent, and an empty field is read as ""
}

// layout fails if Port is 0, or Winner is not text or too long.
func (m *CloseGame) layout(f *fields) {
	f.begin(commandCloseGame)
	f.port(&m.Port)
	f.optional("winner", &m.Winner)
	f.end()
}
