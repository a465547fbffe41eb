// Package gamelist holds a master's list of the servers of a game: the servers with their
// keys, the latest changes, and the encoded lists for clients. It uses no sockets.
package gamelist
