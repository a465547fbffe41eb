package warzonenet

import (
	"context"
	"net"
	"net/http"
	"time"

	"github.com/lobbywire/lobbywire/internal/stream"
)

// clientFor returns the client for requests over a network: that of the caller, or one
// of this package. The network is anyFamily unless choosesFamily.
func clientFor(custom *http.Client, dial stream.DialFunc, network string, timeout time.Duration) *http.Client {
	switch {
	case custom == nil:
		return newHTTPClient(dial, network, timeout)
	case network == anyFamily:
		return custom
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
	over := *custom
	over.Transport = t
	return &over
}

// choosesFamily reports whether requests of a client can be sent over a chosen
// address family: it is a client of this package, or its Transport is nil or an
// [http.Transport].
func choosesFamily(custom *http.Client) bool { return custom == nil || transportOf(custom) != nil }

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
