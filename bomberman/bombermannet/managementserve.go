package bombermannet

import (
	"cmp"
	"context"
	"iter"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// Serve accepts connections on l until Shutdown or Close. It closes l. Its error is
// never nil; it is [lobbywire.ErrClosed] after Shutdown and Close.
func (m *ManagementServer) Serve(l net.Listener) error {
	m.once.Do(m.init)
	if m.Store != nil {
		ctx, cancel := context.WithCancel(context.Background())
		var sharing sync.WaitGroup
		sharing.Go(func() { m.catalogue.servers.Repeat(ctx) })
		defer sharing.Wait()
		defer cancel()
	}
	return m.loop.Serve(l)
}

func (m *ManagementServer) init() {
	m.logger = cmp.Or(m.Logger, slog.New(slog.DiscardHandler))
	m.loop.Handler = m.serve
	m.loop.Defaults = defaultLimits().ConnLimits
	m.loop.MaxFrame = bomberman.MaxFrame
	m.loop.Logger = m.Logger
	m.refusals.To = m.Refused
	m.loop.Refusals = &m.refusals
	m.setLimits(m.Limits)
	m.catalogue.admit, m.catalogue.public = m.Admit, m.Public
	m.catalogue.start(m.Store)
}

// Shutdown stops accepting connections and ends the open ones once the requests read from
// them are answered. It returns when all have ended, or closes them when ctx is done. Until
// then, the list keeps the game servers whose connections Shutdown has ended. Afterwards it
// contains only the game servers of other nodes, and no longer changes.
func (m *ManagementServer) Shutdown(ctx context.Context) error {
	m.once.Do(m.init)
	m.catalogue.servers.Close()
	defer m.catalogue.removeEnded()
	return m.loop.Shutdown(ctx)
}

// Close ends all connections at once, and stops watching the Store.
func (m *ManagementServer) Close() error {
	m.once.Do(m.init)
	m.catalogue.servers.Close()
	defer m.catalogue.removeEnded()
	return m.loop.Close()
}

// Servers returns the game servers that are listed or withheld when an iteration begins, in
// no particular order.
func (m *ManagementServer) Servers() iter.Seq[Entry] {
	m.once.Do(m.init)
	return func(yield func(Entry) bool) { slices.Values(m.catalogue.servers.Snapshot())(yield) }
}

// Review calls Admit again for the game servers with the IDs or, without IDs, for every game
// server, after the rules of Admit have changed.
func (m *ManagementServer) Review(ids ...uint64) {
	m.once.Do(m.init)
	m.catalogue.servers.Review(ids...)
}

// ManagementServerStats counts the work of a ManagementServer since its creation.
type ManagementServerStats struct {
	lobbywire.ConnStats

	Listed     int    // game servers in the list now
	Withheld   int    // game servers that Admit withholds now
	Registered uint64 // game servers, including those that replace another on the same connection
	Updated    uint64 // stats received from game servers
	Answered   uint64 // queries answered
	Discarded  uint64 // messages that were invalid, unknown, too early or too many
	Cut        bool   // answers now lack game servers, because they have no room for all
}

// Stats returns a snapshot of the counters.
func (m *ManagementServer) Stats() ManagementServerStats {
	m.once.Do(m.init)
	s := ManagementServerStats{
		ConnStats:  m.loop.Stats(),
		Registered: m.registered.Load(),
		Updated:    m.updated.Load(),
		Answered:   m.answered.Load(),
		Discarded:  m.discarded.Load(),
	}
	m.catalogue.servers.Do(time.Now(), func(t *locked) {
		s.Listed, s.Withheld = t.Listed, t.Withheld
		s.Cut = m.catalogue.list.isCut()
	})
	return s
}
