package wzproposal

// A StartGame reports that the sender's game has begun, which sets its status to
// [StatusStarted]. The answer is [Done] or [Error].
//
//wire:message Message Request key=commandStartGame
type StartGame struct {
	Port uint16 // as in OpenGame
}

// layout fails if Port is 0.
func (m *StartGame) layout(f *fields) {
	f.begin(commandStartGame)
	f.port(&m.Port)
	f.end()
}
