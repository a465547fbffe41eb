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
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "query [flags] PROTOCOL ADDRESS",
		Short: "Ask one server",
		Long: `Query asks one server and prints what it told.

PROTOCOL is sqp, gamespy2 or gameagent. ADDRESS is host:port, where the port is
that of queries, which many games have beside that of the game.`,
		Example: `  gamequery query sqp 127.0.0.1:25601
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
			if _, port, err := net.SplitHostPort(args[1]); err != nil || port == "" {
				return badUsage(cmd, "ADDRESS %q: write host:port or [IPv6]:port", args[1])
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			got, err := p.query(ctx, args[1], a)
			if err != nil {
				return advise(err, p)
			}
			return buffered(cmd.OutOrStdout(), func(w io.Writer) error {
				if asJSON {
					line, err := got.jsonLine("")
					if err != nil {
						return err
					}
					return writeIndented(w, line)
				}
				return writeAnswer(w, got, screenOf(cmd.OutOrStdout()))
			})
		},
		ValidArgsFunction:     queries().complete,
		DisableFlagsInUseLine: true,
	}
	a.addFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what decode prints, with rtt in milliseconds and attempts")
	return cmd
}

// advise adds to err what to do about it.
func advise(err error, p protocol) error {
	switch {
	case errors.Is(err, lobbywire.ErrTimeout):
		return fmt.Errorf("%w; check that it is the port of queries and that the server speaks %s, or give it a longer -timeout", err, p.name)
	case errors.As(err, new(*net.DNSError)):
		return fmt.Errorf("%w; check the name, or give an address", err)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("%w; nothing listens there: check the port", err)
	}
	return err
}

// writeAnswer prints an answer for people.
func writeAnswer(w io.Writer, a answer, on screen) error {
	r := reportOf(a.message)
	var facts table
	for _, f := range []struct{ key, value string }{
		{"name", r.name}, {"map", r.level}, {"type", r.gameType}, {"version", r.version},
		{"players", r.playerCount()}, {"lacks", a.lacks},
	} {
		if f.value != "" {
			facts.add(f.key, f.value)
		}
	}
	facts.add("rtt", milliseconds(a.rtt)+" ms, at attempt "+fmt.Sprint(a.attempts))
	if err := facts.write(w, on); err != nil {
		return err
	}
	for _, s := range r.sections {
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
