package browser

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// Servers are passed on while other sources hang, and fetch ends with its context.
func TestFetchWhileSourcesHang(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(ctx context.Context, _ func(Entry)) []error {
			<-ctx.Done()
			return []error{ctx.Err()}
		}
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		f := newFetcher(ctx, []Source{
			hang,
			hang,
			func(_ context.Context, found func(Entry)) []error {
				found(Entry{Protocol: "sqp", Address: "192.0.2.1:7778"})
				return nil
			},
		})
		ended := make(chan fetchedMsg)
		go func() { ended <- f.fetch().(fetchedMsg) }()
		start := time.Now()
		got, ok := f.next().(foundMsg)
		if !ok || len(got) != 1 || got[0].Address != "192.0.2.1:7778" {
			t.Errorf("found %v", got)
		}
		if passed := time.Since(start); passed > collecting {
			t.Errorf("the first server came after %v", passed)
		}
		cancel()
		if wrong := <-ended; len(wrong) != 2 {
			t.Errorf("errors %q, want one of each hanging source", wrong)
		}
	})
}
