package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/internal/secrets"
)

// An operator is a client of the admin actions.
type operator struct {
	socket    string
	url       string // "" means the socket
	tokenFile string
}

// askTimeout is the time limit for an answer, and maxAnswer its maximum size.
const (
	askTimeout = 30 * time.Second
	maxAnswer  = 16 << 20
)

// ask sends a request and prints the answer. The body is sent as JSON unless it is
// nil.
func (o *operator) ask(cmd *cobra.Command, method, path string, body any) error {
	ctx, cancel := context.WithTimeout(cmd.Context(), askTimeout)
	defer cancel()
	request, client, err := o.request(ctx, method, path, body)
	if err != nil {
		return err
	}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	switch {
	case o.url == "" && errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("no lobbyd listens at %s: start it with -admin PATH, and name the PATH with -socket",
			o.socket)
	case err != nil:
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		var refusal adminRefusal
		switch {
		case json.Unmarshal(answer, &refusal) != nil || refusal.Error == "":
			return errors.New("lobbyd answers " + response.Status)
		case len(refusal.Asks) > 0:
			return &confirmError{refusal.Asks}
		}
		return fmt.Errorf("lobbyd refuses: %s", refusal.Error)
	}
	return printJSON(cmd, answer)
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
			return new(net.Dialer).DialContext(ctx, "unix", o.socket)
		}}
	}
	request, err := http.NewRequestWithContext(ctx, method, base+path, &sent)
	if err != nil {
		return nil, nil, err
	}
	if o.url != "" {
		token, err := secrets.Read(o.tokenFile, tokenVariable)
		if err != nil {
			return nil, nil, err
		}
		request.Header.Set("Authorization", "Bearer "+token)
	}
	return request, client, nil
}
