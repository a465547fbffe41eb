package bomberman_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
)

// compare compares messages. The JSON form of a message shows members that are
// not known without white space, so they compare without.
var compare = cmp.Options{cmp.Comparer(func(a, b json.RawMessage) bool {
	return (a == nil) == (b == nil) && bytes.Equal(compact(a), compact(b))
})}

func compact(text []byte) []byte {
	var out bytes.Buffer
	if err := json.Compact(&out, text); err != nil {
		return text
	}
	return out.Bytes()
}

var (
	registerGameServers       = laws.Codec[bomberman.RegisterGameServer]{Parse: bomberman.ParseRegisterGameServer, Explain: bomberman.ExplainRegisterGameServer, Compare: compare}
	updateGameServerStats     = laws.Codec[bomberman.UpdateGameServerStats]{Parse: bomberman.ParseUpdateGameServerStats, Explain: bomberman.ExplainUpdateGameServerStats, Compare: compare}
	unregisterGameServers     = laws.Codec[bomberman.UnregisterGameServer]{Parse: bomberman.ParseUnregisterGameServer, Explain: bomberman.ExplainUnregisterGameServer, Compare: compare}
	queryGameServers          = laws.Codec[bomberman.QueryGameServers]{Parse: bomberman.ParseQueryGameServers, Explain: bomberman.ExplainQueryGameServers, Compare: compare}
	queryGameServersResponses = laws.Codec[bomberman.QueryGameServersResponse]{Parse: bomberman.ParseQueryGameServersResponse, Explain: bomberman.ExplainQueryGameServersResponse, Compare: compare}
	heartbeats                = laws.Codec[bomberman.Heartbeat]{Parse: bomberman.ParseHeartbeat, Explain: bomberman.ExplainHeartbeat, Compare: compare}
	registerPlayers           = laws.Codec[bomberman.RegisterPlayer]{Parse: bomberman.ParseRegisterPlayer, Explain: bomberman.ExplainRegisterPlayer, Compare: compare}
	registerPlayerResponses   = laws.Codec[bomberman.RegisterPlayerResponse]{Parse: bomberman.ParseRegisterPlayerResponse, Explain: bomberman.ExplainRegisterPlayerResponse, Compare: compare}
	playersUpdated            = laws.Codec[bomberman.PlayersUpdated]{Parse: bomberman.ParsePlayersUpdated, Explain: bomberman.ExplainPlayersUpdated, Compare: compare}
	configureArenas           = laws.Codec[bomberman.ConfigureArena]{Parse: bomberman.ParseConfigureArena, Explain: bomberman.ExplainConfigureArena, Compare: compare}
	arenaUpdated              = laws.Codec[bomberman.ArenaUpdated]{Parse: bomberman.ParseArenaUpdated, Explain: bomberman.ExplainArenaUpdated, Compare: compare}
	playerActions             = laws.Codec[bomberman.PlayerAction]{Parse: bomberman.ParsePlayerAction, Explain: bomberman.ExplainPlayerAction, Compare: compare}
	roundEndHighscores        = laws.Codec[bomberman.RoundEndHighscore]{Parse: bomberman.ParseRoundEndHighscore, Explain: bomberman.ExplainRoundEndHighscore, Compare: compare}
	unknowns                  = laws.Codec[bomberman.Unknown]{Parse: bomberman.ParseUnknown, Explain: bomberman.ExplainUnknown, Compare: compare}
	messages                  = laws.Codec[bomberman.Message]{Parse: bomberman.ParseMessage, Explain: bomberman.ExplainMessage, Compare: compare}
)

// framed is a message in its frame, as golden files hold it.
type framed[M bomberman.Message] struct{ Message M }

// frames returns the codec for frames that hold an M.
func frames[M bomberman.Message]() laws.Codec[framed[M]] {
	return laws.Codec[framed[M]]{
		Parse: func(b []byte) (framed[M], error) {
			m, err := bomberman.ParseFrame(b)
			if err != nil {
				return framed[M]{}, err
			}
			v, ok := m.(M)
			if !ok {
				return framed[M]{}, &lobbywire.Error{Proto: "bomberman", Field: reflect.TypeOf(m).Name(), Err: lobbywire.ErrUnsupported}
			}
			return framed[M]{v}, nil
		},
		Explain: bomberman.ExplainFrame,
		Compare: compare,
	}
}

func (f framed[M]) AppendBinary(b []byte) ([]byte, error) {
	return bomberman.AppendMessage(b, f.Message)
}

func (f framed[M]) MarshalBinary() ([]byte, error) { return f.AppendBinary(nil) }

// anyFrames is the codec for frames, whatever they hold.
var anyFrames = laws.Codec[laws.Message]{
	Parse: func(b []byte) (laws.Message, error) {
		m, err := bomberman.ParseFrame(b)
		if err != nil {
			return nil, err
		}
		return framed[bomberman.Message]{m}, nil
	},
	Explain: bomberman.ExplainFrame,
	Compare: compare,
}

func TestGolden(t *testing.T) {
	laws.Golden(t, func(f golden.File) laws.Law {
		switch f.Message() {
		case "RegisterGameServer":
			return frames[bomberman.RegisterGameServer]()
		case "UpdateGameServerStats":
			return frames[bomberman.UpdateGameServerStats]()
		case "UnregisterGameServer":
			return frames[bomberman.UnregisterGameServer]()
		case "QueryGameServers":
			return frames[bomberman.QueryGameServers]()
		case "QueryGameServersResponse":
			return frames[bomberman.QueryGameServersResponse]()
		case "Heartbeat":
			return frames[bomberman.Heartbeat]()
		case "RegisterPlayer":
			return frames[bomberman.RegisterPlayer]()
		case "RegisterPlayerResponse":
			return frames[bomberman.RegisterPlayerResponse]()
		case "PlayersUpdated":
			return frames[bomberman.PlayersUpdated]()
		case "ConfigureArena":
			return frames[bomberman.ConfigureArena]()
		case "ArenaUpdated":
			return frames[bomberman.ArenaUpdated]()
		case "PlayerAction":
			return frames[bomberman.PlayerAction]()
		case "RoundEndHighscore":
			return frames[bomberman.RoundEndHighscore]()
		case "Unknown":
			return frames[bomberman.Unknown]()
		}
		return nil
	})
}
