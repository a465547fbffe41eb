package protocols

import (
	"context"
	"strings"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/terminal"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// WZHTTP returns the protocol of the HTTP lobby of Warzone 2100.
func WZHTTP() Protocol {
	return Protocol{
		Name:    "wzhttp",
		Network: "tcp",
		Scheme:  "http" + targets.URLMark,
		Serve:   servers.NewWarzoneHTTP,
		lister:  warzoneLister,
		Games:   wzhttpGames,
		Master:  func(servers.GameKey) servers.Server { return servers.NewHTTPLobby(nil) },
	}
}

// WithScheme returns the URL of a lobby. The default scheme is https, as in the game. Zones of
// addresses may be escaped, as in URLs, or not.
func WithScheme(addr string) string {
	scheme, rest, isURL := strings.Cut(addr, targets.URLMark)
	if !isURL {
		scheme, rest = "https", addr
	}
	at, path, hasPath := strings.Cut(rest, "/")
	if hasPath {
		path = "/" + path
	}
	host, port, err := cli.SplitAddress(strings.Replace(at, "%25", "%", 1))
	if err != nil {
		return scheme + targets.URLMark + rest
	}
	if strings.Contains(host, ":") {
		host = "[" + strings.Replace(host, "%", "%25", 1) + "]"
	}
	if port != "" {
		host += ":" + port
	}
	return scheme + targets.URLMark + host + path
}

// wzhttpGames returns the games of a lobby over HTTP, which have no address.
func wzhttpGames(ctx context.Context, addr string, a Settings) (GameList, error) {
	listing, err := wzhttpClient(a).List(ctx, WithScheme(addr))
	return wzhttpGameList(listing), err
}

func wzhttpClient(a Settings) *wzhttpnet.Client {
	return &wzhttpnet.Client{Timeout: a.Timeout, Dial: a.Dial}
}

func wzhttpGameList(listing wzhttpnet.Listing) GameList {
	l := GamesOf("wzhttp", listing.Games, output.Layout{
		Header: []string{"ID", "PLAYERS", "VERSION", "MAP", "HOST", "NAME"},
		None:   EmptyList,
		Row: func(g output.Answer) []string {
			return []string{g.ID, output.PlayerCount(g.View), g.View.Version, g.View.Map, g.Rule("hostName"), g.View.Name}
		},
	})
	l.Skipped, l.Partial = listing.Skipped, listing.Partial
	for i, g := range listing.Games {
		l.Games[i].ID = g.ID
	}
	if h := listing.Header; h != nil && h.MOTD != "" {
		l.Notes = append(l.Notes, "the lobby says: "+terminal.Clean(h.MOTD))
	}
	return l
}
