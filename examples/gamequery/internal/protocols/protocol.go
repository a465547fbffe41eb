// Package protocols lists what the program can do with each protocol: queries, lists,
// test servers and masters.
package protocols

import (
	"context"
	_ "embed"
	"net/netip"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/servers"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
)

// of returns p with the ports and the test server of a game, and with its form of query
// as the default.
func (p Protocol) of(g games.Game) Protocol {
	p.Ports = g.Ports()
	if g.IsMinecraft() {
		p.Serve, p.GameType = servers.NewMinecraft, servers.MinecraftType
		p.Advice = "Minecraft answers queries only with enable-query=true in server.properties, at the UDP port query.port"
	}
	if i := slices.Index(p.Asks, g.Ask); i > 0 {
		p.Asks = append([]string{g.Ask}, slices.Delete(slices.Clone(p.Asks), i, i+1)...)
	}
	return p
}

// A Protocol is a protocol of game servers. Fields for features that it lacks are
// nil.
type Protocol struct {
	Name    string
	Network string   // "tcp", or "udp" if empty
	Scheme  string   // of the URLs of masters here, "" if their address is host:port
	Asks    []string // values of the flag -ask; the first is the default

	Ports      targets.Ports // of servers that answer queries
	masterPort uint16        // usual port of masters; 0 if there is none
	ListPort   uint16        // usual port of lists, if it is another

	Query   func(ctx context.Context, addr netip.AddrPort, a Settings) (output.Answer, error)
	scanner func(a Settings) lobbywire.Scanner
	lister  func(a Settings, q gamespy2net.ListQuery) lobbywire.Lister
	Serve   func(g servers.Game) (servers.Server, error)
	Master  func(r servers.GameKey) servers.Server

	// Games lists the games of a master whose list describes games.
	Games func(ctx context.Context, addr string, a Settings) (GameList, error)

	GameType string // of a test server, unless the user gives another; "" if any will do
	Advice   string // the likely reason why a server of the game is silent

	HasBytes     bool // texts are bytes of any encoding
	ListsOverTCP bool // masters over UDP send lists over TCP, and know games by name and key

	Discover func(ctx context.Context, a Settings, broadcasts []netip.AddrPort) targets.Source
}

// All returns the protocols in the order of their documentation.
func All() []Protocol {
	return []Protocol{
		SQP(), GameSpy2(), GameAgent(), Bomberman(),
		Warzone(), WZHTTP(), WZText(), WZBinary(), WZJSON(),
	}
}

// A Role is a feature of a protocol that a command needs.
type Role struct {
	name string
	of   func(p Protocol) bool
}

// Queries returns the role of protocols whose servers answer queries.
func Queries() Role { return Role{"queries", func(p Protocol) bool { return p.Query != nil }} }

// Servers returns the role of protocols that have a test server.
func Servers() Role { return Role{"server here", func(p Protocol) bool { return p.Serve != nil }} }

// Masters returns the role of protocols that have masters or lobbies, to run and to fetch
// lists from.
func Masters() Role { return Role{"master", func(p Protocol) bool { return p.Master != nil }} }

// Browsables returns the role of protocols with queries and with masters.
func Browsables() Role {
	return Role{"list of addresses to ask", func(p Protocol) bool { return p.Query != nil && p.Master != nil }}
}

// Checkables returns the role of protocols whose servers, or masters, can be checked by
// cases.
func Checkables() Role {
	return Role{"cases", func(p Protocol) bool {
		return p.Query != nil || p.Name == Bomberman().Name || p.Name == Warzone().Name || p.Name == WZHTTP().Name
	}}
}

// ClientCheckables returns the role of protocols whose clients can be checked.
func ClientCheckables() Role {
	return Role{"cases for clients", Checkables().of}
}

// Discoveries returns the role of protocols that find servers in the local network.
func Discoveries() Role {
	return Role{"discovery", func(p Protocol) bool { return p.Discover != nil }}
}

// Of returns the protocol that the first argument of a command names. If it names a game,
// Of returns the game's protocol with the ports of the game.
func Of(cmd *cobra.Command, name string, r Role) (Protocol, error) {
	p, ok := Named(name)
	switch {
	case !ok:
		if other := OfAbsent(name); other != "" {
			return Protocol{}, usage.Bad(cmd, "no protocol or game %q; there are %s. %s", name, r.Names(", "), other)
		}
		if near := r.Nearest(name); near != "" {
			return Protocol{}, usage.Bad(cmd, "no protocol or game %q; did you mean %s?", name, near)
		}
		return Protocol{}, usage.Bad(cmd,
			"no protocol or game %q; there are %s, and the games that \"gamequery games\" prints",
			name, r.Names(", "))
	case !r.of(p):
		return Protocol{}, usage.Bad(cmd, "%s has no %s; %s have", p.Name, r.name, r.Names(" and "))
	}
	return p, nil
}

// Named returns a protocol by its name or by the name of a game, in any case.
func Named(name string) (Protocol, bool) {
	for _, p := range All() {
		if strings.EqualFold(p.Name, name) {
			return p, true
		}
	}
	for _, g := range games.All() {
		if g.Is(name) {
			p, ok := Named(g.Protocol)
			return p.of(g), ok
		}
	}
	return Protocol{}, false
}

// Names returns the names of the protocols with this role, with a word before the last.
func (r Role) Names(last string) string {
	names, _ := r.Complete(nil, nil, "")
	end := len(names) - 1
	if end < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:end], ", ") + last + names[end]
}

// Nearest returns the names of protocols and games with this role that are most like a
// name. It returns "" if none is similar, or if the name belongs to an absent protocol or
// one of its games.
func (r Role) Nearest(name string) string {
	name = strings.ToLower(name)
	if games.Absent(name) != "" {
		return ""
	}
	names, _ := r.Complete(nil, nil, name)
	return cli.Nearest(name, names)
}

// OfAbsent returns a text about a game or protocol that is not in the library; "" for other
// names.
func OfAbsent(name string) string {
	switch games.Absent(name) {
	case "a2s":
		return "The protocols of Steam and its games, such as A2S, are not in the library"
	case "quake":
		return "The protocols of Quake and its descendants are not in the library"
	}
	return ""
}

// Complete completes a PROTOCOL, or a GAME once it begins.
func (r Role) Complete(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	var own []string
	for _, p := range All() {
		if r.of(p) {
			own = append(own, p.Name)
		}
	}
	var names []string
	for _, g := range games.All() {
		if word != "" && slices.Contains(own, g.Protocol) {
			names = append(names, g.Name)
		}
	}
	return append(names, own...), cobra.ShellCompDirectiveNoFileComp
}
