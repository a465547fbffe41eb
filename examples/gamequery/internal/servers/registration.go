package servers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"sync"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
)

// runAll runs registrations at the same time, until the last one ends.
func runAll(ctx context.Context, all []func(ctx context.Context) error) (err error) {
	ended := make(chan error)
	for _, run := range all {
		go func() { ended <- run(ctx) }()
	}
	for range all {
		err = errors.Join(err, <-ended)
	}
	return err
}

// notices print the states of registrations, one for each master, when they change. As a
// [slog.Handler], they print what registrations log.
type notices struct {
	out io.Writer

	mu   sync.Mutex
	last map[string]string // text by master
}

func newNotices(out io.Writer) *notices { return &notices{out: out, last: map[string]string{}} }

// local matches the local address in errors of sockets, which differs each time.
var local = regexp.MustCompile(`\S+->`)

// say prints a text about a master, unless it was the last one.
func (n *notices) say(master, text string) {
	text = local.ReplaceAllString(terminal.Printable(text), "")
	n.mu.Lock()
	defer n.mu.Unlock()
	if text != "" && text != n.last[master] {
		n.last[master] = text
		fmt.Fprintf(n.out, "%s: %s\n", master, text)
	}
}

// Enabled reports whether a level is above debugging.
func (n *notices) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelInfo }

// Handle prints a record about a master.
func (n *notices) Handle(_ context.Context, r slog.Record) error {
	var master string
	text := r.Message
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "master":
			master = "master " + a.Value.String()
		case "error":
			text += ": " + a.Value.String()
		case "to":
			text += ": " + a.Value.String()
		}
		return true
	})
	if master != "" {
		n.say(master, text)
	}
	return nil
}

// WithAttrs returns n: registrations have all attributes in their records.
func (n *notices) WithAttrs([]slog.Attr) slog.Handler { return n }

// WithGroup returns n.
func (n *notices) WithGroup(string) slog.Handler { return n }
