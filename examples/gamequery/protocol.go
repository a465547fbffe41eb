package main

import (
	"context"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/sqp"
)

// A protocol is a protocol of game servers. Fields for features that it lacks are
// nil.
type protocol struct {
	name    string
	network string   // "tcp", or "udp" if empty
	scheme  string   // of the URLs of masters here, "" if their address is host:port
	asks    []string // values of the flag -ask; the first is the default

	ports      ports  // of servers that answer queries
	masterPort uint16 // usual port of masters; 0 if there is none
	listPort   uint16 // that of lists, if it is another

	query   func(ctx context.Context, addr netip.AddrPort, a asking) (answer, error)
	scanner func(a asking) lobbywire.Scanner
	serve   func(g game) (gameServer, error)
	list    func(ctx context.Context, cmd *cobra.Command, l *lister, addr string) error
	games   func(ctx context.Context, addr string, a asking) (gameList, error) // of a master whose list describes games
	master  func(r registered) gameServer

	listsOverTCP bool // masters over UDP send lists over TCP, and know games by name and key

	discover func(ctx context.Context, a asking, broadcasts []netip.AddrPort) targetSource
}

func protocols() []protocol {
	return []protocol{
		sqpProtocol(), gamespy2Protocol(), gameagentProtocol(), bombermanProtocol(),
		warzoneProtocol(), wzhttpProtocol(), textProposal.protocol(), binaryProposal.protocol(), wzjsonProtocol(),
	}
}

// A role is a feature of a protocol that a command needs.
type role struct {
	name string
	of   func(p protocol) bool
}

func queries() role  { return role{"queries", func(p protocol) bool { return p.query != nil }} }
func servers() role  { return role{"server here", func(p protocol) bool { return p.serve != nil }} }
func masters() role  { return role{"master", func(p protocol) bool { return p.master != nil }} }
func listings() role { return role{"master", func(p protocol) bool { return p.list != nil }} }
func browsables() role {
	return role{"list of addresses to ask", func(p protocol) bool { return p.query != nil && p.list != nil }}
}
func discoveries() role {
	return role{"discovery", func(p protocol) bool { return p.discover != nil }}
}

// protocolOf returns the protocol that the first argument of a command names, or that
// of the game that it names, with the ports of the game.
func protocolOf(cmd *cobra.Command, name string, r role) (protocol, error) {
	p, ok := protocolNamed(name)
	switch {
	case !ok:
		return protocol{}, badUsage(cmd, "no protocol or game %q; there are %s, and the games that \"gamequery games\" prints", name, r.names(", "))
	case !r.of(p):
		return protocol{}, badUsage(cmd, "%s has no %s; %s have", p.name, r.name, r.names(" and "))
	}
	return p, nil
}

// protocolNamed returns a protocol by its name or that of a game, in any case.
func protocolNamed(name string) (protocol, bool) {
	for _, p := range protocols() {
		if strings.EqualFold(p.name, name) {
			return p, true
		}
	}
	for _, g := range knownGames() {
		if g.is(name) {
			p, ok := protocolNamed(g.protocol)
			return g.of(p), ok
		}
	}
	return protocol{}, false
}

// names returns the names of the protocols with this role.
func (r role) names(separator string) string {
	names, _ := r.complete(nil, nil, "")
	return strings.Join(names, separator)
}

// complete completes a PROTOCOL, or a GAME once it begins.
func (r role) complete(_ *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
	var names []string
	for _, g := range knownGames() {
		if p, _ := protocolNamed(g.protocol); len(args) == 0 && word != "" && r.of(p) {
			names = append(names, g.name)
		}
	}
	for _, p := range protocols() {
		if len(args) == 0 && r.of(p) {
			names = append(names, p.name)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// sockets open sockets for clients; nil means the system's.
type sockets struct {
	dial   func(ctx context.Context, network, addr string) (net.Conn, error)
	listen func(ctx context.Context) (net.PacketConn, error)
}

// An asking has the settings of queries.
type asking struct {
	sockets
	chunks   sqp.Chunks
	ask      string // one of protocol.asks
	timeout  time.Duration
	attempts int
}

func (a *asking) addFlags(flags *pflag.FlagSet) {
	a.chunks = sqp.ChunkServerInfo
	flags.Var(maskFlag[sqp.Chunks]{&a.chunks, sqp.AllChunks}, "chunks",
		"for sqp, the requested chunks: a number,\n"+
			"all, or names such as "+sqp.AllChunks.String()+"\n")
	flags.StringVar(&a.ask, "ask", "",
		"for gamespy2, the form of query: auto, challenge, split or plain;\n"+
			"for gameagent, what to query: status or legacy, and for one server players or ping")
	flags.DurationVar(&a.timeout, "timeout", time.Second, "timeout of an attempt")
	flags.IntVar(&a.attempts, "attempts", 3, "number of attempts for each server")
}

// check checks the flags for a protocol with these values of -ask.
func (a *asking) check(cmd *cobra.Command, p protocol, asks []string) error {
	switch {
	case a.timeout <= 0:
		return badUsage(cmd, "-timeout must be above 0, such as 500ms")
	case a.attempts <= 0:
		return badUsage(cmd, "-attempts must be at least 1")
	case cmd.Flags().Changed("chunks") && p.name != "sqp":
		return badUsage(cmd, "-chunks is for sqp only")
	case a.chunks&sqp.AllChunks == 0:
		return badUsage(cmd, "-chunks must name at least one")
	case a.ask != "" && len(asks) == 0:
		return badUsage(cmd, "-ask is not for %s", p.name)
	case a.ask != "" && !slices.Contains(asks, a.ask):
		return badUsage(cmd, "-ask %s: it is %s here", a.ask, strings.Join(asks, ", "))
	case a.ask == "" && len(asks) > 0:
		a.ask = asks[0]
	}
	return nil
}

// escapeControls escapes characters that JSON allows but that could control a terminal.
func escapeControls(text []byte) []byte {
	if !strings.ContainsFunc(string(text), hidden) {
		return text
	}
	var b strings.Builder
	for _, c := range string(text) {
		if hidden(c) && c <= 0xffff {
			fmt.Fprintf(&b, `\u%04x`, c)
		} else {
			b.WriteRune(c)
		}
	}
	return []byte(b.String())
}

// hidden reports whether a character is a control character or changes the direction
// of text.
func hidden(c rune) bool {
	return c == 0x7f || c >= 0x80 && c < 0xa0 || c == 0x61c || c == 0x200e || c == 0x200f ||
		c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069
}

// milliseconds returns d in milliseconds, with three decimals.
func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.3f", float64(d)/float64(time.Millisecond))
}
