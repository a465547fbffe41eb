package cluster

import (
	"crypto/rand"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"sync"
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

// An embedded is the NATS server in this process. A new one may replace it; see replace.
type embedded struct {
	options  Options
	password string  // of clients
	dir      tempDir // of its elections; the bucket is in memory

	mu     sync.Mutex // held while it is replaced
	server *server.Server
}

// start starts the server of this process.
func start(o Options) (*embedded, error) {
	dir, err := emptyDir(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	e := &embedded{options: o, password: o.Secret, dir: dir}
	if o.Listen == "" {
		// A server with routes also listens for clients, here on an unknown port.
		e.password = rand.Text()
	}
	e.server, err = run(o, e.password, dir.path)
	switch {
	case errors.Is(err, errNoState):
		o.Logger.Warn("cluster: the NATS server of this node does not start yet", "node", o.Name, "error", err)
	case err != nil:
		dir.remove()
		return nil, err
	}
	return e, nil
}

// errNoState means that a server cannot write the state of its elections.
var errNoState = errors.New("it cannot write its state")

// replace starts a new server in place of the current one, without its state.
func (e *embedded) replace() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.server.Shutdown()
	e.server.WaitForShutdown()
	if err := e.dir.empty(); err != nil {
		return fmt.Errorf("cluster: %w", err)
	}
	s, err := run(e.options, e.password, e.dir.path)
	if s != nil {
		e.server = s
	}
	return err
}

// current returns the server, or nil if it is elsewhere.
func (e *embedded) current() *server.Server {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.server
}

// InProcessConn connects to the current server.
func (e *embedded) InProcessConn() (net.Conn, error) { return e.current().InProcessConn() }

// run runs a server, and waits until it has started. With errNoState, it returns the
// stopped server.
func run(o Options, password, dir string) (*server.Server, error) {
	so, err := serverOptions(o, password, dir)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	s, err := server.NewServer(so)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	end := make(chan string, 1)
	s.SetLoggerV2(&serverLog{Logger: o.Logger, end: end}, false, false, false)
	s.Start()
	err = await(s, end)
	if err == nil {
		return s, nil
	}
	s.Shutdown()
	s.WaitForShutdown()
	if errors.Is(err, errNoState) {
		return s, err
	}
	return nil, err
}

// await waits until a server has started. It returns an error if it does not.
func await(s *server.Server, end <-chan string) error {
	for giveUp := time.Now().Add(startTimeout); time.Now().Before(giveUp); {
		if s.ReadyForConnections(startLook) {
			return nil
		}
		select {
		case why := <-end:
			err := fmt.Errorf("cluster: the NATS server of this node: %s", why)
			if strings.HasPrefix(why, "Can't start JetStream") {
				err = fmt.Errorf("%w: %w", errNoState, err)
			}
			return err
		default:
		}
	}
	return errors.New("cluster: the NATS server of this node does not start")
}

func serverOptions(o Options, password, dir string) (*server.Options, error) {
	so := &server.Options{
		ServerName:         o.Name,
		DontListen:         o.Listen == "" && o.Cluster == "",
		NoSigs:             true,
		JetStream:          true,
		StoreDir:           dir,
		JetStreamMaxMemory: maxMemory,
		JetStreamMaxStore:  maxState,
		Username:           user,
		Password:           password,
	}
	var err error
	switch {
	case o.Listen == "":
		so.Host, so.Port = "127.0.0.1", server.RANDOM_PORT
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
	for _, peer := range o.Peers {
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
	return e == nil || e.current().Healthz(&server.HealthzOptions{}).Error == ""
}

// stop transfers the leadership of the server to other nodes, and stops it.
func (e *embedded) stop() error {
	if e == nil {
		return nil
	}
	s := e.current()
	s.Shutdown()
	s.WaitForShutdown()
	return e.dir.remove()
}
