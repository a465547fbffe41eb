package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"regexp"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options configure a node. The zero value is a single node with an embedded server.
type Options struct {
	// URL is the address of a NATS server with JetStream. If it is empty, the node
	// has an embedded server.
	URL string

	// Name is the name of the node: letters, digits, dashes and underscores. It must
	// be unique in the cluster and should not change. "" means the name of the host.
	Name string

	// Listen is the address, host:port, at which the embedded server accepts clients,
	// such as programs that read the bucket; "" means none.
	Listen string

	// Cluster is the address, host:port, at which the embedded server accepts other
	// nodes. Peers are the addresses of the other nodes, or of all nodes, so that all
	// can have the same list. Both are set or neither. Any two of three nodes can work; of
	// two nodes, both must run.
	Cluster string
	Peers   []string

	// Secret must be known to all nodes and to clients of Listen. Without it,
	// everybody who can reach the addresses can join the cluster.
	Secret string

	// TLS encrypts the connection to the NATS server at URL, or the connections between nodes
	// with embedded servers and from clients of Listen. With embedded servers, it needs all of
	// its files, and both sides of each connection need a certificate of the CA. Names or
	// addresses in Peers must be in the certificates.
	TLS TLS

	// Login is for the NATS server at URL.
	Login Login

	// Dir is where the embedded server keeps the state of its elections. It is emptied at
	// the start. "" means a temporary directory. If the process is killed, it stays until
	// another node of the same user starts with one.
	Dir string

	// Replicas is the number of nodes with a replica of the bucket. 0 means 3 if
	// there are as many nodes, and 1 otherwise. The node that creates the bucket
	// decides.
	Replicas int

	// TTL is how long the entries of a dead node stay listed; 0 means 60 s. It should
	// be longer than an election, which takes up to 10 s.
	TTL time.Duration

	// Logger logs when the node connects and disconnects; nil means silent.
	Logger *slog.Logger

	tune func(*server.Options) // for tests
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
		return o, errors.New("cluster: with an external NATS server, the cluster address and peers must be empty")
	case o.URL == "" && o.Login != Login{}:
		return o, errors.New("cluster: the login is for an external NATS server")
	case (o.Cluster == "") != (len(o.Peers) == 0):
		return o, errors.New("cluster: the address for other nodes and peers go together")
	}
	if o.Cluster != "" {
		others, err := peersOf(o.Cluster, o.Peers)
		if err != nil {
			return o, err
		}
		o.Peers = others
	}
	if o.Replicas == 0 {
		o.Replicas = 1
		if o.URL != "" || 1+len(o.Peers) >= defaultReplicas {
			o.Replicas = defaultReplicas
		}
	}
	return o, nil
}

// splitHostPort returns the parts of a listening address.
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
