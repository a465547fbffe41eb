package main

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// A progress is a progress bar on a terminal, or nothing.
type progress struct {
	bar   *progressbar.ProgressBar // nil means nothing
	count int                      // the last known number of steps
}

// minBar is the narrowest terminal with a bar. In a narrower one the bar would take
// several lines, and only the last one can be cleared.
const minBar = 75

// newProgress returns a bar on w, if w is a wide terminal that is not used otherwise.
func newProgress(w io.Writer, inUse bool) *progress {
	if inUse || !terminal.IsTerminal(w) || terminal.ScreenOf(w).Width < minBar {
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

// add counts one of the targets found so far. While the list is read, it adds a step
// to the total, because a full bar is not drawn any more. Errors of drawing are
// ignored.
func (p *progress) add(all *targets.Feed) {
	if p.bar == nil {
		return
	}
	whole := all.Whole.Load() // before count, which is then final
	count := int(all.Count.Load())
	if !whole {
		count++
	}
	if count != p.count {
		p.count = count
		p.bar.ChangeMax(count)
	}
	_ = p.bar.Add(1)
}

// clear removes the bar from the terminal until the next add.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
