package qr2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// View returns the server that the heartbeat describes, from the same keys and columns as
// [gamespy2.Response.View]. Rules also contains the keys about the server itself.
func (m Heartbeat) View() lobbywire.View {
	r := gamespy2.Response{Info: m.Info}
	if m.Players != nil {
		r.Players = *m.Players
	}
	if m.Teams != nil {
		r.Teams = *m.Teams
	}
	return r.View()
}
