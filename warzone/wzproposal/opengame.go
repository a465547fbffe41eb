package wzproposal

// An OpenGame lists a game at the sender's address with [StatusOpen]. The answer
// is [Done] or [Error].
//
//wire:message Message Request key=commandOpenGame
type OpenGame struct {
	Port       uint16 // TCP, not 0; with the sender's address it identifies the game
	Name       string // may be empty
	Map        string // may be empty
	MaxPlayers uint32
}

// layout fails if Port is 0, or Name or Map is not text or too long.
func (m *OpenGame) layout(f *fields) {
	f.begin(commandOpenGame)
	f.port(&m.Port)
	f.nameAndMap(&m.Name, &m.Map, 1)
	f.number("maxPlayers", &m.MaxPlayers)
	f.end()
}
