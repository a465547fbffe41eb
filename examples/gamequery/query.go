package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
)

func newQueryCommand(via tap.Sockets) *cobra.Command {
	a := protocols.Settings{Sockets: via}
	var o output.Flags
	cmd := &cobra.Command{
		Use:   "query [flags] PROTOCOL|GAME ADDRESS",
		Short: "Query one server",
		Long: `Query queries one server and prints its answer.

PROTOCOL is sqp, gamespy2 or gameagent. ADDRESS is then HOST:PORT, where PORT is
the query port, which in many games is not the game port.

GAME is a game that "gamequery games" lists. PORT is then the game port and may
be omitted: the program knows the usual game port and the query port. Without
PORT, a Minecraft server is where the SRV record of its name says.

With "auto" in place of PROTOCOL, it asks in one protocol after the other, once
in each and at PORT only, until there is an answer, and prints the command for
this protocol. Without PORT, it asks at the usual ports of each protocol.

HOST is an address or a name. All addresses of a name are tried, IPv6 first, and
the first answer is printed.`,
		Example: `  gamequery query sqp 127.0.0.1:25601
  gamequery query battlefield2 game.example.org
  gamequery query auto game.example.org:25601
  gamequery query sqp -chunks 'serverInfo|playerInfo' 127.0.0.1:25601
  gamequery query gamespy2 -json [::1]:29900
  gamequery query gameagent -ask players game.example.org:25601`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 2 {
				return usage.Bad(cmd, "want a PROTOCOL and an ADDRESS")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			p := protocols.Protocol{Name: protocols.Auto, HasBytes: true}
			var err error
			isAuto := args[0] == protocols.Auto
			if !isAuto {
				p, err = protocols.Of(cmd, args[0], protocols.Queries())
			}
			if err != nil {
				return err
			}
			if isAuto && cmd.Flags().Changed("attempts") {
				return usage.Bad(cmd, "-attempts is not for auto, which asks once in each protocol")
			}
			if err := a.Check(cmd, p, p.Asks); err != nil {
				return err
			}
			if err := o.Check(cmd, &a.Sockets); err != nil {
				return err
			}
			at, err := targets.ParsePlace(args[1])
			switch {
			case err != nil:
				return usage.Bad(cmd, "ADDRESS %q: %v", args[1], err)
			case at.Count > 1:
				return usage.Bad(cmd, "ADDRESS %q: use scan for ranges of ports", args[1])
			case at.Port == 0 && p.Ports.Query == 0 && !isAuto:
				return usage.Bad(cmd, "ADDRESS %q: %v", args[1], targets.ErrNoPort)
			}
			ctx, stop := interruptible(cmd)
			defer stop()
			name := p.Name
			if isAuto {
				name = "" // of the protocol whose bytes -raw explains: any
			}
			return o.To(cmd, name, func() error {
				got, err := queryOne(ctx, cmd.ErrOrStderr(), p, at, a)
				printed := o.PrintAnswer(cmd.OutOrStdout(), got)
				if o.JSON && err != nil {
					return output.PrintedError{Err: errors.Join(advise(err, p), printed)}
				}
				return errors.Join(advise(err, p), printed)
			})
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			names, directive := protocols.Queries().Complete(cmd, args, word)
			if len(args) == 0 {
				names = append(names, protocols.Auto)
			}
			return names, directive
		},
		DisableFlagsInUseLine: true,
	}
	a.AddFlags(cmd.Flags())
	a.AddChunksFlag(cmd.Flags())
	a.AddAskFlag(cmd.Flags(), protocols.AskOne)
	o.AddFlags(cmd.Flags(), "print JSON, even for an error")
	return cmd
}

// queryOne queries a server, and prints advice about the answer on stderr.
func queryOne(ctx context.Context, stderr io.Writer, p protocols.Protocol, at targets.Place, a protocols.Settings,
) (got output.Answer, err error) {
	if p.Name == protocols.Auto {
		got, found, err := protocols.AskAny(ctx, at, a)
		if err == nil {
			fmt.Fprintln(stderr, "answered by: "+found)
		}
		return got, err
	}
	got, err = p.Ask(ctx, at, a)
	if text := got.OtherPort(); text != "" {
		fmt.Fprintln(stderr, text)
	}
	return got, err
}

// advise adds advice to err.
func advise(err error, p protocols.Protocol) error {
	switch {
	case errors.Is(err, lobbywire.ErrChallengeOnly):
		return &usage.Advised{Err: err, Advice: "the query port and the protocol are right"}
	case p.Name == protocols.Auto && errors.Is(err, lobbywire.ErrTimeout):
		return &usage.Advised{Err: err, Advice: "check the query port, or give it a longer -timeout"}
	case p.Name == protocols.Auto && errors.Is(err, lobbywire.ErrUnreadable):
		return err
	case errors.Is(err, lobbywire.ErrTimeout):
		return &usage.Advised{Err: err, Advice: fmt.Sprintf(
			"check that it is the query port and that the server supports %s, or give it a longer -timeout;\n"+
				"\"gamequery query auto\" finds out the protocol", p.Name)}
	case errors.Is(err, lobbywire.ErrUnreadable):
		return &usage.Advised{Err: err, Advice: fmt.Sprintf(
			"check that it is the query port and that the server supports %s; "+
				"\"gamequery query auto\" finds out the protocol", p.Name)}
	case errors.As(err, new(*net.DNSError)):
		return &usage.Advised{Err: err, Advice: "check the name, or give an address"}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &usage.Advised{Err: err, Advice: "nothing listens there: check the port"}
	}
	return err
}
