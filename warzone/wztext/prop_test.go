package wztext_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wztext"
)

// compare compares messages.
var compare = cmp.Options{cmpopts.EquateComparable(netip.Addr{})}

var (
	lists      = laws.Codec[wztext.List]{Parse: wztext.ParseList, Explain: wztext.ExplainList}
	openGames  = laws.Codec[wztext.OpenGame]{Parse: wztext.ParseOpenGame, Explain: wztext.ExplainOpenGame}
	startGames = laws.Codec[wztext.StartGame]{Parse: wztext.ParseStartGame, Explain: wztext.ExplainStartGame}
	closeGames = laws.Codec[wztext.CloseGame]{Parse: wztext.ParseCloseGame, Explain: wztext.ExplainCloseGame}
	requests   = laws.Codec[wztext.Request]{Parse: wztext.ParseRequest, Explain: wztext.ExplainRequest}

	counts    = laws.Codec[wztext.Count]{Parse: wztext.ParseCount, Explain: wztext.ExplainCount}
	games     = laws.Codec[wztext.Game]{Parse: wztext.ParseGame, Explain: wztext.ExplainGame, Compare: compare}
	gameLists = laws.Codec[wztext.GameList]{Parse: wztext.ParseGameList, Explain: wztext.ExplainGameList, Compare: compare}
	dones     = laws.Codec[wztext.Done]{Parse: wztext.ParseDone, Explain: wztext.ExplainDone}
	failures  = laws.Codec[wztext.Error]{Parse: wztext.ParseError, Explain: wztext.ExplainError}
	responses = laws.Codec[wztext.Response]{Parse: wztext.ParseResponse, Explain: wztext.ExplainResponse, Compare: compare}

	frames = laws.Codec[wztext.Frame]{Parse: wztext.ParseFrame, Explain: wztext.ExplainFrame}
)

// strict reads as the column Options.Strict of the package documentation says.
var strict = wztext.Options{Strict: true}

func TestGolden(t *testing.T) {
	laws.Golden(t, func(f golden.File) laws.Law {
		switch f.Message() {
		case "List":
			return lists
		case "OpenGame":
			return openGames
		case "StartGame":
			return startGames
		case "CloseGame":
			return closeGames
		case "Count":
			return counts
		case "Game":
			return games
		case "GameList":
			return gameLists
		case "Done":
			return dones
		case "Error":
			return failures
		case "Frame":
			return frames
		}
		return nil
	})
}

// What Strict accepts is what plain parsing accepts, and can be appended.
func TestStrictCanBeAppended(t *testing.T) {
	for _, f := range golden.Load(t) {
		checkStrict(t, f.Data)
	}
}

func checkStrict(t *testing.T, b []byte) {
	t.Helper()
	if m, err := strict.ParseRequest(b); err == nil {
		checkAppended(t, m, strict.ParseRequest)
	}
	if m, err := strict.ParseResponse(b); err == nil {
		checkAppended(t, m, strict.ParseResponse)
	}
	if m, err := strict.ParseGame(b); err == nil {
		checkAppended(t, m, strict.ParseGame)
	}
}

// checkAppended wants m to be parsed from what it is appended as.
func checkAppended[T laws.Message](t *testing.T, m T, parse func([]byte) (T, error)) {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatalf("%+v is strictly valid, but: %v", m, err)
	}
	got, err := parse(b)
	if err != nil {
		t.Fatalf("%q appended, but: %v", b, err)
	}
	if diff := cmp.Diff(m, got, compare); diff != "" {
		t.Fatalf("appended and parsed (-want +got):\n%s", diff)
	}
}

// What plain parsing keeps and AppendBinary refuses.
func TestKept(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		field    string // that AppendBinary and Strict refuse
	}{
		{"NUL", "1.2.3.4\t1\ta\x00b\tc\t2\topen\n", "name"},
		{"CR", "1.2.3.4\t1\ta\tc\r\t2\topen\n", "map"},
		{"CR before CRLF", "1.2.3.4\t1\ta\tc\t2\topen\r\r\n", "status"},
		{"Latin-1", "1.2.3.4\t1\tGr\xfc\xdfe\tc\t2\topen\n", "name"},
		{"zone with CR", "::1%\r\t1\ta\tc\t2\topen\n", "ip"},
		{"status of two words", "1.2.3.4\t1\ta\tc\t2\thalf full\n", "status"},
		{"no status", "1.2.3.4\t1\ta\tc\t2\t\n", "status"},
	} {
		m, err := wztext.ParseGame([]byte(tt.in))
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		games.Check(t, []byte(tt.in))
		_, refusal := m.AppendBinary(nil)
		_, strictly := strict.ParseGame([]byte(tt.in))
		for _, err := range []error{refusal, strictly} {
			var e *lobbywire.Error
			if !errors.As(err, &e) || e.Field != tt.field || e.Err != lobbywire.ErrInvalid {
				t.Errorf("%s: %v, want a refusal of %s", tt.name, err, tt.field)
			}
		}
	}
}
