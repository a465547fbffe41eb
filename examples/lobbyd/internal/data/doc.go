// Package data keeps the data directory of lobbyd: the data that it needs after a restart, a crash
// or an upgrade.
//
// # Files
//
//	lock              held while a lobbyd uses the directory
//	NAME.secret       a secret that lobbyd has made: 64 hexadecimal digits
//	bans.json         the bans that operators have given, see package bans
//	history.json      players over the last day, in total and of each server
//	FAMILY.list       the list of a family: see below
//	FAMILY.list.bad   such a file that could not be read, kept for an operator
//
// All are regular files: anything else at their paths, such as a pipe, is kept aside or refused.
// Only the owner may read them, and Open changes modes that let others in: lists contain the
// addresses of Warzone games since 4.7, which their lobby gives only to players who join. A file
// that cannot be written is still read, and stays unchanged until it can be written.
//
// # Lists
//
// A list is a journal: a line with its format, and then a line for each change, with a checksum.
// The line of a change contains the entry in its binary form, which all versions of lobbyd read. An
// entry in a form of a later version that this one would misread is ignored and stays in the file
// until it expires. The last line of a key counts. When half of the file is out of date, it is
// replaced by a shorter one. A change is written after ten milliseconds, in one call with later
// changes, and a crash loses changes that are not written yet. Under load, hundreds of changes take
// some tens of milliseconds. They are not synced, because written changes survive a crash of the
// program; a power failure may lose half a minute. An entry that has not changed is written again
// only after two minutes. The end of an entry is written like its changes, also when it expires, so
// that it is not restored. A master does not wait for the disk.
//
// A last line without its end results from a power failure or from cutting the file: it is ignored,
// with a warning. If any other line is damaged, the file is kept aside, and the other lines count.
// A file of another format is kept aside and ignored.
//
// # Restored entries
//
// A [List] is the Store of a master. When the master starts, the List contains the entries that an
// earlier process has saved. These entries are listed at once, as unverified, until they are
// checked or their hosts return:
//
//	family                       listed until              checked by        if it is silent
//	GameAgent, GameSpy           90 s, or Expiry after     a query           removed Expiry after
//	                             the last sign of life;                      the last sign of life
//	                             if it answers, half an
//	                             hour
//	Warzone 2.2 to 4.6, if the   half an hour after its    the ID of the     removed
//	lobby had reached the host   host was last connected   game
//	other Warzone games          its end, at least 90 s    -                 -
//	Bomberman                    90 s                      -                 -
//
// Entries whose hosts were last heard of half an hour before the start are not restored, or five
// minutes before if nothing can check them. With a cluster, entries that have answered are shared
// with the other nodes, as are the games of the proposals and of the HTTP lobby, and entries whose
// hosts have moved to another node are removed.
//
// # Measured
//
// On one core of an AMD EPYC, with 19 000 servers of GameAgent:
//
//	saving changes of all of them, as in each half minute     118 ms
//	the same if nothing has changed                            29 ms
//	restoring all of them                                      82 ms
//	memory                                                    2.2 MB
package data
