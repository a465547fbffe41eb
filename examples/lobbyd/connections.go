package main

import (
	"context"
	"errors"
	"net"
	"os"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/fdstore"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// keepWithin bounds the time until systemd has the latest connections at the end.
const keepWithin = 2 * time.Second

// A keptConn is a connection that an earlier process has left with systemd.
type keptConn struct {
	name string
	file *os.File
}

// takeKept removes the kept connections from the inherited sockets.
func (d *lobbyd) takeKept() (all []keptConn) {
	for name, files := range d.inherited {
		if _, _, ok := fdstore.ParseName(name); !ok {
			continue
		}
		for _, f := range files {
			all = append(all, keptConn{name, f})
		}
		delete(d.inherited, name)
	}
	return all
}

// keepConns keeps the connections of hosts of Warzone up to 4.6 from now on, whose games are
// listed as long as they last.
func (d *lobbyd) keepConns() {
	for name, lobby := range d.masters.lobbies() {
		lobby.Listed = func(c net.Conn, id uint32) { d.kept.Hold(name, c, id) }
		lobby.Closing = d.kept.Release
	}
	ctx, stop := context.WithCancel(context.Background())
	d.unkeep = stop
	d.serving.Go(func() { d.kept.Run(ctx) })
}

// resume continues the connections of an earlier process. Their games must be restored.
func (d *lobbyd) resume(all []keptConn) {
	lobbies := d.masters.lobbies()
	resumed := 0
	for _, k := range all {
		if err := d.resumeOne(lobbies, k); err != nil {
			d.log.Debug("a connection is not continued", "name", k.name, "error", err)
			continue
		}
		resumed++
	}
	if len(all) > 0 {
		d.log.Info("hosts continue on their connections", "hosts", resumed, "lost", len(all)-resumed)
	}
}

// errBanned means that a connection of an earlier process is of a banned address.
var errBanned = errors.New("its address is banned")

func (d *lobbyd) resumeOne(lobbies map[string]*warzonenet.Lobby, k keptConn) error {
	defer k.file.Close() // the connection has its own copy
	c, err := net.FileConn(k.file)
	if err != nil {
		return err
	}
	d.kept.Restore(c, k.name)
	server, id, _ := fdstore.ParseName(k.name)
	lobby := lobbies[server]
	switch {
	case lobby == nil:
		err = errors.New("there is no such server")
	case d.gate.BannedPeer(c.RemoteAddr()):
		err = errBanned
	default:
		err = lobby.Resume(c, id)
	}
	if err != nil {
		d.kept.Release(c)
		c.Close()
	}
	return err
}

// lobbies returns the lobbies whose hosts stay connected, by name.
func (m *masters) lobbies() map[string]*warzonenet.Lobby {
	return map[string]*warzonenet.Lobby{"warzone": m.lobby, "layout21": m.layout21, "layout20": m.layout20}
}

// freezeConns leaves the connections of hosts with systemd, for the next process.
func (d *lobbyd) freezeConns() {
	ctx, cancel := context.WithTimeout(context.Background(), keepWithin)
	defer cancel()
	d.kept.Freeze(ctx)
}
