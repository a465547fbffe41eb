package bomberman

import "github.com/lobbywire/lobbywire/internal/wire"

// RegisterPlayerResponse answers a [RegisterPlayer].
//
//wire:message Message command=gsRRegisterPlayer
type RegisterPlayerResponse struct {
	Rejected    bool   `wire:"rejected"`
	AdaptedName string `wire:"adaptedName,should=consistent"` // the name, with a number if it was taken; "" if rejected
	Envelope
}

// consistentFault is the reason for refusing AdaptedName.
const consistentFault wire.Invalid = "is not a name, or the player is rejected"

// consistent reports whether AdaptedName is valid, or empty if the player is rejected.
func (m *RegisterPlayerResponse) consistent() bool {
	if m.Rejected {
		return m.AdaptedName == ""
	}
	return ValidName(m.AdaptedName)
}
