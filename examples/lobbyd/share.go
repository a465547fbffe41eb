package main

import (
	"context"
	"net"
	"net/netip"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// firstCopy is how long a node waits for the lists of the others before it serves
// without them. They may be down, and a partial list is better than none.
const firstCopy = 10 * time.Second

// join makes this process a node, if the configuration has a cluster.
func (l *lists) join(ctx context.Context) error {
	c := l.config.Cluster
	if c.NATS == "" {
		return nil
	}
	options := cluster.Options{
		Name:     c.Name,
		Listen:   c.Listen,
		Cluster:  c.Routes,
		Peers:    c.Peers,
		Secret:   c.secret,
		TLS:      c.tls(),
		Login:    c.login(),
		Replicas: int(c.Replicas),
		TTL:      time.Duration(c.TTL),
		Logger:   l.log.With("server", "cluster"),
	}
	if c.NATS != embedded {
		options.URL = c.NATS
	}
	if l.data != nil {
		options.Dir = l.data.Path("nats")
	}
	if c.secret == "" && c.CA == "" && (isReachable(c.Routes) || isReachable(c.Listen)) {
		l.log.Warn("without a cluster secret or certificates anybody who can reach this node can change all lists",
			"cluster", c.Routes, "listen", c.Listen)
	}
	node, err := cluster.Open(ctx, options)
	if err != nil {
		return err
	}
	l.node.Store(node)
	return nil
}

// isReachable reports whether other machines can reach an address.
func isReachable(hostPort string) bool {
	host, _, err := net.SplitHostPort(hostPort)
	addr, notIP := netip.ParseAddr(host)
	return err == nil && host != "localhost" && (notIP != nil || !addr.IsLoopback())
}

// embedded is the value of -nats for an embedded NATS server.
const embedded = "embedded"

// shared returns the stores of this node, which share lists, save them, or both.
func (l *lists) shared() sharing {
	var all sharing
	node := l.node.Load()
	if node != nil {
		all = sharing{gameagent: node.GameAgent(), gamespy: node.GameSpy(), bomberman: node.Bomberman(),
			warzone: node.Warzone()}
	}
	if l.saved != nil {
		all = all.saving(l.saved, node)
	}
	return all
}

// whole returns a channel that is closed when this node has the whole lists.
func (l *lists) whole() <-chan struct{} {
	if node := l.node.Load(); node != nil {
		return node.Ready()
	}
	at := make(chan struct{})
	close(at)
	return at
}

// awaitFirstCopy waits for whole lists, up to firstCopy.
func (l *lists) awaitFirstCopy(ctx context.Context) {
	soon := time.NewTimer(firstCopy)
	defer soon.Stop()
	select {
	case <-l.whole():
	case <-soon.C:
	case <-ctx.Done():
	}
}

// leave writes the pending removals and leaves the cluster.
func (l *lists) leave(ctx context.Context) {
	if node := l.node.Load(); node != nil {
		if err := node.Close(ctx); err != nil {
			l.log.Warn("shutdown failed", "server", "cluster", "error", err)
		}
	}
}

// webState returns the state of the cluster for the page.
func (l *lists) webState() web.State {
	node := l.node.Load()
	if node == nil {
		return web.State{}
	}
	now := node.State()
	s := web.State{Node: now.Node, Nodes: now.Nodes}
	if !now.Connected {
		s.CutOff = now.Since
	}
	return s
}
