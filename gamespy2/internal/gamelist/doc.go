// Package gamelist has the list of the servers of a game as a master keeps it: the servers
// with their keys, the latest changes, and the encoded lists that clients get. It has no
// sockets.
package gamelist
