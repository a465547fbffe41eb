package health

import (
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
)

func TestWhyLeftNamesTheReason(t *testing.T) {
	now := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	const since = ", and nothing has come from it since 11:58:00 UTC"
	for _, tt := range []struct {
		entry  catalogue.Entry
		silent bool
		want   string
	}{
		{catalogue.Entry{Family: catalogue.GameSpy}, false, "it said goodbye"},
		{catalogue.Entry{Family: catalogue.GameSpy}, true, "it fell silent" + since},
		{catalogue.Entry{Family: catalogue.GameAgent}, true, "it fell silent" + since},
		{catalogue.Entry{Family: catalogue.GameAgent, Saved: catalogue.Unchecked}, false,
			"it has not answered since lobbyd was started"},
		{catalogue.Entry{Family: catalogue.GameSpy, Quarantine: "banned address, 192.0.2.0/24"}, true,
			"it was hidden by then: banned address, 192.0.2.0/24"},
		{catalogue.Entry{Family: catalogue.Bomberman}, false, "it has closed the connection"},
		{catalogue.Entry{Family: catalogue.Bomberman}, true, "it fell silent" + since}, // at another node
		{catalogue.Entry{Family: catalogue.Warzone, Source: "lobby"}, false,
			"its host has closed the connection, as it does when a match starts"},
		{catalogue.Entry{Family: catalogue.Warzone, Source: "lobby"}, true, "the connection to its host has ended" + since},
		{catalogue.Entry{Family: catalogue.Warzone, Source: "http"}, false, "it said goodbye"},
		{catalogue.Entry{Family: catalogue.Warzone, Source: "text"}, true, "it fell silent" + since},
	} {
		s := server{shown: &tt.entry, heard: now.Add(-2 * time.Minute), until: now.Add(time.Second)}
		if tt.silent {
			s.until = now
		}
		if got := s.whyLeft(now); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.entry, got, tt.want)
		}
	}
	if got := endOfGame(&warzonegames.Entry{Seen: now}); !got.Equal(now.Add(silentHost)) {
		t.Errorf("a game with a connection: %v", got)
	}
	if got := endOfGame(&warzonegames.Entry{Seen: now, Expires: now.Add(5)}); !got.Equal(now.Add(5)) {
		t.Errorf("a game with an end: %v", got)
	}
}
