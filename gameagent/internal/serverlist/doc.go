// Package serverlist holds the list of servers of a master that speaks GameAgent, the first
// protocol of GameSpy, or both: the servers, their games, the encoded lists that clients
// get, and the queries that verify servers.
package serverlist
