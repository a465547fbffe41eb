package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/spf13/cobra"
)

const aboutBans = `Bans hold on all nodes of a cluster and survive restarts, if there is a data
directory. Those of the configuration file are changed there.`

const aboutAsks = `A ban that hides more than a tenth of the list or all names, of very many addresses, or
of an address that lobbyd needs (a trusted proxy, another node, loopback) needs -yes
or an answer.`

// newBanCommand returns the command ban.
func newBanCommand(o *operator, name string) *cobra.Command {
	var names bool
	var q banRequest
	cmd := &cobra.Command{
		Use:   name + " [-pattern] [-reason TEXT] [-note TEXT] [-for TIME] [-dry-run] [-yes] WHAT",
		Short: "Ban a prefix, or names by a pattern",
		Args:  cobra.ExactArgs(1),
		Long: `Ban a prefix, or names by a pattern.

WHAT is an address or a prefix, as 192.0.2.0/24, or with -pattern a regular
expression that no name may match.

` + aboutAsks + "\n\n" + aboutBans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if names {
				q.Pattern = args[0]
			} else {
				q.Prefix = args[0]
			}
			return o.ban(cmd, q)
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&names, "pattern", false, "WHAT is a regular expression for names")
	addReasonFlag(cmd, &q)
	addBanFlags(cmd, &q)
	return cmd
}

func addReasonFlag(cmd *cobra.Command, q *banRequest) {
	cmd.Flags().StringVar(&q.Reason, "reason", "", "a `text` that everybody may read")
}

func addBanFlags(cmd *cobra.Command, q *banRequest) {
	cmd.Flags().StringVar(&q.Note, "note", "", "a `text` that only operators may read, with the command bans")
	cmd.Flags().TextVar(&q.For, "for", duration(0), "`time` after which it ends, as 24h or 30d; by default never")
	cmd.Flags().BoolVar(&q.DryRun, "dry-run", false, "only show what it would do and ask")
	cmd.Flags().BoolVar(&q.Yes, "yes", false, "ask nothing")
}

// ban requests a ban. If lobbyd wants a confirmation, it asks.
func (o *operator) ban(cmd *cobra.Command, q banRequest) error {
	if err := q.check(cmd); err != nil {
		return err
	}
	err := o.ask(cmd, http.MethodPost, "/ban", q)
	wanted := new(confirmError)
	if !errors.As(err, &wanted) {
		return err
	}
	for _, ask := range wanted.asks {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s.\n", ask)
	}
	if !confirm(cmd, "Do it?") {
		return errors.New("nothing is done")
	}
	q.Yes = true
	return o.ask(cmd, http.MethodPost, "/ban", q)
}

// unban requests the end of a ban.
func (o *operator) unban(cmd *cobra.Command, q banRequest) error {
	if err := q.check(cmd); err != nil {
		return err
	}
	return o.ask(cmd, http.MethodPost, "/unban", q)
}

// check checks a request before it is sent. It prints the network if a prefix has bits after
// its length.
func (q banRequest) check(cmd *cobra.Command) error {
	one, err := q.record(time.Now())
	if err != nil {
		return &usageError{err}
	}
	if given, err := netip.ParsePrefix(q.Prefix); err == nil && given != given.Masked() {
		fmt.Fprintf(cmd.ErrOrStderr(), "%v means the whole network %s.\n", given, one.Value)
	}
	return nil
}

// confirm asks a question, and reports whether the answer is yes.
func confirm(cmd *cobra.Command, question string) bool {
	fmt.Fprint(cmd.ErrOrStderr(), question, " [y/N] ")
	line, _ := bufio.NewReader(cmd.InOrStdin()).ReadString('\n') // no answer is no
	answer := strings.ToLower(strings.TrimSpace(line))
	return answer == "y" || answer == "yes"
}

// newUnbanCommand returns the command unban.
func newUnbanCommand(o *operator, name string) *cobra.Command {
	var names bool
	cmd := &cobra.Command{
		Use: name + " [-pattern] WHAT", Short: "Remove a ban that the command ban has added",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			q := banRequest{Prefix: args[0]}
			if names {
				q = banRequest{Pattern: args[0]}
			}
			return o.unban(cmd, q)
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&names, "pattern", false, "WHAT is a regular expression for names")
	return cmd
}

// newHideCommand returns the command hide.
func newHideCommand(o *operator) *cobra.Command {
	var q banRequest
	cmd := &cobra.Command{
		Use:   "hide [-reason TEXT] [-note TEXT] [-for TIME] [-dry-run] [-yes] ADDRESS:PORT",
		Short: "Hide one server from all lists",
		Args:  cobra.ExactArgs(1),
		Long: `Hide one server from all lists. The command list has its address as "at". If no
server has its host there, -yes or an answer is needed.

` + aboutBans,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Server = args[0]
			return o.ban(cmd, q)
		},
		DisableFlagsInUseLine: true,
	}
	addReasonFlag(cmd, &q)
	addBanFlags(cmd, &q)
	return cmd
}

// newUnhideCommand returns the command unhide.
func newUnhideCommand(o *operator) *cobra.Command {
	return &cobra.Command{
		Use: "unhide ADDRESS:PORT", Short: "List a hidden server again", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.unban(cmd, banRequest{Server: args[0]})
		},
	}
}

// newMarkCommand returns the command mark.
func newMarkCommand(o *operator) *cobra.Command {
	var q banRequest
	cmd := &cobra.Command{
		Use:   "mark [-note TEXT] [-for TIME] [-dry-run] [-yes] ADDRESS:PORT",
		Short: "Mark one server as official",
		Args:  cobra.ExactArgs(1),
		Long: `Mark one server as official, on the page and in the API. The command list has its
address as "at". Only a server that has proved that it is there has the mark, whatever
its name is. Games of Bomberman never have it, since they only claim their port.

Marks are kept as bans are, and the command bans lists them.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Official = args[0]
			return o.ban(cmd, q)
		},
		DisableFlagsInUseLine: true,
	}
	addBanFlags(cmd, &q)
	return cmd
}

// newUnmarkCommand returns the command unmark.
func newUnmarkCommand(o *operator) *cobra.Command {
	return &cobra.Command{
		Use: "unmark ADDRESS:PORT", Short: "Remove the mark of an official server", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.unban(cmd, banRequest{Official: args[0]})
		},
	}
}
