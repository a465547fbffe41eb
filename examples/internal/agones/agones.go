// Package agones calls the sidecar that Agones runs beside each game server.
package agones

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

const (
	defaultPort  = "9358" // of the REST API, unless the environment sets another
	portVariable = "AGONES_SDK_HTTP_PORT"

	// callTime and maxAnswer limit a call.
	callTime  = time.Second
	maxAnswer = 4 << 10
)

// A Sidecar is the sidecar of Agones on this machine.
type Sidecar struct {
	client http.Client
	url    string
}

// New returns the sidecar at the port that the environment names.
func New() *Sidecar {
	port := cmp.Or(os.Getenv(portVariable), defaultPort)
	return &Sidecar{client: http.Client{Timeout: callTime}, url: "http://" + net.JoinHostPort("localhost", port)}
}

// Health reports that the game server is healthy. A server that does not report in time
// is marked as unhealthy.
func (s *Sidecar) Health(ctx context.Context) error {
	return s.call(ctx, http.MethodPost, "/health", "{}")
}

// Ready reports that players can be sent to the game server.
func (s *Sidecar) Ready(ctx context.Context) error {
	return s.call(ctx, http.MethodPost, "/ready", "{}")
}

// Count sets the counter "players" of the game server. Its Fleet or GameServer must
// define it.
func (s *Sidecar) Count(ctx context.Context, players, places int) error {
	return s.call(ctx, http.MethodPatch, "/v1beta1/counters/players",
		fmt.Sprintf(`{"count":"%d","capacity":"%d"}`, players, places))
}

func (s *Sidecar) call(ctx context.Context, method, path, body string) error {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := s.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s", s.url+path, resp.Status)
	}
	// The connection is used again if the answer was read to its end.
	_, err = io.Copy(io.Discard, io.LimitReader(resp.Body, maxAnswer))
	return err
}
