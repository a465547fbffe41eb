package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
)

func TestUnregisterGameServerAcceptsItsFormsOnly(t *testing.T) {
	testBare(t, unregisterGameServerCodec, "msUnregisterGameServer",
		func(e bomberman.Envelope) bomberman.UnregisterGameServer {
			return bomberman.UnregisterGameServer{Envelope: e}
		})
}
