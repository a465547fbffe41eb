package lobbywire_test

import (
	"context"
	"iter"
	"time"

	"github.com/lobbywire/lobbywire"
)

// An event is a Row, or the end of a list or scan, then with a Row that has its origin and error.
type event struct {
	lobbywire.Row
	End lobbywire.SourceEnd
}

// browsed yields what a Browser finds, and the ends, in order.
func browsed(ctx context.Context, sources ...lobbywire.Source) iter.Seq[event] {
	return events(ctx, &lobbywire.Browser{Sources: sources}, (*lobbywire.Browser).Browse)
}

// watched yields what a Watch finds, and the ends, in order.
func watched(ctx context.Context, every time.Duration, sources ...lobbywire.Source) iter.Seq[event] {
	return events(ctx, &lobbywire.Browser{Sources: sources, Every: every}, (*lobbywire.Browser).Watch)
}

func events(ctx context.Context, b *lobbywire.Browser,
	run func(b *lobbywire.Browser, ctx context.Context) iter.Seq[lobbywire.Row],
) iter.Seq[event] {
	return func(yield func(event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		left := false
		b.Ended = func(end lobbywire.SourceEnd) {
			seen := lobbywire.Sighting{Source: end.Source, Protocol: end.Protocol, Form: end.Form, Master: end.Master}
			row := lobbywire.Row{Seen: []lobbywire.Sighting{seen}, Err: end.Err}
			if !left && !yield(event{row, end}) {
				left = true
				cancel()
			}
		}
		for row := range run(b, ctx) {
			if left || !yield(event{Row: row}) {
				return
			}
		}
	}
}
