package main

import (
	"bufio"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
)

const aboutBans = `Bans hold on all nodes of a cluster and survive restarts, if there is a data
directory. Those of the configuration file are changed there.`

// newBanCommand returns the command ban.
func newBanCommand(o *operator, name string) *cobra.Command {
	var names, yes bool
	var q banRequest
	cmd := &cobra.Command{
		Use: name + " [-pattern] [-reason TEXT] [-for TIME] WHAT", Short: "Ban a prefix, or names by a pattern",
		Args: cobra.ExactArgs(1),
		Long: `Ban a prefix, or names by a pattern.

WHAT is an address or a prefix, as 192.0.2.0/24, or with -pattern a regular
expression that no name may match. A wide prefix, as 0.0.0.0/0, needs -yes or an
answer.

` + aboutBans,
		RunE: func(cmd *cobra.Command, args []string) error {
			if names {
				q.Pattern = args[0]
				return o.ask(cmd, http.MethodPost, "/ban", q)
			}
			q.Prefix, q.Wide = args[0], isWide(args[0])
			if q.Wide && !yes && !confirm(cmd, q.Prefix+" has very many addresses. Ban all of them?") {
				return errors.New("nothing is banned")
			}
			return o.ask(cmd, http.MethodPost, "/ban", q)
		},
		DisableFlagsInUseLine: true,
	}
	cmd.Flags().BoolVar(&names, "pattern", false, "WHAT is a regular expression for names")
	cmd.Flags().BoolVar(&yes, "yes", false, "ban wide prefixes without a question")
	addBanFlags(cmd, &q)
	return cmd
}

func addBanFlags(cmd *cobra.Command, q *banRequest) {
	cmd.Flags().StringVar(&q.Reason, "reason", "", "a `text` that everybody may read")
	cmd.Flags().TextVar(&q.For, "for", duration(0), "`time` after which it ends, as 24h; by default never")
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
			return o.ask(cmd, http.MethodPost, "/unban", q)
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
		Use: "hide [-reason TEXT] [-for TIME] ADDRESS:PORT", Short: "Hide one server from all lists",
		Args: cobra.ExactArgs(1),
		Long: `Hide one server from all lists. The command list has its address as "at".

` + aboutBans,
		RunE: func(cmd *cobra.Command, args []string) error {
			q.Server = args[0]
			return o.ask(cmd, http.MethodPost, "/ban", q)
		},
		DisableFlagsInUseLine: true,
	}
	addBanFlags(cmd, &q)
	return cmd
}

// newUnhideCommand returns the command unhide.
func newUnhideCommand(o *operator) *cobra.Command {
	return &cobra.Command{
		Use: "unhide ADDRESS:PORT", Short: "List a hidden server again", Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.ask(cmd, http.MethodPost, "/unban", banRequest{Server: args[0]})
		},
	}
}
