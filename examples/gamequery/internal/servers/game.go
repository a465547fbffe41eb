package servers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// A Game is the state of a test server.
type Game struct {
	Name, Level, GameType, Version string
	Players, MaxPlayers            int
	Challenge                      string         // for gamespy2
	Registered                     GameKey        // for gamespy2 and gameagent
	Release                        string         // for warzone
	At                             netip.AddrPort // where it listens
	Masters                        []string       // host:port, or the URL of a lobby
	Messages                       io.Writer      // for messages while the server runs
}

// A GameKey is the name and the secret key of a game at GameSpy masters.
type GameKey struct{ Game, Key string }

// OrSample returns k or, if it names no game, the sample of GameSpy's SDK. A key replaces
// the sample's key.
func (k GameKey) OrSample() GameKey {
	if k.Game == "" {
		return GameKey{formats.Sample, cmp.Or(k.Key, formats.SampleKey)}
	}
	return k
}

// listener returns the address of the game's listener.
func (g Game) listener() net.Addr { return net.TCPAddrFromAddrPort(g.At) }

// MaxTestPlayers is the largest number that every protocol can carry.
const MaxTestPlayers = 1<<16 - 1

// playerName returns the name of player i.
func playerName(i int) string {
	names := [...]string{"Ada", "Grace", "Zoë", "Łukasz", "Ольга", "健太", "Noor", "Ines"}
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s %d", names[i%len(names)], i/len(names)+1)
}

// badState adds advice to the error for a state that cannot be sent.
func badState(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, lobbywire.ErrTooLarge):
		return fmt.Errorf("%w; choose fewer -players or shorter texts", err)
	}
	return fmt.Errorf("%w; choose another text or number: %s cannot carry this one", err, protoOf(err))
}

// protoOf returns the protocol in an error.
func protoOf(err error) string {
	e := new(lobbywire.Error)
	if errors.As(err, &e) {
		return e.Proto
	}
	return "the protocol"
}

// score and ping are of player i.
func score(i int) int { return i * 7 % 40 }

func ping(i int) int { return 20 + i*13%90 }

func datagrams(received, sent uint64) string {
	return fmt.Sprintf("received %d datagrams, sent %d", received, sent)
}

// answered describes the counts of a server, and why requests have no answer.
func answered(s lobbywire.ServerStats) string {
	var reasons []string
	for _, r := range []struct {
		count uint64
		text  string
	}{
		{s.Unverified, "with a wrong or expired challenge"},
		{s.Limited, "over a rate limit"},
		{s.Unsupported, "not supported"},
		{s.Unknown, "malformed or of another protocol"},
		{s.Oversized, "too long"},
	} {
		if r.count > 0 {
			reasons = append(reasons, fmt.Sprintf("%d %s", r.count, r.text))
		}
	}
	text := datagrams(s.Received, s.Sent)
	if len(reasons) > 0 {
		text += "; not answered: " + strings.Join(reasons, ", ")
	}
	return text
}
