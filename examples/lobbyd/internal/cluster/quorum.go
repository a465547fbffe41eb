package cluster

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// leaderless is how long servers that reach enough others may have no leader. It is longer
// than an election. Nodes add up to half of it, so that they do not start anew together.
const leaderless = 10 * time.Second

// spreadPatience is how long the bucket waits for enough nodes for its replicas.
const spreadPatience = 5 * time.Second

// A quorum notes how long the embedded servers have been without a leader.
type quorum struct {
	lacking time.Time     // since when this node knows; zero if there is one, or too few servers
	allowed time.Duration // how long it lets that last
}

// Error codes of JetStream.
const (
	noPeers              = 10005 // for so many replicas
	unavailable          = 10008
	replicasNotSupported = 10074
	offline              = 10118
)

// isUnavailable reports whether an error means that the servers, or the servers with the
// bucket, have no leader.
func isUnavailable(err error) bool {
	return isRefused(err, unavailable) || isRefused(err, offline)
}

// isRefused reports whether JetStream has answered with an error.
func isRefused(err error, code uint16) bool {
	var refusal *jetstream.APIError
	if errors.As(err, &refusal) {
		return uint16(refusal.ErrorCode) == code
	}
	var ofWatch *nats.APIError // a watch is of the older package
	return errors.As(err, &ofWatch) && uint16(ofWatch.ErrorCode) == code
}

// reachesEnough reports whether the server and the servers that it reaches could elect a
// leader: all except one.
func (e *embedded) reachesEnough() bool {
	return e.current().NumRemotes() >= max(1, len(e.options.Peers)-1)
}

// startAnew replaces the embedded server if there has been no leader for too long, while enough
// others were there. err is from the last watch.
func (c *Cluster) startAnew(err error) {
	now, state, q := time.Now(), c.State(), &c.quorum
	switch {
	case state.Connected, !c.server.reachesEnough(), isRefused(err, noPeers): // a leader says so
		q.lacking = time.Time{}
		return
	case !isUnavailable(err) && !c.isUnheard():
		return // it is slow
	case q.lacking.Before(state.Since):
		q.lacking, q.allowed = now, leaderless+rand.N(leaderless/2)
		return
	case now.Sub(q.lacking) < q.allowed:
		return
	}
	q.lacking = time.Time{}
	c.options.Logger.Warn("cluster: the nodes elect no leader; starting the NATS server of this one anew",
		"node", c.self.node)
	c.replaceServer()
}

func (c *Cluster) replaceServer() {
	if err := c.server.replace(); err != nil {
		c.options.Logger.Error("cluster: NATS does not start; trying again", "node", c.self.node, "error", err)
	}
}

// isUnheard reports whether no server has received the last pulse, because the bucket has no
// leader.
func (c *Cluster) isUnheard() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.link.unheard
}

// spread gives the bucket its replicas when there are enough nodes, until ctx is done. The
// node that leads all others does so.
func (c *Cluster) spread(ctx context.Context) {
	look := time.NewTicker(pulseEvery)
	defer look.Stop()
	for {
		select {
		case <-look.C:
			if s := c.server.current(); s.JetStreamIsLeader() && len(s.JetStreamClusterPeers()) >= c.options.Replicas {
				if err := c.replicate(ctx); err != nil {
					c.options.Logger.Debug("cluster: no replicas", "error", err)
				}
			}
		case <-ctx.Done():
			return
		}
	}
}

func (c *Cluster) replicate(ctx context.Context) error {
	s, err := c.js.Stream(ctx, stream)
	if err != nil {
		return err
	}
	as := s.CachedInfo().Config
	if as.Replicas >= c.options.Replicas {
		return nil
	}
	as.Replicas = c.options.Replicas
	_, err = c.js.UpdateStream(ctx, as)
	return err
}
