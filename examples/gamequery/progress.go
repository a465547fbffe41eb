package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// A progress is a bar on a terminal, or nothing.
type progress struct {
	bar   *progressbar.ProgressBar // nil for nothing
	count int                      // how many there are to add, as was known last
}

// newProgress returns a bar on w, if that is a terminal and not in use by others.
func newProgress(w io.Writer, inUse bool) *progress {
	if inUse || !isTerminal(w) {
		return new(progress)
	}
	return &progress{bar: progressbar.NewOptions(1,
		progressbar.OptionSetWriter(w),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetDescription("scanning"),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionClearOnFinish(),
	)}
}

// add adds one of what all has found until now. While it reads on, there is one
// more to come at least, for a full bar is drawn no more. What cannot be drawn
// is no reason to end.
func (p *progress) add(all *feed) {
	if p.bar == nil {
		return
	}
	whole := all.whole.Load() // before the count, which is then the last
	count := int(all.count.Load())
	if !whole {
		count++
	}
	if count != p.count {
		p.count = count
		p.bar.ChangeMax(count)
	}
	_ = p.bar.Add(1)
}

// clear takes the bar off the terminal, until the next add.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
