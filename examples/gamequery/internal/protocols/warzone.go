package protocols

import (
	"context"
	"fmt"
	"slices"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// Warzone returns the protocol of the TCP lobby of Warzone 2100.
func Warzone() Protocol {
	return Protocol{
		Name:       "warzone",
		HasBytes:   true,
		Network:    "tcp",
		masterPort: traffic.Port("warzone", traffic.Master),
		Serve:      servers.NewWarzone,
		lister:     warzoneLister,
		Games:      warzoneGames,
		Master:     func(servers.GameKey) servers.Server { return servers.NewWarzoneLobby(nil) },
	}
}

func warzoneClient(a Settings) *warzonenet.Client {
	return &warzonenet.Client{Timeout: a.Timeout, Dial: a.Dial, Options: warzone.Options{Text: a.Text}}
}

// warzoneLister returns a client of all lobbies.
func warzoneLister(a Settings, _ gamespy2net.ListQuery) lobbywire.Lister {
	client := wzhttpClient(a)
	client.Earlier = warzoneClient(a)
	return client
}

func warzoneGames(ctx context.Context, addr string, a Settings) (GameList, error) {
	if targets.IsURL(addr) {
		return wzhttpGames(ctx, addr, a)
	}
	listing, err := warzoneClient(a).List(ctx, addr)
	l := GamesOf("warzone", listing.Games, warzoneLayout())
	l.Skipped, l.Partial = listing.Skipped, listing.Partial
	if s := listing.Status; s != nil {
		l.Notes = append(l.Notes, "the lobby says: "+servers.StatusText(*s))
	}
	if slices.ContainsFunc(listing.Games, namesNoPort) {
		l.Notes = append(l.Notes, namelessPort)
	}
	return l, err
}

// namesNoPort reports whether a game has the format of 112 bytes, without a port.
func namesNoPort(g warzone.Game) bool {
	return g.Layout == warzone.Layout20 || g.Layout == warzone.Layout21
}

// namelessPort explains the ports of such games.
var namelessPort = fmt.Sprintf("games of 2.0 and 2.1 name no port; it is %d, or %d for versions from 10 April 2009 "+
	"to 2.2",
	warzone.GamePortOf20, warzone.GamePort)

func warzoneLayout() output.Layout {
	return output.Layout{
		Header: []string{"ADDRESS", "PLAYERS", "VERSION", "MAP", "HOST", "NAME"},
		None:   EmptyList,
		Row: func(g output.Answer) []string {
			return []string{g.JoinAddress(), output.PlayerCount(g.View), g.View.Version, g.View.Map, g.Rule("hostName"),
				g.View.Name}
		},
	}
}
