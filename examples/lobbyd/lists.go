package main

import (
	"net/netip"
	"sync/atomic"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/certificate"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/data"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/fdstore"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/roster"
)

// lists are the masters, the catalogue of their servers, and the places that keep them:
// the data directory, the other nodes and, during a restart, systemd.
type lists struct {
	*life
	rules *rules

	masters      *masters // nil until they are started
	servers      []*server
	certificates *certificate.Keeper // of -warzone-http; nil without TLS

	catalogue catalogue.Catalogue
	filled    chan struct{} // closed when the catalogue contains the first lists
	checked   chan struct{} // closed when restored servers have been checked
	unwatch   func()        // stops the watcher
	roster    roster.Asker
	refusals  refusals.Recent
	gateway   netip.Addr // see containerGateway

	node   atomic.Pointer[cluster.Cluster] // nil until it is started, and without a cluster
	data   *data.Dir                       // nil without a data directory
	saved  *data.Lists                     // nil without a data directory
	kept   *fdstore.Store                  // of connections; nil without systemd
	unkeep func()                          // ends kept
}

func newLists(of *life, by *rules) *lists {
	l := &lists{life: of, rules: by, filled: make(chan struct{}), checked: make(chan struct{}),
		unwatch: func() {}, unkeep: func() {}, gateway: containerGateway()}
	l.refusals.Warnings = &l.warnings
	return l
}
