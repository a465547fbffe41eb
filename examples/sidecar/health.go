package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"
)

// healthTime limits a request for the health, and maxHealth its answer.
const (
	healthTime = 5 * time.Second
	maxHealth  = 1 << 10
)

// checkHealth fails unless the sidecar that serves its status at an address has a game that
// reports. Images without another client use it.
func checkHealth(ctx context.Context, addr string) error {
	ctx, cancel := context.WithTimeout(ctx, healthTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+addr+"/healthz", nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	text, err := io.ReadAll(io.LimitReader(resp.Body, maxHealth))
	if err != nil {
		return err
	}
	return fmt.Errorf("%s: %s", resp.Status, strings.TrimSpace(string(text)))
}
