package bomberman_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
)

func TestQueryGameServersAcceptsItsFormsOnly(t *testing.T) {
	testBare(t, queryGameServersCodec, "msQueryGameServers", func(e bomberman.Envelope) bomberman.QueryGameServers {
		return bomberman.QueryGameServers{Envelope: e}
	})
}
