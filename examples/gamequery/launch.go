package main

import (
	"fmt"
	"strings"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/protocols"
	"github.com/lobbywire/lobbywire/examples/internal/browser"
)

// launches are the commands of -launch, in their order.
type launches []struct {
	name    string // of a game or a protocol
	command []string
}

// String returns "", the default.
func (l *launches) String() string { return "" }

// Type names the value in help.
func (l *launches) Type() string { return "COMMAND" }

// Set adds GAME=COMMAND.
func (l *launches) Set(s string) error {
	name, text, ok := strings.Cut(s, "=")
	if !ok {
		return fmt.Errorf("want GAME='command {address}'")
	}
	if _, known := protocols.Named(name); !known {
		return fmt.Errorf("no PROTOCOL or GAME %q", name)
	}
	command, err := browser.ParseCommand(text)
	if err != nil {
		return err
	}
	*l = append(*l, struct {
		name    string
		command []string
	}{name, command})
	return nil
}

// command returns the command for a server of a game, which may have any name, or else
// for its protocol; nil if there is none.
func (l *launches) command(protocol, game string) []string {
	for _, g := range games.All() {
		if !g.Is(game) {
			continue
		}
		for _, named := range *l {
			if g.Is(named.name) {
				return named.command
			}
		}
	}
	for _, named := range *l {
		if strings.EqualFold(named.name, protocol) {
			return named.command
		}
	}
	return nil
}
