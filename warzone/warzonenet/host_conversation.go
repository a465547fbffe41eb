package warzonenet

import "github.com/lobbywire/lobbywire/warzone"

// A conversation describes how hosts of a version exchange messages with a
// lobby.
type conversation struct {
	hasID    bool // requests a game id first
	answered bool // the lobby answers an announcement with a status
	updates  bool // sends changes on the same connection
	keeps    bool // the lobby also answers updates, and the host sends Keep messages
}

func conversationOf(g warzone.Game) conversation {
	switch {
	case isRecord(g.Layout):
		return conversation{}
	case g.Version == warzone.Version2:
		return conversation{answered: true}
	case g.Layout == warzone.Layout23:
		return conversation{hasID: true, answered: true}
	case g.Version == warzone.Version3:
		return conversation{hasID: true, answered: true, updates: true}
	}
	return conversation{hasID: true, answered: true, updates: true, keeps: true}
}

// isRecord reports whether a layout is that of 2.0 or 2.1 clients.
func isRecord(l warzone.Layout) bool { return l == warzone.Layout20 || l == warzone.Layout21 }
