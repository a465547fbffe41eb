package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// The names of the bucket and of its stream, and the prefix of the subjects of its keys.
const (
	bucket  = "lobbyd"
	stream  = "KV_" + bucket
	subject = "$KV." + bucket + "."
)

// Limits of the bucket.
const (
	maxValue  = 16 << 10
	maxBucket = maxMemory / 2
)

// markerTTL is how long the marker of an expired entry stays. A watch that is
// restarted must still see it. NATS before 2.11 has no markers.
const markerTTL = 30 * time.Second

// config is the same on all nodes, so any of them can create the bucket.
func (c *Cluster) config() jetstream.KeyValueConfig {
	return jetstream.KeyValueConfig{
		Bucket:         bucket,
		Storage:        jetstream.MemoryStorage,
		History:        1,
		Replicas:       c.options.Replicas,
		TTL:            c.options.TTL,
		LimitMarkerTTL: markerTTL,
		MaxValueSize:   maxValue,
		MaxBytes:       maxBucket,
	}
}

// open returns the bucket, and creates it if necessary, without replicas if too few nodes
// are there for a while. It fails while the cluster has no leader.
func (c *Cluster) open(ctx context.Context) (jetstream.KeyValue, error) {
	kv, err := c.js.KeyValue(ctx, bucket)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		c.tooFew = time.Time{}
		return kv, err
	}
	config := c.config()
	kv, err = c.js.CreateKeyValue(ctx, config)
	if errors.Is(err, jetstream.ErrLimitMarkerTTLNotSupported) {
		config.LimitMarkerTTL = 0
		kv, err = c.js.CreateKeyValue(ctx, config)
	}
	switch {
	case isRefused(err, replicasNotSupported) && c.server == nil:
	case !isRefused(err, noPeers) || c.server == nil:
		return kv, err
	case c.tooFew.IsZero():
		c.tooFew = time.Now()
		return nil, err
	case time.Since(c.tooFew) < spreadPatience:
		return nil, err
	}
	config.Replicas = 1
	return c.js.CreateKeyValue(ctx, config)
}

// firstAnswer is longer than one server takes to fail, so that its own reason is logged.
// Several servers, or a name that cannot be resolved, take longer.
const firstAnswer = nats.DefaultTimeout + 200*time.Millisecond

var errNoAnswer = errors.New("no NATS server has answered yet")

// connect connects to the embedded server or to the server at the URL. It calls refused
// with the reason of each failure to connect.
func connect(o Options, e *embedded, refused func(error)) (*nats.Conn, error) {
	log := func(_ *nats.Conn, _ *nats.Subscription, err error) {
		o.Logger.Debug("cluster: connection", "error", err)
	}
	to := []nats.Option{
		nats.Name("lobbyd " + o.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Second),
		nats.RetryOnFailedConnect(true),
		nats.IgnoreAuthErrorAbort(), // the password may become valid
		nats.ErrorHandler(log),      // the default writes to stderr
		nats.ReconnectErrHandler(func(_ *nats.Conn, err error) { refused(err) }),
		nats.ReconnectBufSize(-1), // lost writes are repeated
	}
	if e != nil {
		to = append(to, nats.InProcessServer(e), nats.UserInfo(user, e.password))
	} else {
		login, err := o.Login.options()
		if err != nil {
			return nil, fmt.Errorf("cluster: %w", err)
		}
		to = append(append(to, o.TLS.options()...), login...)
	}
	stillTrying := time.AfterFunc(firstAnswer, func() { refused(errNoAnswer) })
	defer stillTrying.Stop()
	nc, err := nats.Connect(cmp.Or(o.URL, nats.DefaultURL), to...)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return nc, nil
}
