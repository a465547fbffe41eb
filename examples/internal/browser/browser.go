// Package browser is a program for the terminal that shows game servers as lists
// and queries find them: a table to sort and search, and the details of a server.
package browser

import (
	"context"
	"errors"
	"io"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/lobbywire/lobbywire"
)

// An Entry is what is known of a server.
type Entry struct {
	Protocol, Form string // as in Key

	// Address is where the server is queried. If it is not, because its list tells
	// everything, it is where players join, "" if that is unknown.
	Address string
	ID      string // what identifies the server if there is no Address

	// View has its Host, or players join at the host of Address.
	View lobbywire.View

	RTT time.Duration // 0 without a query
	Err error         // why there is no View
}

// A Source fetches lists, or queries servers. It calls found for each server, also for one
// that does not answer. Calls need not come from one goroutine. It returns what failed;
// each error names its list.
type Source func(ctx context.Context, found func(Entry)) (failures []error)

// A Browser is the program.
type Browser struct {
	Sources []Source
	Every   time.Duration // between two fetches of all sources

	// Clean returns a text from the network in a form that is safe for a terminal, on
	// one line.
	Clean func(string) string

	// Command returns the command that starts the game of a server, as [ParseCommand]
	// does, or nil if there is none. Game is what the server says of itself. May be nil.
	Command func(protocol, game string) []string

	// Favourites are servers that stay first, by their Key.
	Favourites *Favourites
}

// Run shows servers until the user ends it or ctx is done. Env is the environment,
// which determines the colours.
func (b Browser) Run(ctx context.Context, in io.Reader, out io.Writer, env []string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := newModel(b, newFetcher(ctx, b.Sources))
	_, err := tea.NewProgram(m, tea.WithContext(ctx), tea.WithInput(in), tea.WithOutput(out),
		tea.WithEnvironment(env)).Run()
	if errors.Is(err, tea.ErrInterrupted) {
		return nil
	}
	return err
}
