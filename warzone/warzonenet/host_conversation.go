package warzonenet

import "github.com/lobbywire/lobbywire/warzone"

// A conversation is what clients of a version say to a lobby, and hear.
type conversation struct {
	hasID    bool // asks for a game id first
	answered bool // gets a status for the game
	updates  bool // sends changes on the same connection
	keeps    bool // gets a status for them too, and says after a while that it is there
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

// isRecord tells whether games of a layout are those of 2.0 or 2.1 clients.
func isRecord(l warzone.Layout) bool { return l == warzone.Layout20 || l == warzone.Layout21 }
