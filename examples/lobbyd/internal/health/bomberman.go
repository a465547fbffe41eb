package health

import (
	"context"
	"net"
	"net/netip"
	"strconv"
	"strings"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
)

func bombermanClaim(e bombermannet.Entry) claim {
	return claim{
		key:     strconv.FormatUint(e.ID, 10),
		from:    e.From.Addr(),
		at:      netip.AddrPortFrom(e.From.Addr(), uint16(e.Server.Port)), // Check limits the port
		name:    e.Server.Name,
		players: e.Server.Players.Current,
		most:    e.Server.Players.Max,
	}
}

// bombermanEntry returns the entry of a game server for the catalogue.
func bombermanEntry(e bombermannet.Entry) catalogue.Entry {
	s := e.Server
	c := catalogue.Entry{
		ID:         "bomberman-" + strconv.FormatUint(e.ID, 16),
		Family:     catalogue.Bomberman,
		Source:     "bomberman",
		Address:    net.JoinHostPort(s.Address, strconv.Itoa(s.Port)),
		Game:       "bomberman",
		Name:       s.Name,
		Mode:       s.GameplayMode.String(),
		Players:    s.Players.Current,
		MaxPlayers: s.Players.Max,
		Seen:       e.Seen,
		Fields: []catalogue.Field{
			{Name: "name", Value: s.Name},
			{Name: "address", Value: s.Address},
			{Name: "port", Value: strconv.Itoa(s.Port)},
			{Name: "players.current", Value: strconv.Itoa(s.Players.Current)},
			{Name: "players.max", Value: strconv.Itoa(s.Players.Max)},
			{Name: "isLobbyOpen", Value: strconv.FormatBool(s.IsLobbyOpen)},
			{Name: "gameplayMode", Value: s.GameplayMode.String()},
		},
	}
	_, c.Verified = bombermanTarget(e)
	if e.From.IsValid() {
		c.Fields = append(c.Fields, catalogue.Field{Name: "registered from", Value: e.From.Addr().String()})
	}
	return c
}

// bombermanTarget returns the address to probe. ok is false if the game server has
// not registered from there: the address may belong to somebody else.
func bombermanTarget(e bombermannet.Entry) (addr netip.AddrPort, ok bool) {
	claimed, err := netip.ParseAddr(strings.TrimSpace(e.Server.Address))
	if err != nil || claimed.Unmap() != e.From.Addr().Unmap() {
		return netip.AddrPort{}, false
	}
	return netip.AddrPortFrom(claimed.Unmap(), uint16(e.Server.Port)), true // Check limits the port
}

// sameBomberman reports whether two entries are the same, apart from Seen and unknown members.
func sameBomberman(a, b bombermannet.Entry) bool {
	s, t := a.Server, b.Server
	return a.ID == b.ID && a.From == b.From && a.Withheld == b.Withheld &&
		s.Name == t.Name && s.Address == t.Address && s.Port == t.Port && s.IsLobbyOpen == t.IsLobbyOpen &&
		s.GameplayMode == t.GameplayMode && s.Players.Current == t.Players.Current && s.Players.Max == t.Players.Max
}

func bombermanItem(e bombermannet.Entry) item {
	x := item{Entry: bombermanEntry(e), claim: bombermanClaim(e)}
	if at, ok := bombermanTarget(e); ok {
		x.probe = func(ctx context.Context) error { return accepts(ctx, at) }
	}
	return x
}
