package warzonenet

import (
	"strings"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/warzone"
)

// SetMOTD takes effect while the Lobby serves.
func TestSetMOTDTakesEffectAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := &Lobby{MOTD: "Welcome", NoVerify: true}
		n := startLobby(t, l)
		for _, tt := range []struct {
			set, want string
			ok        bool
		}{
			{"Maintenance at six", "Maintenance at six", true},
			{strings.Repeat("x", warzone.MaxStatusText+1), "Maintenance at six", false},
			{"", "OK", true},
		} {
			if err := l.SetMOTD(tt.set); (err == nil) != tt.ok {
				t.Errorf("%.20q: %v", tt.set, err)
			}
			if got, _ := n.list(); got.Status == nil || got.Status.Text != tt.want {
				t.Errorf("a client gets %+v, want %q", got.Status, tt.want)
			}
		}
	})
}
