package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
)

func newQueryCommand(via sockets) *cobra.Command {
	a := asking{sockets: via}
	var o output
	cmd := &cobra.Command{
		Use:   "query [flags] PROTOCOL|GAME ADDRESS",
		Short: "Query one server",
		Long: `Query queries one server and prints its answer.

PROTOCOL is sqp, gamespy2 or gameagent. ADDRESS is then HOST:PORT, where PORT is
the query port, which in many games is not the game port.

GAME is a game that "gamequery games" lists. PORT is then the game port and may
be omitted: the program knows the usual game port and the query port.

HOST is an address or a name. All addresses of a name are tried, IPv6 first, and
the first answer is printed.`,
		Example: `  gamequery query sqp 127.0.0.1:25601
  gamequery query battlefield2 game.example.org
  gamequery query sqp -chunks 'serverInfo|playerInfo' 127.0.0.1:25601
  gamequery query gamespy2 -json [::1]:29900
  gamequery query gameagent -ask players game.example.org:25601`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return badUsage(cmd, "want a PROTOCOL and an ADDRESS")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := protocolOf(cmd, args[0], queries())
			if err != nil {
				return err
			}
			if err := a.check(cmd, p, p.asks); err != nil {
				return err
			}
			if err := o.check(cmd, &a); err != nil {
				return err
			}
			at, err := parsePlace(args[1])
			switch {
			case err != nil:
				return badUsage(cmd, "ADDRESS %q: %v", args[1], err)
			case at.count > 1:
				return badUsage(cmd, "ADDRESS %q: use scan for ranges of ports", args[1])
			case at.port == 0 && p.ports.query == 0:
				return badUsage(cmd, "ADDRESS %q: %v", args[1], errNoPort)
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			return o.to(cmd, func() error {
				got, err := p.ask(ctx, at, a)
				printed := o.printAnswer(cmd.OutOrStdout(), got)
				if o.json && printed == nil && err != nil {
					return printedError{advise(err, p)}
				}
				return errors.Join(advise(err, p), printed)
			})
		},
		ValidArgsFunction:     queries().complete,
		DisableFlagsInUseLine: true,
	}
	a.addFlags(cmd.Flags())
	o.addFlags(cmd.Flags(), "print JSON, even for an error")
	return cmd
}

// advise adds advice to err.
func advise(err error, p protocol) error {
	switch {
	case errors.Is(err, lobbywire.ErrTimeout):
		return fmt.Errorf("%w; check that it is the query port and that the server supports %s, or give it a longer -timeout", err, p.name)
	case errors.As(err, new(*net.DNSError)):
		return fmt.Errorf("%w; check the name, or give an address", err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%w; nothing listens there: check the port", err)
	}
	return err
}

// printAnswer prints the answer of a single server.
func (o *output) printAnswer(stdout io.Writer, got answer) error {
	switch {
	case o.json:
		return buffered(stdout, func(w io.Writer) error {
			text, err := got.line()
			if err != nil {
				return err
			}
			return writeIndented(w, text)
		})
	case !o.isTable():
		return o.printAll(stdout, layout{}, []answer{got})
	case got.err != nil:
		return nil
	}
	return buffered(stdout, func(w io.Writer) error { return writeAnswer(w, got, screenOf(stdout)) })
}

// writeAnswer prints an answer in readable form.
func writeAnswer(w io.Writer, a answer, on screen) error {
	var facts table
	query := ""
	if a.query.IsValid() {
		query = a.query.String()
	}
	for _, f := range []struct{ key, value string }{
		{"name", a.view.Name}, {"game", a.view.Game}, {"map", a.view.Map}, {"mode", a.view.Mode}, {"version", a.view.Version},
		{"players", playerCount(a.view)}, {"address", a.address()}, {"query", query}, {"lacks", a.lacks},
	} {
		if f.value != "" {
			facts.add(f.key, f.value)
		}
	}
	facts.add("rtt", milliseconds(a.rtt)+" ms, at attempt "+fmt.Sprint(a.attempts))
	if err := facts.write(w, on); err != nil {
		return err
	}
	for _, s := range sectionsOf(a.message) {
		if len(s.rows) == 0 && s.header == nil {
			continue
		}
		if _, err := fmt.Fprintf(w, "\n%s\n", strings.ToUpper(s.title)); err != nil {
			return err
		}
		if err := s.write(w, on); err != nil {
			return err
		}
	}
	return nil
}
