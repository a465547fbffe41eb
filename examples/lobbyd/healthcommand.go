package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

// healthTimeout is the time limit for an answer, and maxHealth its maximum size.
const (
	healthTimeout = 5 * time.Second
	maxHealth     = 1 << 10
)

// newHealthCommand returns the command health, for images that have no other client.
func newHealthCommand() *cobra.Command {
	url, ready, cluster := "", false, false
	health := &cobra.Command{
		Use:   "health",
		Short: "Check that a running lobbyd answers",
		Long: `Health requests /healthz of a running lobbyd, and fails if it does not answer.
With -ready it requests /readyz, which fails while lobbyd starts or drains, and with -cluster
/readyz?cluster, which fails while a node lacks the lists of its cluster, too.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			path := healthPath
			switch {
			case cluster:
				path = readyPath + "?cluster"
			case ready:
				path = readyPath
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), healthTimeout)
			defer cancel()
			return checkHealth(ctx, cmd.OutOrStdout(), strings.TrimSuffix(url, "/")+path)
		},
	}
	health.Flags().StringVar(&url, "url", "http://127.0.0.1:8080", "`URL` of -web or -metrics")
	health.Flags().BoolVar(&ready, "ready", false, "check that it is ready, too")
	health.Flags().BoolVar(&cluster, "cluster", false, "check that it is ready and has the lists of its cluster, too")
	return health
}

// checkHealth prints the answer of a check.
func checkHealth(ctx context.Context, out io.Writer, url string) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, maxHealth))
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("lobbyd answers %s: %s", answer.Status, strings.TrimSpace(string(text)))
	}
	_, err = out.Write(text)
	return err
}
