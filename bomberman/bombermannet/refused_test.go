package bombermannet_test

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
)

// What a management server knows of a game server that is not listed.
func TestReportsRefusals(t *testing.T) {
	const other = "the request is of another protocol, or for another path: "
	for _, tt := range []struct {
		name, sent string
		isHidden   bool // until it sends stats
		want       []string
	}{
		{"bad frame", "x{}\n", false, []string{"the request is invalid: bomberman: length at byte 0: invalid value: " +
			"is not a number"}},
		{"not JSON", frame("{x}"), false, []string{"the request is invalid: bomberman: message at byte 1: invalid value: " +
			"has no comma, colon or quote where JSON has one"}},
		{"HTTP", "GET / HTTP/1.1\r\n\r\n", false, []string{other + "HTTP"}},
		{"TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", false, []string{other + "TLS"}},
		{"wrong port", frame(register("A", 99999)), false, []string{"the request is invalid: bomberman: " +
			"content.serverPort at byte 103: invalid value: is not from 1 to 65535, or is the port of the management server"}},
		{"stats before the registration", frame(update(1, 4, true, 1)), false,
			[]string{"the request is invalid: bombermannet: not registered"}},
		{"no stats", frame(register("A", 1)), true,
			[]string{"the host has not sent all that a list needs yet: it has sent no stats"}},
		{"listed", frame(register("A", 1)), false, nil},
		{"client", frame(query), false, nil},
	} {
		var refused []string
		m := bombermannet.ManagementServer{HideUntilStats: tt.isHidden, Refused: func(r lobbywire.Refusal) {
			if r.From.Port() != 0 || r.From.Addr().String() != "198.51.100.1" {
				t.Errorf("%s: from %v", tt.name, r.From)
			}
			refused = append(refused, r.String())
		}}
		run(t, &m, func(t *testing.T, dial func() *line) {
			dial().raw(tt.sent)
			synctest.Wait()
			if !slices.Equal(refused, tt.want) {
				t.Errorf("%s: reported as %q, want %q", tt.name, refused, tt.want)
			}
		})
	}
}
