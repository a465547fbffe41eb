// Package warzonegames holds the open games of a Warzone 2100 lobby. It uses no sockets.
//
// # Flow
//
// A [Games] holds the open games. Several lobbies may share it, each on its own port:
// warzonenet.Lobby serves versions of the game up to 4.6, wzhttpnet.Lobby 4.7 and later,
// and the lobbies in proposalnet the proposals of 2009. All of them list a game that was
// opened through one of them, with the fields that their protocols define:
//
//	opened through  listed by warzonenet    by wzhttpnet        by the proposals as
//	warzonenet      its host sent it        without a key and   name, map, capacity
//	                                        hashes
//	wzhttpnet       version 4, without key  its host sent it    name, map, capacity
//	                and hashes
//	a proposal      version 4 with its      name, map and       name, map, capacity
//	                port and no netcode     capacity, without
//	                version                 a netcode version
//
// An [Entry] is a game; its ID is random and its Key, the address, is unique.
// A program adds games of its own with [Games.Add], and reads all with [Games.All].
//
// # States
//
// A game of 4.7 is first announced: its lobby knows the host, but has not yet reached the
// game at an address. After a successful check, that address becomes its Key, and the game
// is published. All other games are published at once. Lists contain the published games
// that are not withheld.
//
//	 its lobby               a Key with a port             Remove, or it expires
//	----------> announced ----------------------> published ---------------------->
//	 Add                                              ^
//	--------------------------------------------------'
//
// [Games.Update] changes a game in either state.
//
// # Checks
//
// Lobbies check that players can still connect to their games: the connection of a host may
// outlive the port of its game. They check games of their node that are neither being
// played nor refused by Admit, about every two minutes. After four checks without an
// answer, at least a minute apart, a game that has answered before is withheld, on all
// nodes, until it answers. Errors of the lobby's own machine, such as too many open files,
// do not count.
//
// All lobbies of a Games share 256 concurrent checks. An address gets at most a 32nd of the
// free ones, a prefix a 16th, and all prefixes in which no game has answered for half a day
// share half of them.
//
// # Sharing
//
// With a [Store], nodes share one list, which each holds in memory. Only the node that
// opened a game can change and close it, until another node adopts the game because its
// host has moved there. Hosts of the proposals, which connect for each request, must always
// reach the same node; opening a game again at another node moves it there.
//
// # Safety
//
// Texts are claims of hosts, so quote them before showing them. [Games.Admit] can hide games
// from all lists. IDs are random numbers, but not secret, because lists contain them.
//
// # Limits
//
// Defaults, and why:
//
//	MaxGames       16 384  leaves connections for clients
//	MaxPerAddress  64      a household or an office behind one address; it is an IPv4
//	                       address or an IPv6 /64
//	MaxPerPrefix   512     an IPv4 /24 or an IPv6 /48, such as one provider
//	MaxListed      1024    835 KB; clients read as many by default
//
// Zero and negative values mean the default. There may also be 4096 unpublished games, 64
// of an address and 512 of a prefix, and 4096 of other nodes. The Store receives at most
// 1000 games a second, and each at most once a second.
//
// # Memory
//
// A game takes about 2 KiB for its Entry and, once a lobby has sent it, 1 KiB for a
// record of 814 bytes. A list refers to pages of 64 records; after a change the next list
// copies one page.
package warzonegames
