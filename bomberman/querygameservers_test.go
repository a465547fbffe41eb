package bomberman_test

import (
	"encoding/json"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
)

func TestQueryGameServers(t *testing.T) {
	testBare(t, queryGameServersCodec, bomberman.CommandQueryGameServers, func(extra map[string]json.RawMessage, e bomberman.Envelope) bomberman.QueryGameServers {
		return bomberman.QueryGameServers{Extra: extra, Envelope: e}
	})
}
