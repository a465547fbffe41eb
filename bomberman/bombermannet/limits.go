package bombermannet

import (
	"cmp"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/source"
)

// ManagementServerLimits bounds the resources of a [ManagementServer] that
// peers may use. A zero field means the default, which the package documentation
// lists with its reason.
type ManagementServerLimits struct {
	// ConnLimits limits connections. Idle is for connections without a
	// registered game server.
	lobbywire.ConnLimits

	// IdleRegistered is Idle for connections that have registered a game server.
	IdleRegistered time.Duration

	// QueryRate and Rate limit the queries and the other messages of a connection,
	// in messages per second. Further messages wait in the buffers of the operating
	// system until the peer cannot send more. A negative rate also means the
	// default, because a connection on which nothing is handled would be useless.
	QueryRate int
	Rate      int

	// MaxServers limits the game servers, including servers of other nodes. A connection
	// that has registered one counts until it ends.
	MaxServers int
}

// defaultLimits returns the defaults for zero limits.
func defaultLimits() ManagementServerLimits {
	return ManagementServerLimits{
		ConnLimits: lobbywire.ConnLimits{
			First: 10 * time.Second, Frame: 10 * time.Second, Idle: 2 * time.Minute, Write: 10 * time.Second,
			MaxConns: 10_000, MaxPerAddress: 64, MaxPerPrefix: 256, MaxBuffered: 8 << 20,
		},
		IdleRegistered: forever,
		QueryRate:      5,
		Rate:           50,
		MaxServers:     100_000,
	}
}

// SetLimits replaces Limits. It may be called while the server serves. Game servers beyond
// a lower limit stay listed; deadlines and rates apply to new connections.
func (m *ManagementServer) SetLimits(l ManagementServerLimits) {
	m.once.Do(m.init)
	m.setLimits(l)
}

func (m *ManagementServer) setLimits(l ManagementServerLimits) {
	defaults := defaultLimits()
	m.peers.Store(&peerLimits{
		idleRegistered: cmp.Or(l.IdleRegistered, defaults.IdleRegistered),
		queryEvery:     time.Second / time.Duration(cmp.Or(max(l.QueryRate, 0), defaults.QueryRate)),
		every:          time.Second / time.Duration(cmp.Or(max(l.Rate, 0), defaults.Rate)),
	})
	m.catalogue.servers.SetLimits(source.Counter{Max: cmp.Or(l.MaxServers, defaults.MaxServers)})
	m.loop.SetLimits(l.ConnLimits)
}

// peerLimits are the limits of a new connection.
type peerLimits struct {
	idleRegistered time.Duration
	queryEvery     time.Duration
	every          time.Duration // for other messages
}

// Bursts: the messages of a connection that are handled without delay.
const (
	queryBurst = 16
	burst      = 64
)

// forever is a limit that no connection reaches.
const forever = 100 * 365 * 24 * time.Hour
