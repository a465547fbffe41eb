// Package soak lets thousands of hosts join a lobbyd, change and leave at
// random, while clients fetch lists and hostile peers send arbitrary input.
// Everything runs on one machine: each host has its own address in 127.0.0.0/8.
//
// # Model
//
// A Model records what hosts do, so it knows which hosts lists must contain and which they
// must not contain. A host is in flux from the moment it begins to join or to leave until
// its protocol confirms that it has, and for a lag after that:
//
//	Lag              5 s    for the network and a busy machine
//	of updates      +7 s    of the lobby, the minimum interval of its hosts
//	                +8 s    of the HTTP lobby, the minimum interval of its hosts
//	of the API      +5 s    which reads the masters every second
//
// While in flux, a host may or may not be in a list. Otherwise each list must either contain
// it exactly once, at its address, under its current name or its name a lag ago, or not
// contain it at all. A GameAgent server leaves in one of two ways. It falls silent and is in
// flux until it joins again, because lists keep it for another 300 s. Or it joins again
// without completing the challenge, and then no list contains it.
//
// With many servers, a list of the Bomberman protocol contains only a part of them, and the
// next list continues. A list of GameAgent may lose a datagram. So for these protocols a
// host must be in one of several consecutive lists, and a host that has left must be in none
// of them. A list of the JSON proposal contains only the games that fit, so some hosts are
// also requested by name.
//
// The list of the HTTP lobby has no addresses, so a game in it belongs to the host with
// its name. Players join its games: they must get the address of the host and a token.
// The lobby must accept the token only from that host, and only for one player. A game
// that has ended must be unknown.
//
// # Hostile peers
//
// Hostile peers send the golden files and fuzz corpora of the codecs, unchanged, modified or
// truncated, and random bytes, to the right and to wrong ports, and end their connections in
// all possible ways. Their input may contain valid messages that list a game. So the lobbyd
// must ban names that match [Strangers], which no name of a host matches, and a list with a
// name that belongs to no host is wrong.
package soak
