package protocols

import (
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/usage"
	"github.com/lobbywire/lobbywire/examples/internal/cli"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/sqp"
)

// Settings are the settings of queries.
type Settings struct {
	tap.Sockets
	Chunks   sqp.Chunks
	Ask      string // one of protocol.asks
	Timeout  time.Duration
	Attempts int // 0 means the default of the protocol's client
	Rate     int // of the requests of a scan, a second; 0 means no limit

	Text func([]byte) string // decodes texts that are not UTF-8; nil means Windows-1252
}

// AddChunksFlag adds the flag for what to request in sqp.
func (a *Settings) AddChunksFlag(flags *pflag.FlagSet) {
	mask := formats.MaskFlag[sqp.Chunks]{Mask: &a.Chunks, All: sqp.AllChunks}
	flags.Var(mask, "chunks", "for sqp, the chunks to request: "+mask.Usage())
}

// The texts for the values of -ask.
const (
	AskGameSpy2 = "the `FORM` of query for gamespy2: auto, challenge, split, plain, jc2mp or minecraft"
	AskMany     = AskGameSpy2 + "; for gameagent: status, full (the status and the players) or legacy"
	AskOne      = AskGameSpy2 + "; for gameagent: status, full (the status and the players), legacy, players or ping"
)

// AddAskFlag adds the flag for the form of queries, with one of the texts above.
func (a *Settings) AddAskFlag(flags *pflag.FlagSet, text string) {
	flags.StringVar(&a.Ask, "ask", "", text)
}

// AddFlags adds the flags of all clients and sets their defaults.
func (a *Settings) AddFlags(flags *pflag.FlagSet) {
	a.Chunks = sqp.ChunkServerInfo
	flags.DurationVar(&a.Timeout, "timeout", time.Second, "how long each attempt waits for an answer")
	flags.IntVar(&a.Attempts, "attempts", 0, "the `NUMBER` of attempts, by default 4")
	flags.Func("encoding", "the `NAME` of the encoding of texts that are not UTF-8, such as "+
		"windows-1251, shift_jis or gbk; by default windows-1252", func(name string) (err error) {
		a.Text, err = cli.TextDecoder(name)
		return err
	})
}

// Check checks the flags for a protocol with these values of -ask.
func (a *Settings) Check(cmd *cobra.Command, p Protocol, asks []string) error {
	switch {
	case a.Timeout <= 0:
		return usage.Bad(cmd, "-timeout must be above 0, such as 500ms")
	case cmd.Flags().Changed("attempts") && a.Attempts <= 0:
		return usage.Bad(cmd, "-attempts must be at least 1")
	case cmd.Flags().Changed("chunks") && p.Name != "sqp":
		return usage.Bad(cmd, "-chunks is for sqp only")
	case a.Text != nil && !p.HasBytes:
		return usage.Bad(cmd, "-encoding is not for %s, whose texts are UTF-8", p.Name)
	case a.Chunks&sqp.AllChunks == 0:
		return usage.Bad(cmd, "-chunks must name at least one")
	case a.Ask != "" && len(asks) == 0:
		return usage.Bad(cmd, "-ask is not for %s", p.Name)
	case a.Ask != "" && !slices.Contains(asks, a.Ask):
		return usage.Bad(cmd, "-ask %s: it is %s here", a.Ask, strings.Join(asks, ", "))
	case a.Ask == "" && len(asks) > 0:
		a.Ask = asks[0]
	}
	return nil
}

// Defaults returns settings with the usual form of queries of a protocol or, if full is
// set, the form that also requests players, teams and rules.
func (p Protocol) Defaults(a Settings, full bool) Settings {
	a.Chunks = sqp.ChunkServerInfo
	if len(p.Asks) > 0 {
		a.Ask = p.Asks[0]
	}
	if full {
		a.Chunks |= sqp.ChunkServerRules | sqp.ChunkPlayerInfo | sqp.ChunkTeamInfo
		if a.Ask == "status" {
			a.Ask = "full"
		}
	}
	return a
}

// ScanAsks are the values of -ask for a scan, whose answers all have a status.
func ScanAsks(p Protocol) []string {
	return slices.DeleteFunc(slices.Clone(p.Asks), func(ask string) bool { return ask == "players" || ask == "ping" })
}

// Unrequested returns the flag that requests a member of the JSON from the servers of a
// scan, "" if the member is requested already or cannot be requested.
func (a *Settings) Unrequested(p Protocol, member string) string {
	if p.Name == "gameagent" && a.Ask == "status" && member == "roster" {
		return "-ask full"
	}
	chunk := map[string]sqp.Chunks{
		"roster": sqp.ChunkPlayerInfo, "teams": sqp.ChunkTeamInfo, "rules": sqp.ChunkServerRules,
	}[member]
	if p.Name == "sqp" && a.Chunks&chunk != chunk {
		return "-chunks '" + (a.Chunks | chunk).String() + "'"
	}
	return ""
}
