package cli_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func TestPauseEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		if !cli.Pause(ctx, 40*time.Second) || time.Since(began) != 40*time.Second {
			t.Errorf("the first pause lasted %v", time.Since(began))
		}
		if cli.Pause(ctx, 40*time.Second) || time.Since(began) != time.Minute {
			t.Errorf("both lasted %v, beyond the context", time.Since(began))
		}
	})
}
