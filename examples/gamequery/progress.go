package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// A progress counts the targets of a scan in the last line of a terminal.
type progress struct {
	terminal io.Writer // nil means that nothing is shown
	done     int
	shown    string    // the text in the line now
	next     time.Time // when it may change
}

const (
	minProgress   = 40 // columns of the narrowest terminal with a progress, which must fit into one line
	progressEvery = 100 * time.Millisecond
)

// newProgress returns a progress on w, if w is a wide terminal that is not used otherwise.
func newProgress(w io.Writer, inUse bool) *progress {
	if inUse || !terminal.IsTerminal(w) || terminal.ScreenOf(w).Width < minProgress {
		return new(progress)
	}
	return &progress{terminal: w}
}

// add counts one of the targets found so far. Errors of drawing are ignored.
func (p *progress) add(all *targets.Feed) {
	p.done++
	now := time.Now()
	if p.terminal == nil || now.Before(p.next) {
		return
	}
	more := "+" // while the list is read
	if all.Whole.Load() {
		more = ""
	}
	p.clear()
	p.shown = fmt.Sprintf("scanning (%d/%d%s)", p.done, all.Count.Load(), more)
	p.next = now.Add(progressEvery)
	fmt.Fprint(p.terminal, p.shown)
}

// clear removes the line until the next add.
func (p *progress) clear() {
	if p.shown != "" {
		fmt.Fprint(p.terminal, "\r", strings.Repeat(" ", len(p.shown)), "\r")
		p.shown = ""
	}
}
