package gameagent

import (
	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/internal/pairs"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// View returns the status in the common form. The port of the game is not part of
// it: it is one below the port that answered.
//
//	Name      SessionName without ^o and ^r around it; see PlainName
//	Game      GameName
//	Map       Level
//	Mode      GameType
//	Version   Version
//	Players   Players
//	Max       MaxPlayers
//	Rules     all pairs
//
// In a Status, "" may stand for a missing key, so Rules omit pairs with an empty value. The
// same applies to the other messages.
func (m Status) View() lobbywire.View {
	fields := m.fields()
	v := pairs.View(statusKeys[:], fields[:], m.Extra)
	v.Name = PlainName(v.Name)
	return v
}

// View returns the server of the heartbeat in the common form, for masters, as
// [Status.View] does, with Product in Game. Name is unknown.
func (m Heartbeat) View() lobbywire.View {
	m.Challenge = 0 // which is for the master only
	fields := m.fields()
	return pairs.View(heartbeatKeys[:], fields[:], m.Extra)
}

// View returns the players.
//
//	Players   Count, unless NotFirst
//	Roster    Players; unknown if none is listed although Count is not 0
//	Rules     Extra
//
// The fields of a player are
//
//	Name      Name without ^o and ^r around it, or playername_#
//	Score     score_#, or frags_#; one with a fraction is rounded
//	Ping      Ping
//	Team      team_#
//	Kills     kills_#, or frags_# if there is also score_#
//	Deaths    deaths_#
//	Rules     other pairs
func (m Players) View() lobbywire.View {
	v := pairs.View(nil, nil, m.Extra)
	if !m.NotFirst {
		v.Players = wire.Count(int64(m.Count))
	}
	v.Roster = pairs.Roster(m.Players, v.Players, (*Player).view)
	return v
}

// View returns Players.
func (m Ping) View() lobbywire.View {
	return lobbywire.View{Players: wire.Count(int64(m.Players))}
}
