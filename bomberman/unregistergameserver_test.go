package bomberman_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
)

func TestUnregisterGameServer(t *testing.T) {
	testBare(t, unregisterGameServerCodec, bomberman.CommandUnregisterGameServer, func(extra map[string]json.RawMessage, e bomberman.Envelope) bomberman.UnregisterGameServer {
		return bomberman.UnregisterGameServer{Extra: extra, Envelope: e}
	})
}
