package targets_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
)

func TestGamePortFollowsTheQueryPort(t *testing.T) {
	above := targets.Ports{Game: 12203, Query: 12300, Offset: 97}
	fixed := targets.Ports{Game: 14567, Query: 23000, Fixed: true}
	same := targets.Ports{Game: 3030, Query: 3030}
	for _, tt := range []struct {
		name         string
		ports        targets.Ports
		query, given uint16
		want         uint16
	}{
		{"an offset", above, 12400, 12303, 12303},
		{"an offset, and the query port is given", above, 12400, 12400, 12303},
		{"an offset that leads below 0", above, 96, 0, 0},
		{"the same port", same, 3031, 3031, 3031},
		{"a fixed query port, and the game port is given", fixed, 23000, 14568, 14568},
		{"a fixed query port, and no port is given", fixed, 23000, 0, 0},
		{"a fixed query port is given", fixed, 23001, 23001, 0},
		{"no game", targets.Ports{Query: 25601}, 25601, 25601, 0},
	} {
		if got := tt.ports.GamePort(tt.query, tt.given); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}
