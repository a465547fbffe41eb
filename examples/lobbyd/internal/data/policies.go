package data

import (
	"net"
	"strconv"
	"time"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

// Entries are restored if their hosts were last heard of within these times. The latest
// sign of life is saved within rewriteAfter.
const (
	halfAnHour = 30 * time.Minute // if the host can be checked
	fewMinutes = 5 * time.Minute  // if not
)

func never[E any](E) bool { return false }

// udpPolicy is for masters over UDP, which query their servers. A server that is silent stays
// listed until it expires, as without a restart: queries may be lost.
func udpPolicy[E any](expiry time.Duration) policy[E] {
	return policy[E]{
		life:      func(E) time.Duration { return halfAnHour },
		isChecked: func(E) bool { return true },
		isShared:  never[E],
		patience:  expiry,
		renews:    true,
	}
}

// bombermanPolicy: a game server registers again with another ID.
func bombermanPolicy() policy[bombermannet.Entry] {
	return policy[bombermannet.Entry]{
		life:      func(bombermannet.Entry) time.Duration { return fewMinutes },
		isChecked: never[bombermannet.Entry],
		isShared:  never[bombermannet.Entry], // the game server registers again within seconds
		host: func(e bombermannet.Entry) string {
			return e.From.Addr().String() + " " + net.JoinHostPort(e.Server.Address, strconv.Itoa(e.Server.Port))
		},
	}
}

// warzonePolicy: a host up to 4.6 does not return to a lobby that has closed its connection,
// but answers players, and the lobby, until its match starts.
func warzonePolicy() policy[warzonegames.Entry] {
	return policy[warzonegames.Entry]{
		life: func(e warzonegames.Entry) time.Duration {
			if isReached(e) {
				return halfAnHour
			}
			return fewMinutes
		},
		isChecked: isReached,
		// Hosts of the proposals announce their games only every few minutes.
		isShared: func(e warzonegames.Entry) bool { return e.Source != warzonegames.SourceLobby },
		until: func(e warzonegames.Entry, heard, end time.Time) time.Time {
			if isReached(e) {
				return heard.Add(halfAnHour)
			}
			return end
		},
		host: func(e warzonegames.Entry) string {
			if e.Key.Port() == 0 {
				return "" // its host has announced no address yet
			}
			return e.Key.String()
		},
	}
}

// isReached reports whether the lobby has reached a host of a game up to 4.6.
func isReached(e warzonegames.Entry) bool {
	return e.Source == warzonegames.SourceLobby && e.Verified
}
