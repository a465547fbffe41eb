package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// An operator is a client of the admin actions.
type operator struct {
	socket    string // "" means the usual ones
	url       string // "" means the socket
	tokenFile string
	asJSON    bool // print a status as lobbyd sends it
}

// askTimeout is the time limit for an answer, and maxAnswer its maximum size.
const (
	askTimeout = 30 * time.Second
	maxAnswer  = 16 << 20
)

// ask sends a request and prints the answer. The body is sent as JSON unless it is
// nil.
func (o *operator) ask(cmd *cobra.Command, method, path string, body any) error {
	answer, err := o.send(cmd.Context(), method, path, body)
	if err != nil {
		return err
	}
	return printJSON(cmd, answer)
}

// askStatus sends a request whose answer is a status, and prints it.
func (o *operator) askStatus(cmd *cobra.Command, method, path string, body any) error {
	answer, err := o.send(cmd.Context(), method, path, body)
	switch {
	case err != nil:
		return err
	case o.asJSON:
		return printJSON(cmd, answer)
	}
	return printStatus(cmd, answer)
}

// send sends a request and returns the answer.
func (o *operator) send(ctx context.Context, method, path string, body any) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	request, client, err := o.request(ctx, method, path, body)
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, err
	}
	if response.StatusCode != http.StatusOK {
		var refusal adminRefusal
		switch {
		case json.Unmarshal(answer, &refusal) != nil || refusal.Error == "":
			return nil, errors.New("lobbyd answers " + response.Status)
		case len(refusal.Asks) > 0:
			return nil, &confirmError{refusal.Asks}
		case response.StatusCode == http.StatusInternalServerError:
			return nil, errors.New(refusal.Error)
		}
		return nil, fmt.Errorf("lobbyd refuses: %s", refusal.Error)
	}
	return answer, nil
}

func (o *operator) request(ctx context.Context, method, path string, body any) (*http.Request, *http.Client, error) {
	var sent bytes.Buffer
	if body != nil {
		if err := json.NewEncoder(&sent).Encode(body); err != nil {
			return nil, nil, err
		}
	}
	base, client := strings.TrimSuffix(o.url, "/"), &http.Client{Transport: new(http.Transport)}
	if o.url == "" {
		base = "http://lobbyd"
		client.Transport = &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			if o.socket != "" {
				return dialAny(ctx, []string{o.socket})
			}
			return dialAny(ctx, usualSockets())
		}}
	}
	request, err := http.NewRequestWithContext(ctx, method, base+path, &sent)
	if err != nil {
		return nil, nil, err
	}
	if o.url != "" {
		token, err := cli.ReadSecret(o.tokenFile, tokenVariable)
		if err != nil {
			return nil, nil, err
		}
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return request, client, nil
}
