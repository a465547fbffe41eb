// Package cluster shares the lists of all nodes of lobbyd through a bucket of
// NATS JetStream.
//
// Each node holds the whole list in memory and serves it with the masters of the library,
// which use the Stores of the [Cluster]. Nodes exchange entries through the bucket. It is
// in the memory of three nodes, each with an embedded NATS server, or of a NATS elsewhere.
//
// # Ownership
//
// A node owns the entries of the peers that are connected to it, and writes them
// again after half of the TTL. When a connection closes, its entry is removed at
// once. When a node stops or dies, its entries stay for a TTL: their hosts are still
// there, and return to it or to another node. If another node writes an entry, it
// becomes the owner, for example because a game server has changed its master.
// The servers of GameAgent and GameSpy, and the games of the proposals and of the HTTP
// lobby, have no connection and do not notice that a node restarts, so a restarted node
// keeps its earlier entries until they expire.
//
// A Bomberman game server that has lost its node registers at another one with another ID.
// Until its old entry expires, nodes list only the new one.
//
// Changes wait in a queue with the last value of each key. One goroutine writes them
// in batches, and retries until it succeeds.
//
// # Disconnected nodes
//
// A node writes a pulse every second and waits for it to come back through its watch. If that
// takes more than 3 seconds, the node is cut off: it keeps listing all known entries for a
// TTL, then only its own entries, and State reports it. Without this end, the survivor of two
// nodes, which cannot elect a leader, would list the entries of the other one for ever. It
// restarts its watch until a pulse comes back, after everything that was written earlier. Then
// it is connected. It writes its own entries that are missing again. It drops missing entries
// of other nodes, but only after 5 seconds: those nodes may have been cut off too, and need
// time to restore entries that have expired. A node that was frozen for more than a TTL has 5
// seconds to connect before it drops anything.
//
// On a machine without enough processor time, the bucket can lose the entries of a node whose
// writes are late, and a node can need longer than a TTL to read the bucket. So entries stay
// while the pulse of their owner is heard, or while this node still receives earlier writes,
// for up to three TTLs after they were last shown.
//
// When the leading node dies, the others are cut off during the election, for 4 to 9
// seconds. So entries may outlive a TTL of less than 20 s.
//
// # The bucket
//
// It is in memory. NATS elects a leader only with the votes of servers that have a log, or of
// all. That protects data, but embedded servers lose their logs when they stop, and nodes can
// write everything in the bucket again. So when all servers but one, or all, have had no
// leader for 10 to 15 seconds, they start anew, without a log: a new cluster, for which all
// nodes but one suffice. Its bucket has one replica until there are enough nodes for all.
//
// The bucket is called lobbyd. A key is the family, a dot and the ID of the entry in
// decimal; for GameAgent, it is the address in hexadecimal, since keys cannot contain
// colons. A value is a line, with the name of the node and an identifier of its
// process, and then JSON. A removal leaves a marker with the line only; an expired
// entry leaves a marker without it, except in NATS before 2.11. Each node also has a
// key: node, a dot and its name.
//
// # Measured
//
// On two cores of an AMD EPYC, with all nodes in one process, over loopback, with
// entries of GameAgent. go test -v and -bench repeat it:
//
//	                                     1 node    3 nodes
//	writes a second, acknowledged          47 000     16 500
//	lists of 2720 servers a second      1 800 000  1 720 000  of all nodes, one core
//	100 000 entries, until listed                     4 to 7 s on the other two
//	an entry, until listed                            2 to 20 ms
//	a node is cut off, until State reports it         4 s
//	reconnected, until all lists agree                5 to 9 s
//	a killed node, until its entries expire           20 s with a TTL of 20 s
//	a restart of all three nodes in turn              10 to 19 s
//
// These entries cause 3300 writes a second with a TTL of 60 s, because each is written again
// after 30 s. A cluster that cannot write as many needs a longer TTL.
package cluster
