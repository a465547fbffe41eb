package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options tell what a node is a part of. The zero value is a node alone, with a
// server of its own in its process.
type Options struct {
	// URL is of a NATS server elsewhere, with JetStream. If it is empty there is
	// one in this process.
	URL string

	// Name is that of the node, which no two may share and which it should
	// keep: letters, digits, dashes and underscores. "" is the name of the host.
	Name string

	// Listen is the address, host:port, at which the server of this process takes
	// clients, as other programs that look at the bucket; "" is nowhere.
	Listen string

	// Cluster is the address, host:port, at which it takes other nodes, and
	// Peers are those of the others, or of all: the same list will do
	// everywhere. There have to be two of them at least, and as many nodes
	// up, when a cluster begins. All or none are given.
	Cluster string
	Peers   []string

	// Secret is what all nodes, and clients of Listen, have to know. Without
	// one, whoever reaches the addresses belongs to the cluster.
	Secret string

	// Replicas is how many nodes hold the bucket. 0 means 3 if there are as
	// many, otherwise 1. It counts for the node that makes the bucket.
	Replicas int

	// TTL is how long the entries of a node stay that has died: 60 s if 0. It
	// should be longer than an election takes, which is up to 10 s.
	TTL time.Duration

	// Logger is told when the node joins and loses the others; nil is silent.
	Logger *slog.Logger

	tune func(*server.Options) // of a test
}

const (
	defaultTTL      = 60 * time.Second
	defaultReplicas = 3
)

var validName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// complete returns o with its defaults.
func (o Options) complete() (Options, error) {
	if o.Name == "" {
		host, err := os.Hostname()
		if err != nil {
			return o, fmt.Errorf("cluster: no name: %w", err)
		}
		o.Name = regexp.MustCompile(`[^A-Za-z0-9_-]`).ReplaceAllString(host, "-")
	}
	o.TTL = cmp.Or(o.TTL, defaultTTL)
	o.Logger = cmp.Or(o.Logger, slog.New(slog.DiscardHandler))
	switch {
	case !validName.MatchString(o.Name):
		return o, fmt.Errorf("cluster: name %q: want 1 to 64 letters, digits, dashes and underscores", o.Name)
	case o.TTL < time.Second:
		return o, fmt.Errorf("cluster: TTL %v: want 1 s at least", o.TTL)
	case o.URL != "" && (o.Listen != "" || o.Cluster != "" || len(o.Peers) > 0):
		return o, errors.New("cluster: a node of a server elsewhere has none that listens or has peers")
	case (o.Cluster == "") != (len(o.Peers) == 0):
		return o, errors.New("cluster: the address for other nodes and peers go together")
	}
	if o.Cluster != "" && !slices.Contains(o.Peers, o.Cluster) {
		o.Peers = append(slices.Clone(o.Peers), o.Cluster)
	}
	if o.Replicas == 0 {
		o.Replicas = 1
		if o.URL != "" || len(o.Peers) >= defaultReplicas {
			o.Replicas = defaultReplicas
		}
	}
	return o, nil
}

// splitHostPort returns the parts of an address to listen at.
func splitHostPort(addr string) (host string, port int, err error) {
	host, text, err := net.SplitHostPort(addr)
	if err != nil {
		return "", 0, fmt.Errorf("cluster: %w", err)
	}
	n, err := strconv.ParseUint(text, 10, 16)
	if err != nil || n == 0 {
		return "", 0, fmt.Errorf("cluster: %s: want a port, 1 to 65535", addr)
	}
	return cmp.Or(host, "0.0.0.0"), int(n), nil
}
