package main

import (
	"context"
	"errors"
	"net"
	"os"
	"slices"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/fdstore"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// keepWithin bounds the time to pass the latest connections to systemd at the end.
const keepWithin = 2 * time.Second

// A keptConn is a connection that an earlier process has left with systemd.
type keptConn struct {
	name string
	file *os.File
}

// takeKept removes the kept connections from the inherited sockets, also those with names that
// only another build knows.
func (l *lists) takeKept() (all []keptConn) {
	for name, files := range l.inherited {
		_, _, known := fdstore.ParseName(name)
		if !known && !slices.ContainsFunc(files, isConnected) {
			continue
		}
		for _, f := range files {
			all = append(all, keptConn{name, f})
		}
		delete(l.inherited, name)
	}
	return all
}

// isConnected reports whether a file is a connection with a peer.
func isConnected(f *os.File) bool {
	c, err := net.FileConn(f)
	if err != nil {
		return false
	}
	defer c.Close()
	return c.RemoteAddr() != nil
}

// keepConns keeps the connections of hosts of Warzone up to 4.6 from now on, whose games are
// listed as long as they last.
func (l *lists) keepConns() {
	for name, lobby := range l.masters.lobbies() {
		lobby.Listed = func(c net.Conn, id uint32) { l.kept.Hold(name, c, id) }
		lobby.Closing = l.kept.Release
	}
	ctx, stop := context.WithCancel(context.Background())
	l.unkeep = stop
	l.serving.Go(func() { l.kept.Run(ctx) })
}

// resume continues the connections of an earlier process. Their games must be restored.
func (l *lists) resume(all []keptConn) {
	lobbies := l.masters.lobbies()
	resumed := 0
	for _, k := range all {
		if err := l.resumeOne(lobbies, k); err != nil {
			l.log.Debug("a connection is not continued", "name", k.name, "error", err)
			continue
		}
		resumed++
	}
	if len(all) > 0 {
		l.log.Info("hosts continue on their connections", "hosts", resumed, "lost", len(all)-resumed)
	}
}

// errBanned means that a connection of an earlier process comes from a banned address.
var errBanned = errors.New("its address is banned")

func (l *lists) resumeOne(lobbies map[string]*warzonenet.Lobby, k keptConn) error {
	defer k.file.Close() // the connection has its own copy
	c, err := net.FileConn(k.file)
	if err != nil {
		return err
	}
	l.kept.Restore(c, k.name)
	server, id, _ := fdstore.ParseName(k.name)
	lobby := lobbies[server]
	switch {
	case lobby == nil:
		err = errors.New("there is no such server")
	case l.rules.gate.BannedPeer(c.RemoteAddr()):
		err = errBanned
	default:
		err = lobby.Resume(c, id)
	}
	if err != nil {
		l.kept.Release(c)
		c.Close()
	}
	return err
}

// lobbies returns the lobbies whose hosts stay connected, by name.
func (m *masters) lobbies() map[string]*warzonenet.Lobby {
	return map[string]*warzonenet.Lobby{"warzone": m.lobby, "layout21": m.layout21, "layout20": m.layout20}
}

// freezeConns leaves the connections of hosts with systemd, for the next process.
func (l *lists) freezeConns() {
	ctx, cancel := context.WithTimeout(context.Background(), keepWithin)
	defer cancel()
	l.kept.Freeze(ctx)
}
