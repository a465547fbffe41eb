// Package cluster shares the lists of all nodes of lobbyd through a bucket of
// NATS JetStream.
//
// Each node has the whole list in memory and answers from that, by the masters
// of the library, of which each has a Store of the [Cluster]. The bucket is where
// nodes tell each other. It lies in the memory of three nodes, each with a NATS
// server in its process, or of a NATS elsewhere.
//
// # Ownership
//
// A node owns the entries of what is connected to it, and writes them again every
// half of the TTL. A connection that closes removes its entry at once; what
// a node owned that has died expires. An entry that another node writes belongs to
// that from then on, as when a game server turns to another master. Game servers of
// GameAgent have no connection and do not notice that a node is restarted, so it
// keeps what it had before, until their own time is up.
//
// What is put waits in a queue that holds each key once, with its last value;
// one goroutine writes it, many keys at a time, and tries again as long as it takes.
//
// # Losing the others
//
// A node writes a pulse every second and watches for it to come back. When it
// does not for 3 seconds, the node is cut off: it keeps all that it knows
// listed, and State tells. It begins to watch anew until a pulse comes back from
// the bucket, with everything before it. Then it is connected. Its own entries
// that are not there it writes again. Entries of others that are not there it
// drops, but only 5 seconds later: the others may have been cut off as well,
// their entries may have expired meanwhile, and this is the time to bring them back.
//
// When a node dies that led the others, they are cut off, too, for the 4 to 9
// seconds of an election. So a TTL of less than 20 s may be exceeded.
//
// # The bucket
//
// It is called lobbyd. A key is the family, a dot, and the ID of the entry in
// decimal; for GameAgent, the address in hexadecimal, as keys have no colons. A
// value is a line with the name of the node and a word by which it knows its own,
// then JSON. A removal leaves a marker, of which only the line is left; an entry
// that expires leaves one without. Each node has a key, too: node, a dot, its
// name.
//
// # Measured
//
// On two cores of an AMD EPYC, all nodes in one process, over loopback, with
// entries of GameAgent; go test -v and -bench do it again:
//
//	                                     1 node    3 nodes
//	writes a second, acknowledged          47 000     16 500
//	lists of 2720 servers a second      1 800 000  1 720 000  of all nodes, one core
//	100 000 entries, put to listed                    4 to 7 s on the other two
//	an entry, put to listed                           2 to 20 ms
//	a node is cut off, to State tells                 4 s
//	a way again, to all lists agree                   5 to 9 s
//	a killed node, to its entries go                  20 s with a TTL of 20 s
//	a restart of each node in turn                    10 to 19 s for the three
//
// So many entries are 3300 writes a second with a TTL of 60 s, as each is written
// again after 30. A cluster that cannot write as many needs a longer TTL.
package cluster
