package wzhttpnet

import (
	"context"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// clientFor returns the client for requests over a network: a copy of custom that follows
// no redirects, or one of this package. The network is one of networksOf or anyFamily.
func clientFor(custom *http.Client, dial stream.DialFunc, network string, timeout time.Duration) *http.Client {
	if custom == nil {
		return newHTTPClient(dial, network, timeout)
	}
	over := *custom
	over.CheckRedirect = followNone
	if network == anyFamily {
		return &over
	}
	t := transportOf(custom).Clone()
	if t.DialContext == nil {
		t.DialContext = new(net.Dialer).DialContext
	}
	t.DialContext = dialOver(t.DialContext, network)
	if t.DialTLSContext != nil {
		t.DialTLSContext = dialOver(t.DialTLSContext, network)
	}
	t.DisableKeepAlives = true // nothing closes idle connections of t
	over.Transport = t
	return &over
}

// networksOf returns the networks for requests that the game sends over each address
// family: IPv6 and IPv4 if the client can connect over a chosen network, and otherwise any.
func networksOf(custom *http.Client) []string {
	if custom == nil || transportOf(custom) != nil {
		return []string{overIPv6, overIPv4}
	}
	return []string{anyFamily}
}

// overEach calls f for each network concurrently and returns the errors in order.
func overEach(networks []string, f func(i int, network string) error) []error {
	errs := make([]error, len(networks))
	var calls sync.WaitGroup
	for i, network := range networks {
		calls.Go(func() { errs[i] = f(i, network) })
	}
	calls.Wait()
	return errs
}

// transportOf returns the Transport of a client if its connections can be made over
// a chosen network, or nil.
func transportOf(c *http.Client) *http.Transport {
	all := c.Transport
	if all == nil {
		all = http.DefaultTransport
	}
	t, ok := all.(*http.Transport)
	//lint:ignore SA1019 Callers may use these fields, which cannot be wrapped alike.
	if !ok || t.Dial != nil || t.DialTLS != nil {
		return nil
	}
	return t
}

func dialOver(dial stream.DialFunc, network string) stream.DialFunc {
	return func(ctx context.Context, _, addr string) (net.Conn, error) { return dial(ctx, network, addr) }
}
