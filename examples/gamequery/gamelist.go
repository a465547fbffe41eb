package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// listGames prints the list of a master that describes games, or where players join one
// of them.
func listGames(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	if l.join != "" {
		return joinWZHTTP(ctx, cmd, l, addr)
	}
	all, err := l.protocol.Games(ctx, addr, l.Settings)
	if err != nil {
		return adviseAboutMaster(err, l.protocol)
	}
	for _, note := range all.Notes {
		fmt.Fprintln(cmd.ErrOrStderr(), note)
	}
	l.left.Unreadable, l.partial = all.Skipped, all.Partial
	return l.printAll(cmd, all.Layout, all.Games)
}

// adviseAboutMaster adds advice to an error of fetching a list.
func adviseAboutMaster(err error, p protocols.Protocol) error {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return &usage.Advised{Err: err,
			Advice: fmt.Sprintf("check that it is a master of %s, or give it a longer -timeout", p.Name)}
	case errors.Is(err, lobbywire.ErrUnreadable):
		return &usage.Advised{Err: err, Advice: fmt.Sprintf("check that it is a master of %s", p.Name)}
	}
	return advise(err, p)
}

// joinWZHTTP requests the address of a game from an HTTP lobby, and prints it.
func joinWZHTTP(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error {
	c := wzhttpnet.Client{Timeout: l.Timeout, Dial: l.Dial}
	targets, err := c.Join(ctx, protocols.WithScheme(addr), l.join, wzhttp.JoinRequest{})
	if err != nil {
		return adviseAboutMaster(err, l.protocol)
	}
	all := make([]output.Answer, len(targets))
	for i, target := range targets {
		all[i] = output.Answer{Protocol: l.protocol.Name, View: lobbywire.View{Host: target.Host, Port: target.Port},
			Message: target}
	}
	return l.PrintAll(cmd.OutOrStdout(), output.Layout{
		Header: []string{"ADDRESS", "TYPE", "TOKEN"},
		None:   "the game has no address",
		Row: func(a output.Answer) []string {
			target, _ := a.Message.(wzhttpnet.JoinTarget)
			return []string{a.Address(), string(target.Type), target.Token}
		},
	}, all)
}
