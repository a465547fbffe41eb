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

// The bucket, and where its keys are as subjects.
const (
	bucket  = "lobbyd"
	subject = "$KV." + bucket + "."
)

// Limits of the bucket.
const (
	maxValue  = 16 << 10
	maxBucket = maxMemory / 2
)

// A marker tells those who watch that an entry has expired. It outlasts the time
// that a watch may be deaf for before it is begun anew.
const markerTTL = 30 * time.Second

// config is the same on all nodes, so that who comes first makes the bucket.
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

// open returns the bucket, which it makes if there is none. It fails as long as
// the cluster has no leader or too few nodes.
func (c *Cluster) open(ctx context.Context) (jetstream.KeyValue, error) {
	kv, err := c.js.KeyValue(ctx, bucket)
	if !errors.Is(err, jetstream.ErrBucketNotFound) {
		return kv, err
	}
	kv, err = c.js.CreateKeyValue(ctx, c.config())
	var refusal *jetstream.APIError
	const replicasNotSupported = 10074
	if errors.As(err, &refusal) && refusal.ErrorCode == replicasNotSupported && c.options.URL != "" {
		alone := c.config()
		alone.Replicas = 1
		return c.js.CreateKeyValue(ctx, alone)
	}
	return kv, err
}

// connect connects to the server in this process, or elsewhere.
func connect(o Options, e *embedded) (*nats.Conn, error) {
	log := func(_ *nats.Conn, _ *nats.Subscription, err error) {
		o.Logger.Debug("cluster: connection", "error", err)
	}
	to := []nats.Option{
		nats.Name("lobbyd " + o.Name),
		nats.MaxReconnects(-1),
		nats.ReconnectWait(time.Second),
		nats.RetryOnFailedConnect(true),
		nats.IgnoreAuthErrorAbort(), // a password that is wrong now may be right later
		nats.ErrorHandler(log),      // it writes to stderr otherwise
		nats.ReconnectBufSize(-1),   // what is lost is written again
	}
	if e != nil {
		to = append(to, nats.InProcessServer(e), nats.UserInfo(user, e.password))
	}
	nc, err := nats.Connect(cmp.Or(o.URL, nats.DefaultURL), to...)
	if err != nil {
		return nil, fmt.Errorf("cluster: %w", err)
	}
	return nc, nil
}
