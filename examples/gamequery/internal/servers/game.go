package servers

import (
	"fmt"
	"io"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/games"
)

// A Game is the state of a test server.
type Game struct {
	Name, Level, GameType, Version string
	Players, MaxPlayers            int
	Challenge                      string  // for gamespy2
	Registered                     GameKey // for gamespy2
	Release                        string  // for warzone
	Port                           uint16  // of queries
	Masters                        []Master
	Messages                       io.Writer // for messages while the server runs
}

// A GameKey has the name and the secret key of a game at GameSpy masters.
type GameKey struct{ Game, Key string }

// OrSample returns r or, if it is empty, the sample of GameSpy's SDK.
func (r GameKey) OrSample() GameKey {
	if r.Game == "" {
		return GameKey{games.Sample, games.SampleKey}
	}
	return r
}

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

// tooMany adds advice to the error for a state that cannot be sent.
func tooMany(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w; choose fewer -players or shorter texts", err)
}

// score and ping are of player i.
func score(i int) int { return i * 7 % 40 }

func ping(i int) int { return 20 + i*13%90 }

func datagrams(received, sent uint64) string {
	return fmt.Sprintf("received %d datagrams, sent %d", received, sent)
}
