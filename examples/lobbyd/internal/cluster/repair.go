package cluster

import (
	"context"
	"os"
	"path/filepath"
	"time"
)

// repairEvery is the time between attempts to repair the embedded server.
const repairEvery = 5 * time.Second

// room is the free space in bytes that the server needs to start anew: more than it writes then.
const room = 256 << 10

// repair calls repairServer periodically until ctx is done.
func (c *Cluster) repair(ctx context.Context) {
	look := time.NewTicker(repairEvery)
	defer look.Stop()
	var complained time.Time
	for {
		select {
		case now := <-look.C:
			complained = c.repairServer(now, complained)
		case <-ctx.Done():
			return
		}
	}
}

// repairServer starts the embedded server anew if it does not run or has given up JetStream. The
// server gives up JetStream when it cannot write the state of its elections, as on a full disk, and
// does not try again. repairServer returns when it last complained that there is no space yet.
func (c *Cluster) repairServer(now, complained time.Time) time.Time {
	if c.server.works() {
		return time.Time{}
	}
	err := c.server.dir.hasRoom()
	if err == nil {
		c.options.Logger.Warn("cluster: starting the NATS server of this node anew, as it could not write its state",
			"node", c.self.node)
		c.replaceServer()
		return time.Time{}
	}
	if now.Sub(complained) < complainEvery {
		return complained
	}
	c.options.Logger.Warn("cluster: the NATS server of this node cannot write its state and has no copy of the "+
		"bucket; trying again", "node", c.self.node, "error", err)
	return now
}

// works reports whether the server runs and has JetStream.
func (e *embedded) works() bool {
	s := e.current()
	return s.Running() && s.JetStreamEnabled()
}

// hasRoom returns why the state of a server does not fit in the directory, or nil.
func (d tempDir) hasRoom() error {
	if err := os.MkdirAll(d.path, 0o700); err != nil {
		return err
	}
	path := filepath.Join(d.path, "room")
	err := os.WriteFile(path, make([]byte, room), 0o600)
	os.Remove(path) // or empty does
	return err
}
