// Package soak has thousands of hosts come to a lobbyd, change and leave at
// random, while clients list and hostile peers send whatever they find. All of
// it is on this machine: each host has an address of its own of 127.0.0.0/8.
//
// # Model
//
// A Model knows what hosts do, and so what lists must have and must not have. A
// host is in flux from the moment it begins to come or to leave until it has
// done so, as far as its protocol tells it, and for a lag after that:
//
//	Lag              5 s    on its way, and through a machine that is busy
//	of updates      +7 s    of the lobby, whose hosts send no sooner
//	                +8 s    of the HTTP lobby, whose hosts send no sooner
//	of the API      +5 s    which looks at the masters every second or two
//
// In flux a host may be in a list or not. Otherwise each list that is asked for
// must have it, once, by the name that it has or had a lag ago, where it is, or
// must not have it. A GameAgent server leaves in one of two ways: it falls
// silent, and is in flux until it comes again, as lists have it for another 300
// s, or it joins anew and does not go on, and then no list has it.
//
// Lists of the Bomberman protocol hold a part of many servers, and the next ones
// go on; those of GameAgent may lose a datagram. So there several lists in a row
// must have a host, and none of them one that is gone. A list of the JSON
// proposal holds what fits, so some hosts are asked for by their names as well.
//
// The list of the HTTP lobby has no addresses, so a game in it is that of the host with
// its name. Players join its games: they must get the address of the host and a token
// that the lobby accepts at that host from one player, and from nobody else or at
// another host. A game that has ended must be unknown.
//
// # Hostile peers
//
// They send the golden files and fuzz corpora of the codecs to the ports that
// they are meant for and to others, whole, changed, cut short, or random bytes,
// and end their connections in all ways. What they say may be a good message, so
// the lobbyd must ban names that match [Strangers], as all names of hosts do not.
// A list with anybody else's name is wrong.
package soak
