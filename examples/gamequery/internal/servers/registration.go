package servers

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"

	"github.com/lobbywire/lobbywire"
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

// notices print the states of registrations, one for each master, when they change.
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

// hasSaid reports whether there was a text about a master.
func (n *notices) hasSaid(master string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.last[master] != ""
}

// standing returns a function that prints the status of a registration and, for a listed game, what
// the lobby says. says may be nil. Registrations with one master can share the function.
func (n *notices) standing(master string, says func() string) func(lobbywire.RegistrationStatus) {
	return func(s lobbywire.RegistrationStatus) {
		switch s.Standing {
		case lobbywire.StandingStarting:
		case lobbywire.StandingLeft:
			if !n.hasSaid(master) {
				n.say(master, "has not answered")
			}
		default:
			text := s.String()
			if says != nil && s.Standing == lobbywire.StandingListed {
				text += ": " + says()
			}
			n.say(master, text)
		}
	}
}
