// Package agones calls the sidecar that Agones runs beside each game server.
package agones

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
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

	// callTime and maxAnswer limit a call, and maxReason limits the part of the answer in an
	// error.
	callTime  = time.Second
	maxAnswer = 4 << 10
	maxReason = 300
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

// A Counter holds the number of players and of places of the game server. A nil number is
// unknown, and Agones keeps its value.
type Counter struct {
	Players *int `json:"count,string,omitempty"`
	Places  *int `json:"capacity,string,omitempty"`
}

// Count sets the counter "players" of the game server. Its Fleet or GameServer must
// define it. Agones refuses more players than places.
func (s *Sidecar) Count(ctx context.Context, c Counter) error {
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return s.call(ctx, http.MethodPatch, "/v1beta1/counters/players", string(body))
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
	// The connection is used again if the answer was read to its end.
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		reason := bytes.TrimSpace(answer)
		return fmt.Errorf("%s: %s: %q", s.url+path, resp.Status, reason[:min(len(reason), maxReason)])
	}
	return err
}
