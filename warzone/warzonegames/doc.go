// Package warzonegames has the list of open games of a Warzone 2100 lobby. All servers of
// the lobby share it: warzonenet.Lobby for versions of the game up to 4.6, wzhttpnet.Lobby
// for 4.7 and later, and the lobbies of the proposals of 2009 in proposalnet. It has no
// sockets.
package warzonegames
