package browser

import (
	"context"
	"slices"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"
)

// Messages that a model receives from its fetcher.
type (
	foundMsg   []Entry  // servers, as they are found
	fetchedMsg []string // all sources are done; the errors
	againMsg   struct{} // it is time to fetch again
)

// A fetcher fetches all sources and passes on the servers that they find.
type fetcher struct {
	ctx     context.Context
	sources []Source
	entries chan Entry
}

func newFetcher(ctx context.Context, sources []Source) *fetcher {
	return &fetcher{ctx: ctx, sources: sources, entries: make(chan Entry, 256)}
}

// fetch fetches all sources concurrently.
func (f *fetcher) fetch() tea.Msg {
	var running sync.WaitGroup
	failures := make([][]error, len(f.sources))
	for i, fetch := range f.sources {
		running.Go(func() {
			failures[i] = fetch(f.ctx, func(e Entry) {
				select {
				case f.entries <- e:
				case <-f.ctx.Done():
				}
			})
		})
	}
	running.Wait()
	var wrong fetchedMsg
	for _, err := range slices.Concat(failures...) {
		wrong = append(wrong, err.Error())
	}
	return wrong
}

// collecting is how long servers are collected, so that the screen is not drawn
// again for each.
const collecting = 50 * time.Millisecond

// next returns the servers that are found next.
func (f *fetcher) next() tea.Msg {
	var found foundMsg
	select {
	case e := <-f.entries:
		found = append(found, e)
	case <-f.ctx.Done():
		return nil
	}
	enough := time.NewTimer(collecting)
	defer enough.Stop()
	for {
		select {
		case e := <-f.entries:
			found = append(found, e)
		case <-enough.C:
			return found
		case <-f.ctx.Done():
			return nil
		}
	}
}
