package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/web"
)

// newAdminCommand returns the command admin, the client of the admin actions.
func newAdminCommand() *cobra.Command {
	var o operator
	admin := &cobra.Command{
		Use:   "admin COMMAND",
		Short: "Control a running lobbyd",
		Long: `Admin controls a running lobbyd over its unix socket (-admin), or over
TCP (-admin-listen) with the token, and prints the answer: a status as text, all else
in JSON.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := admin.PersistentFlags()
	flags.StringVar(&o.socket, "socket", "",
		"`path` of the unix socket; by default admin.sock in the default -data, in /run/lobbyd or in /var/lib/lobbyd")
	flags.StringVar(&o.url, "url", "",
		"`URL` of -admin-listen to use instead of the socket, such as http://127.0.0.1:8081")
	flags.StringVar(&o.tokenFile, "token-file", "", "`file` with the token, otherwise in $"+tokenVariable)
	flags.BoolVar(&o.asJSON, "json", false, "print a status in JSON, as all else is")

	ask := func(use, short, method, path string) *cobra.Command {
		return &cobra.Command{Use: use, Short: short, Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error {
				return o.askStatus(cmd, method, path, nil)
			}}
	}
	admin.AddCommand(
		ask("status", "Show what lobbyd is doing", http.MethodGet, "/status"),
		&cobra.Command{
			Use: "bans", Short: "List bans and marks", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return o.ask(cmd, http.MethodGet, "/bans", nil) },
		},
		&cobra.Command{
			Use: "explain ADDRESS", Short: "Explain why servers of an address are not listed",
			Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				if _, err := web.ParseHost(args[0]); err != nil {
					return &usageError{err}
				}
				return o.ask(cmd, http.MethodGet, "/explain?address="+url.QueryEscape(args[0]), nil)
			},
		},
		&cobra.Command{
			Use: "list [TEXT]", Short: "List servers, hidden ones too, whose name, ID or address has a text",
			Args: cobra.MaximumNArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				return o.ask(cmd, http.MethodGet, "/list?q="+url.QueryEscape(strings.Join(args, "")), nil)
			},
		},
		newBanCommand(&o, "ban"),
		newUnbanCommand(&o, "unban"),
		newHideCommand(&o),
		newUnhideCommand(&o),
		newMarkCommand(&o),
		newUnmarkCommand(&o),
		ask("reload", "Read the configuration again, as on SIGHUP", http.MethodPost, "/reload"),
		ask("drain", "Tell load balancers to send no new clients", http.MethodPost, "/drain"),
		ask("undrain", "Tell load balancers to send clients again", http.MethodPost, "/undrain"),
		&cobra.Command{
			Use: "loglevel LEVEL", Short: "Set the log level to debug, info, warn or error until the next reload",
			Args: cobra.ExactArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error {
				var level slog.Level
				if err := level.UnmarshalText([]byte(args[0])); err != nil {
					return &usageError{err}
				}
				return o.askStatus(cmd, http.MethodPost, "/loglevel", map[string]slog.Level{"level": level})
			},
		},
	)
	return admin
}

var errNotLobbyd = errors.New("the answer is not from a lobbyd")

// printJSON prints JSON in readable form.
func printJSON(cmd *cobra.Command, b []byte) error {
	var indented bytes.Buffer
	if err := json.Indent(&indented, bytes.TrimSpace(b), "", "  "); err != nil {
		return errNotLobbyd
	}
	indented.WriteByte('\n')
	_, err := indented.WriteTo(cmd.OutOrStdout())
	return err
}
