package wzbin_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/golden"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzbin"
)

// compare compares messages.
var compare = cmp.Options{cmpopts.EquateComparable(netip.Addr{})}

var (
	lists      = laws.Codec[wzbin.List]{Parse: wzbin.ParseList, Explain: wzbin.ExplainList}
	openGames  = laws.Codec[wzbin.OpenGame]{Parse: wzbin.ParseOpenGame, Explain: wzbin.ExplainOpenGame}
	startGames = laws.Codec[wzbin.StartGame]{Parse: wzbin.ParseStartGame, Explain: wzbin.ExplainStartGame}
	closeGames = laws.Codec[wzbin.CloseGame]{Parse: wzbin.ParseCloseGame, Explain: wzbin.ExplainCloseGame}
	requests   = laws.Codec[wzbin.Request]{Parse: wzbin.ParseRequest, Explain: wzbin.ExplainRequest}

	counts    = laws.Codec[wzbin.Count]{Parse: wzbin.ParseCount, Explain: wzbin.ExplainCount}
	games     = laws.Codec[wzbin.Game]{Parse: wzbin.ParseGame, Explain: wzbin.ExplainGame, Compare: compare}
	gameLists = laws.Codec[wzbin.GameList]{Parse: wzbin.ParseGameList, Explain: wzbin.ExplainGameList, Compare: compare}
	dones     = laws.Codec[wzbin.Done]{Parse: wzbin.ParseDone, Explain: wzbin.ExplainDone}
	failures  = laws.Codec[wzbin.Error]{Parse: wzbin.ParseError, Explain: wzbin.ExplainError}
	responses = laws.Codec[wzbin.Response]{Parse: wzbin.ParseResponse, Explain: wzbin.ExplainResponse, Compare: compare}

	frames = laws.Codec[wzbin.Frame]{Parse: wzbin.ParseFrame, Explain: wzbin.ExplainFrame, Canonical: true}
)

// strict reads as the column Options.Strict of the package documentation says.
var strict = wzbin.Options{Strict: true}

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
		{"NUL", game("1.2.3.4", "1", "a\x00b", "c", "2", "open"), "name"},
		{"TAB", game("1.2.3.4", "1", "a\tb", "c", "2", "open"), "name"},
		{"LF", game("1.2.3.4", "1", "a", "c\n", "2", "open"), "map"},
		{"Latin-1", game("1.2.3.4", "1", "Gr\xfc\xdfe", "c", "2", "open"), "name"},
		{"zone with CR", game("::1%\r", "1", "a", "c", "2", "open"), "ip"},
		{"status of two words", game("1.2.3.4", "1", "a", "c", "2", "half full"), "status"},
		{"no status", game("1.2.3.4", "1", "a", "c", "2", ""), "status"},
	} {
		m, err := wzbin.ParseGame([]byte(tt.in))
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
