package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/lobbywire/lobbywire"
)

// hookTimeout limits a request that sets a state.
const hookTimeout = 5 * time.Second

// Hook returns a function that sets the state of a game with a PUT to a URL, in the form
// of the sidecar. The URL must be on this machine or on the machine of the server: no
// other machine gets requests, not even through a redirect. Requests do not end with ctx,
// so that the first state can be set again.
func Hook(ctx context.Context, rawURL string, server netip.Addr) (func(v lobbywire.View) error, error) {
	u, err := url.Parse(rawURL)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("want a URL such as http://127.0.0.1:7790/v1/state")
	}
	dial := func(ctx context.Context, network, addr string) (net.Conn, error) {
		host, port, err := net.SplitHostPort(addr)
		if err != nil {
			return nil, err
		}
		found, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
		if err != nil {
			return nil, err
		}
		var d net.Dialer
		err = fmt.Errorf("%s is neither this machine nor that of the server", host)
		for _, a := range found {
			if a = a.Unmap(); a.IsLoopback() || a == server {
				var conn net.Conn
				conn, err = d.DialContext(ctx, network, net.JoinHostPort(a.String(), port))
				if err == nil {
					return conn, nil
				}
			}
		}
		return nil, err
	}
	client := &http.Client{
		Transport:     &http.Transport{DialContext: dial},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       hookTimeout,
	}
	return func(v lobbywire.View) error {
		body, err := json.Marshal(v)
		if err != nil {
			return err
		}
		request, err := http.NewRequestWithContext(context.WithoutCancel(ctx), http.MethodPut, u.String(),
			bytes.NewReader(body))
		if err != nil {
			return err
		}
		request.Header.Set("Content-Type", "application/json")
		answer, err := client.Do(request)
		if err != nil {
			return fmt.Errorf("set the state: %w", err)
		}
		defer answer.Body.Close()
		const most = 200
		text, _ := io.ReadAll(io.LimitReader(answer.Body, most)) // which only explains a status
		if answer.StatusCode < 200 || answer.StatusCode > 299 {
			return fmt.Errorf("set the state: %s %q", answer.Status, text)
		}
		return nil
	}, nil
}
