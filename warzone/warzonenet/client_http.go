package warzonenet

import (
	"context"
	"strings"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// isHTTP reports whether the address of a lobby is a URL: host:port has no slash.
func isHTTP(addr string) bool { return strings.Contains(addr, "/") }

// overHTTP returns the client for HTTP lobbies.
func (c *Client) overHTTP() *wzhttpnet.Client {
	c.once.Do(func() {
		c.http.Timeout = c.Timeout
		c.http.ListEvery = c.ListEvery
		c.http.MaxGames = c.Options.MaxGames
		c.http.Strict = c.Options.Strict
		c.http.Dial = c.Dial
		c.http.HTTP = c.HTTP
		c.http.Identity = c.Identity
	})
	return &c.http
}

// listHTTP fetches the list of an HTTP lobby.
func (c *Client) listHTTP(ctx context.Context, addr string) (Listing, error) {
	list, err := c.overHTTP().List(ctx, addr)
	if err != nil {
		return Listing{}, err
	}
	l := Listing{HTTPGames: list.Games, Skipped: list.Skipped, Partial: list.Partial, RTT: list.RTT}
	if list.Header != nil {
		l.Status = &warzone.Status{Code: warzone.StatusOK, Text: list.Header.MOTD}
	}
	for _, g := range list.Games {
		l.Games = append(l.Games, wzhttpnet.GameOf(g.Room))
	}
	return l, nil
}

// Join fetches the addresses at which a player can join the game with an ID from the HTTP
// lobby at addr, as [wzhttpnet.Client.Join] does.
func (c *Client) Join(ctx context.Context, addr, id string, m wzhttp.JoinRequest) ([]wzhttpnet.JoinTarget, error) {
	return c.overHTTP().Join(ctx, addr, id, m)
}
