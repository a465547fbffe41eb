package qr2

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2"
)

// View returns what the heartbeat tells of the server, as [gamespy2.Response.View]
// reads the same keys and columns. Rules has the keys about the server itself, too.
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
