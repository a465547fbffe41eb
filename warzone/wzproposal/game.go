package wzproposal

import "net/netip"

// A Game is one entry of a [GameList]. Its line has no first word.
//
//wire:message Message
type Game struct {
	IP         netip.Addr // IPv4 or IPv6, as the lobby saw it; sent without brackets
	Port       uint16     // TCP, not 0
	Name       string     // may be empty
	Map        string     // may be empty
	MaxPlayers uint32     // the proposals do not carry the number of current players
	Status     Status
}

// layout fails if IP is the zero Addr, Port is 0, Name or Map is not text or too
// long, or Status is not one word in lower case.
func (m *Game) layout(f *fields) {
	f.begin(commandGame)
	f.ip(&m.IP)
	f.port(&m.Port)
	f.nameAndMap(&m.Name, &m.Map, 2)
	f.number("maxPlayers", &m.MaxPlayers)
	f.status(&m.Status)
	f.end()
}
