// Package fdstore keeps connections open while lobbyd restarts, in the file descriptor store
// of systemd: systemd has a copy of each, and passes them to the next process, also after a
// crash. A peer does not notice. `systemctl restart` keeps the copies, stop closes them.
//
// A [Store] works if the service unit has FileDescriptorStoreMax and the environment has that
// number as FDSTORE. Since version 254, systemd sets FDSTORE itself.
//
// # Limits
//
// The names of all copies must fit in one environment variable of 128 KiB: if they do not,
// the service cannot start again, and all are lost. Beyond FileDescriptorStoreMax, systemd
// drops copies silently. The time to store a copy grows with their number: 0.9 ms at 1000, 7
// ms at 8000. So a Store keeps at most 2000 connections, with short names. When one of them
// ends, the oldest of the others takes its place.
//
// # The end of a connection
//
// Closing a connection does not end it while systemd has a copy. [Store.Release] ends both
// directions first, and removes the copy.
package fdstore
