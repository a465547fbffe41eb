package warzone_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/warzone"
)

func TestSettingsAreTheFlags(t *testing.T) {
	m := theGame()
	if joined, slots := m.Spectators(); joined != 1 || slots != 3 {
		t.Errorf("%d spectators of %d, want 1 of 3", joined, slots)
	}
	if m.GameType() != warzone.GameTypeSkirmish {
		t.Errorf("type %v", m.GameType())
	}
	m.UserFlags[2] = 2
	if m.BlindMode() != 2 {
		t.Errorf("blind mode %d, want 2", m.BlindMode())
	}
	m.Flags = 0x01020304
	want := warzone.Settings{Alliances: 1, TechLevel: 2, PowerLevel: 3, BasesLevel: 4}
	if got := m.Settings(); got != want || got.Flags() != m.Flags {
		t.Errorf("settings %+v, flags %#x", got, got.Flags())
	}
}

func TestNetcodeHasTwoParts(t *testing.T) {
	for _, tt := range []struct {
		word         uint32
		major, minor uint16
	}{{0x4000004f, 0x4000, 79}, {warzone.Filler + 4, 0, 0}, {0, 0, 0}} {
		if major, minor := (warzone.Game{NetcodeWord: tt.word}).Netcode(); major != tt.major || minor != tt.minor {
			t.Errorf("%#x: %d, %d", tt.word, major, minor)
		}
	}
}

func TestLimitsHasNeedsAll(t *testing.T) {
	l := warzone.LimitVTOLs | warzone.LimitCyborgs
	if !l.Has(warzone.LimitVTOLs) || l.Has(warzone.LimitVTOLs|warzone.LimitTanks) ||
		warzone.Limits(warzone.Filler+2).Has(warzone.LimitTanks) {
		t.Error("Has is wrong")
	}
}

func TestSettingsHaveNames(t *testing.T) {
	for _, tt := range []struct {
		got  interface{ String() string }
		want string
	}{
		{warzone.LayoutVersioned, "versioned"},
		{warzone.Layout20, "2.0"},
		{warzone.Layout21, "2.1"},
		{warzone.Layout23, "2.3"},
		{warzone.Layout(7), "layout(7)"},
		{warzone.GameTypeCampaign, "campaign"},
		{warzone.GameTypeSkirmish, "skirmish"},
		{warzone.GameType(7), "gameType(7)"},
		{warzone.Limits(0), "0x0"},
		{warzone.LimitVTOLs | warzone.LimitTanks, "vtols|tanks"},
		{warzone.LimitCyborgs | 0x10, "cyborgs|0x10"},
		{warzone.Limits(warzone.Filler + 2), "0xbad02"},
		{warzone.OSWindows, "win"},
		{warzone.OSMac, "mac"},
		{warzone.OSLinux, "lin"},
		{warzone.OS(warzone.Filler + 3), "os(0xbad03)"},
		{warzone.StatusOK, "ok"},
		{warzone.StatusUpgrade, "upgrade"},
		{warzone.StatusForbidden, "forbidden"},
		{warzone.StatusNotAcceptable, "notAcceptable"},
		{warzone.StatusUnreachable, "unreachable"},
		{warzone.StatusServerError, "serverError"},
		{warzone.StatusCode(7), "status(7)"},
	} {
		if got := tt.got.String(); got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
}

func TestClipEndsBetweenCharacters(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		size     int
		want     string
	}{
		{"short", "Grüße", 63, "Grüße"},
		{"as long as the field", "Grüße", 7, "Grüße"},
		{"between characters", "Grüße", 4, "Grü"},
		{"in a character", "Grüße", 5, "Grü"},
		{"zero byte", "Gr\x00üße", 63, "Gr"},
		{"not UTF-8", strings.Repeat("\x80", 9), 6, "\x80\x80"},
		{"no room", "abc", 0, ""},
		{"less than no room", "abc", -1, ""},
	} {
		if got := warzone.Clip(tt.in, tt.size); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}
