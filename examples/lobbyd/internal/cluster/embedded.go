package cluster

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// user is the user name for clients that know the Secret.
const user = "lobbyd"

// Memory of the embedded server. Entries have some 500 bytes.
const (
	maxMemory = 1 << 30
	maxState  = 256 << 20 // of its elections, on disk
)

// Time for the server to start, and the interval of checking it.
const (
	startTimeout = 10 * time.Second
	startLook    = 100 * time.Millisecond
)

const handshakeTimeout = 5 // seconds, as NATS has it

// An embedded server is a NATS server in this process.
type embedded struct {
	*server.Server
	password string  // of clients
	dir      tempDir // of its elections; the bucket is in memory
}

// start starts the server of this process.
func start(o Options) (*embedded, error) {
	dir, err := emptyDir(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	e := &embedded{dir: dir}
	so, err := serverOptions(o, dir.path)
	if err == nil {
		e.password = so.Password
		e.Server, err = server.NewServer(so)
	}
	if err != nil {
		dir.remove()
		return nil, fmt.Errorf("cluster: %w", err)
	}
	end := make(chan string, 1)
	e.SetLoggerV2(&serverLog{Logger: o.Logger, end: end}, false, false, false)
	e.Start()
	if err := e.await(end); err != nil {
		e.stop()
		return nil, err
	}
	return e, nil
}

// await waits until the server has started. It returns an error if it does not.
func (e *embedded) await(end <-chan string) error {
	for giveUp := time.Now().Add(startTimeout); time.Now().Before(giveUp); {
		if e.ReadyForConnections(startLook) {
			return nil
		}
		select {
		case why := <-end:
			return fmt.Errorf("cluster: the NATS server of this node: %s", why)
		default:
		}
	}
	return errors.New("cluster: the NATS server of this node does not start")
}

func serverOptions(o Options, dir string) (*server.Options, error) {
	so := &server.Options{
		ServerName:         o.Name,
		DontListen:         o.Listen == "" && o.Cluster == "",
		NoSigs:             true,
		JetStream:          true,
		StoreDir:           dir,
		JetStreamMaxMemory: maxMemory,
		JetStreamMaxStore:  maxState,
		Username:           user,
		Password:           o.Secret,
	}
	var err error
	switch {
	case o.Listen == "":
		// A server with routes also listens for clients, here on an unknown port and
		// with a random password.
		so.Host, so.Port, so.Password = "127.0.0.1", server.RANDOM_PORT, rand.Text()
	case o.Secret == "":
		so.Username = ""
		fallthrough
	default:
		so.Host, so.Port, err = splitHostPort(o.Listen)
		if err != nil {
			return nil, err
		}
	}
	if o.Cluster != "" {
		so.Cluster.Name = "lobbyd"
		if o.Secret != "" {
			so.Cluster.Username, so.Cluster.Password = user, o.Secret
		}
		so.Cluster.Host, so.Cluster.Port, err = splitHostPort(o.Cluster)
		if err != nil {
			return nil, err
		}
	}
	// The routes include the node's own address, so the server knows the initial size
	// of the cluster. It ignores the connection to itself.
	for _, peer := range o.Peers {
		if _, _, err := splitHostPort(peer); err != nil {
			return nil, err
		}
		u := &url.URL{Scheme: "nats-route", Host: peer}
		if o.Secret != "" {
			u.User = url.UserPassword(user, o.Secret)
		}
		so.Routes = append(so.Routes, u)
	}
	if o.TLS != (TLS{}) {
		c, err := o.TLS.config()
		if err != nil {
			return nil, err
		}
		so.TLSConfig, so.TLSTimeout = c, handshakeTimeout
		so.Cluster.TLSConfig, so.Cluster.TLSTimeout = c, handshakeTimeout
	}
	if o.tune != nil {
		o.tune(so)
	}
	return so, nil
}

// whole reports whether the server has all of its data. Until then, no other node
// should stop.
func (e *embedded) whole() bool {
	return e == nil || e.Healthz(&server.HealthzOptions{}).Error == ""
}

// stop transfers the leadership of the server to other nodes, and stops it.
func (e *embedded) stop() error {
	if e == nil {
		return nil
	}
	e.Shutdown()
	e.WaitForShutdown()
	return e.dir.remove()
}
