package warzone_test

import (
	"errors"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"unsafe"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone"
)

// pad returns s in a field of n bytes.
func pad(n int, s string) string { return s + strings.Repeat("\x00", n-len(s)) }

// wordOf returns the big-endian form of v.
func wordOf(v uint32) string {
	return string([]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
}

// words returns the big-endian form of each v.
func words(all ...uint32) string {
	s := ""
	for _, v := range all {
		s += wordOf(v)
	}
	return s
}

// versioned returns a game of 814 bytes, with a different number in each field
// and the bytes of place at the offsets 140 to 458.
func versioned(version uint32, place string) string {
	return words(version) + pad(64, "name") + words(72, 1) + pad(40, "192.0.2.1") + words(2, 3, 4, 5, 6, 7) +
		pad(319, place) +
		pad(64, "version") + pad(255, "mods") + words(8, 9, 10, 11, 12, 13, 14, 15, 16)
}

// wantVersioned returns the value of versioned, changed by set.
func wantVersioned(version uint32, set func(m *warzone.Game)) warzone.Game {
	m := warzone.Game{
		Version: version, Name: "name", Size: 72, Flags: 1, Host: "192.0.2.1", MaxPlayers: 2, CurrentPlayers: 3,
		UserFlags: [4]uint32{4, 5, 6, 7}, VersionString: "version", ModList: "mods", NetcodeMajor: 8, NetcodeMinor: 9,
		Private: 10, Pure: 11, Mods: 12, GameID: 13, Limits: 14, OS: 15, NetcodeWord: 16,
	}
	set(&m)
	return m
}

// place2 to place4 are the parts that versions divide in different ways.
func place2() string  { return pad(64, "misc") + pad(255, "extra") }
func place23() string { return pad(40, "192.0.2.2") + pad(40, "::3") + pad(239, "extra") }
func place3() string {
	return pad(40, "192.0.2.2") + pad(40, "::3") + pad(159, "extra") + pad(40, "map") + pad(40, "player")
}
func place4() string {
	return pad(40, "192.0.2.2") + pad(40, "::3") + pad(157, "extra") + "\x08\x35" + pad(40, "map") + pad(40, "player")
}

// record returns a game of 112 bytes, big-endian.
func record(name string) string {
	return pad(64, name) + words(48, 1) + pad(16, "192.0.2.1") + words(2, 3, 4, 5, 6, 7)
}

// wantRecord returns the value of record.
func wantRecord(l warzone.Layout) warzone.Game {
	return warzone.Game{
		Layout: l, Name: "name", Size: 48, Flags: 1, Host: "192.0.2.1", MaxPlayers: 2, CurrentPlayers: 3,
		UserFlags: [4]uint32{4, 5, 6, 7},
	}
}

// littleEndian swaps the bytes of the numbers of a record.
func littleEndian(record string) string {
	b := []byte(record)
	for _, at := range []int{64, 68, 88, 92, 96, 100, 104, 108} {
		b[at], b[at+1], b[at+2], b[at+3] = b[at+3], b[at+2], b[at+1], b[at]
	}
	return string(b)
}

func TestGameAcceptsItsFormsOnly(t *testing.T) {
	v4 := versioned(4, place4())
	gameCodec.Table(t, []codectest.Case[warzone.Game]{
		{Name: "version 2", In: versioned(2, place2()),
			Want: wantVersioned(2, func(m *warzone.Game) { m.Misc, m.Extra = "misc", "extra" })},
		{Name: "version 3", In: versioned(3, place3()), Want: wantVersioned(3, func(m *warzone.Game) {
			m.SecondaryHosts = [2]string{"192.0.2.2", "::3"}
			m.Extra, m.MapName, m.HostName = "extra", "map", "player"
		})},
		{Name: "version 4", In: v4, Want: wantVersioned(4, func(m *warzone.Game) {
			m.SecondaryHosts = [2]string{"192.0.2.2", "::3"}
			m.Extra, m.HostPort, m.MapName, m.HostName = "extra", 2101, "map", "player"
		})},
		{Name: "big-endian record", In: record("name"), Want: wantRecord(warzone.Layout21)},
		{Name: "little-endian record", In: littleEndian(record("name")), Want: wantRecord(warzone.Layout20)},
		{Name: "record of no known size", In: pad(64, "name") + pad(48, "\x00\x00\x01"),
			Want: warzone.Game{Layout: warzone.Layout21, Name: "name", Size: 256}},
		{Name: "record without a name", In: pad(112, ""), Want: warzone.Game{Layout: warzone.Layout21}},
		{Name: "version 2 without a place", In: versioned(2, ""), Want: wantVersioned(2, func(m *warzone.Game) {})},
		{Name: "nothing", In: "", Err: lobbywire.ErrTruncated, Field: "version", Offset: 0},
		{Name: "version cut", In: "\x00\x00\x00", Err: lobbywire.ErrTruncated, Field: "version", Offset: 0},
		{Name: "name cut", In: "nam", Err: lobbywire.ErrTruncated, Field: "name", Offset: 0},
		{Name: "record cut", In: record("name")[:111], Err: lobbywire.ErrTruncated, Field: "userFlags[3]", Offset: 108},
		{Name: "game cut", In: v4[:400], Err: lobbywire.ErrTruncated, Field: "mapName", Offset: 379},
		{Name: "byte after a record", In: record("name") + "x", Err: lobbywire.ErrTrailing, Offset: 112},
		{Name: "byte after a game", In: v4 + "x", Err: lobbywire.ErrTrailing, Offset: 814},
		{Name: "version 1", In: versioned(1, ""), Err: lobbywire.ErrUnsupported, Field: "version", Offset: 0},
		{Name: "version 10", In: words(10), Err: lobbywire.ErrUnsupported, Field: "version", Offset: 0},
		{Name: "version 99", In: versioned(99, place4()), Err: lobbywire.ErrUnsupported, Field: "version", Offset: 0},
		{Name: "version in little-endian order", In: "\x00\x04\x00\x00" + v4[4:], Err: lobbywire.ErrUnsupported,
			Field: "version", Offset: 0},
		{Name: "record with bytes after its empty name", In: "\x00old" + record("name")[4:],
			Want:   func() warzone.Game { m := wantRecord(warzone.Layout21); m.Name = ""; return m }(),
			Strict: lobbywire.ErrInvalid, Differs: true},
	})
}

// wantError checks the kind, field and offset of err.
func wantError(t *testing.T, name string, err, kind error, field string, offset int) {
	t.Helper()
	var e *lobbywire.Error
	if !errors.As(err, &e) || !errors.Is(err, kind) || e.Field != field || e.Offset != offset {
		t.Errorf("%s: error %v, want %v in %q at %d", name, err, kind, field, offset)
	}
}

func TestTextsOfGamesEndAtZero(t *testing.T) {
	place := func(misc string) string { return versioned(2, misc+pad(255, "")) }
	for _, tt := range []struct {
		name, in, want string
		strictly       bool // valid
	}{
		{"zero-filled", pad(64, "a b "), "a b ", true},
		{"empty", pad(64, ""), "", true},
		{"63 bytes", pad(64, strings.Repeat("x", 63)), strings.Repeat("x", 63), true},
		{"not UTF-8", pad(64, "Gr\xfc\xdfe"), "Gr\xfc\xdfe", true},
		{"64 bytes", strings.Repeat("x", 64), strings.Repeat("x", 64), false},
		{"blanks after it", "a b" + strings.Repeat(" ", 61), "a b", false},
		{"blanks only", strings.Repeat(" ", 64), "", false},
		{"bytes after the zero byte", pad(60, "a ") + "old ", "a ", false},
	} {
		got, err := warzone.ParseGame([]byte(place(tt.in)))
		if err != nil || got.Misc != tt.want {
			t.Errorf("%s: got %q, %v", tt.name, got.Misc, err)
		}
		if _, err := strict.ParseGame([]byte(place(tt.in))); tt.strictly != (err == nil) {
			t.Errorf("%s, strictly: %v", tt.name, err)
		} else if err != nil {
			wantError(t, tt.name, err, lobbywire.ErrInvalid, "misc", 140)
		}
	}
}

func TestHostFitsTheFieldOfItsLayout(t *testing.T) {
	for _, tt := range []struct {
		name, host     string
		game, inRecord bool // valid
	}{
		{"none", "", true, true},
		{"IPv4", "203.0.113.255", true, true},
		{"IPv6", "2001:db8::1", true, false},
		{"IPv4 in IPv6", "::ffff:192.0.2.1", true, false},
		{"zone", "fe80::1%eth0", false, false},
		{"name", "example.org", false, false},
		{"port", "192.0.2.1:2100", false, false},
	} {
		game := warzone.Game{Version: 4, Name: "n", Host: tt.host}
		for field, m := range map[string]warzone.Game{
			"host":              game,
			"secondaryHosts[0]": {Version: 3, SecondaryHosts: [2]string{tt.host, ""}},
			"secondaryHosts[1]": {Version: 4, SecondaryHosts: [2]string{"", tt.host}},
		} {
			checkHost(t, tt.name, m, field, tt.game)
		}
		if len(tt.host) < 16 {
			checkHost(t, tt.name, warzone.Game{Layout: warzone.Layout21, Name: "n", Host: tt.host}, "host", tt.inRecord)
		}
	}
}

// checkHost checks that a valid host is appended and strictly read, and that
// another one is refused.
func checkHost(t *testing.T, name string, m warzone.Game, field string, valid bool) {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if valid {
		if err != nil {
			t.Errorf("%s in %s: %v", name, field, err)
		} else if _, err := strict.ParseGame(b); err != nil {
			t.Errorf("%s in %s, strictly: %v", name, field, err)
		}
		return
	}
	wantError(t, name, err, lobbywire.ErrInvalid, field, -1)
}

// Parsing keeps a host that is not an address, and Strict refuses it.
func TestGameHostIsKept(t *testing.T) {
	b := []byte(strings.Replace(versioned(4, place4()), "192.0.2.1\x00", "localhost\x00", 1))
	m, err := warzone.ParseGame(b)
	if err != nil || m.Host != "localhost" {
		t.Errorf("host %q, %v", m.Host, err)
	}
	_, err = strict.ParseGame(b)
	wantError(t, "strictly", err, lobbywire.ErrInvalid, "host", 76)
}

func TestGameRefusesWhatTheWireCannotCarry(t *testing.T) {
	long := func(n int) string { return strings.Repeat("x", n) }
	versioned := func(v uint32, set func(m *warzone.Game)) warzone.Game {
		m := warzone.Game{Version: v}
		set(&m)
		return m
	}
	type game = warzone.Game
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "zero value", Value: game{}, Err: lobbywire.ErrUnsupported, Field: "version"},
		{Name: "version 5", Value: game{Version: 5}, Err: lobbywire.ErrUnsupported, Field: "version"},
		{Name: "2.3 of version 4", Value: game{Version: 4, Layout: warzone.Layout23},
			Err: lobbywire.ErrUnsupported, Field: "version"},
		{Name: "unknown layout", Value: game{Version: 4, Layout: 9}, Err: lobbywire.ErrUnsupported, Field: "layout"},
		{Name: "name of 64 bytes", Value: game{Version: 4, Name: long(64)}, Err: lobbywire.ErrTooLarge, Field: "name"},
		{Name: "name of 64 bytes in a record", Value: game{Layout: warzone.Layout20, Name: long(64)},
			Err: lobbywire.ErrTooLarge, Field: "name"},
		{Name: "zero byte", Value: game{Version: 4, Name: "a\x00b"}, Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "map of 40 bytes", Value: game{Version: 4, MapName: long(40)},
			Err: lobbywire.ErrTooLarge, Field: "mapName"},
		{Name: "player of 40 bytes", Value: game{Version: 4, HostName: long(40)},
			Err: lobbywire.ErrTooLarge, Field: "hostName"},
		{Name: "version of 64 bytes", Value: game{Version: 4, VersionString: long(64)},
			Err: lobbywire.ErrTooLarge, Field: "versionString"},
		{Name: "mods of 255 bytes", Value: game{Version: 4, ModList: long(255)},
			Err: lobbywire.ErrTooLarge, Field: "modList"},
		{Name: "misc of 64 bytes", Value: game{Version: 2, Misc: long(64)}, Err: lobbywire.ErrTooLarge, Field: "misc"},
		{Name: "extra of 255 bytes in 2", Value: game{Version: 2, Extra: long(255)},
			Err: lobbywire.ErrTooLarge, Field: "extra"},
		{Name: "extra of 239 bytes in 2.3", Value: game{Version: 3, Layout: warzone.Layout23, Extra: long(239)},
			Err: lobbywire.ErrTooLarge, Field: "extra"},
		{Name: "extra of 159 bytes in 3", Value: game{Version: 3, Extra: long(159)},
			Err: lobbywire.ErrTooLarge, Field: "extra"},
		{Name: "extra of 157 bytes in 4", Value: game{Version: 4, Extra: long(157)},
			Err: lobbywire.ErrTooLarge, Field: "extra"},
		{Name: "misc in 3", Value: game{Version: 3, Misc: "x"}, Err: lobbywire.ErrInvalid, Field: "misc"},
		{Name: "misc in 4", Value: game{Version: 4, Misc: "x"}, Err: lobbywire.ErrInvalid, Field: "misc"},
		{Name: "port in 3", Value: game{Version: 3, HostPort: 1}, Err: lobbywire.ErrInvalid, Field: "hostPort"},
		{Name: "port in 2.3", Value: game{Version: 3, Layout: warzone.Layout23, HostPort: 1},
			Err: lobbywire.ErrInvalid, Field: "hostPort"},
		{Name: "map in 2.3", Value: game{Version: 3, Layout: warzone.Layout23, MapName: "x"},
			Err: lobbywire.ErrInvalid, Field: "mapName"},
		{Name: "player in 2.3", Value: game{Version: 3, Layout: warzone.Layout23, HostName: "x"},
			Err: lobbywire.ErrInvalid, Field: "hostName"},
		{Name: "port in 2", Value: game{Version: 2, HostPort: 1}, Err: lobbywire.ErrInvalid, Field: "hostPort"},
		{Name: "map in 2", Value: game{Version: 2, MapName: "x"}, Err: lobbywire.ErrInvalid, Field: "mapName"},
		{Name: "first secondary host in 2", Value: versioned(2, func(m *game) { m.SecondaryHosts[0] = "::1" }),
			Err: lobbywire.ErrInvalid, Field: "secondaryHosts[0]"},
		{Name: "second secondary host in 2", Value: versioned(2, func(m *game) { m.SecondaryHosts[1] = "::1" }),
			Err: lobbywire.ErrInvalid, Field: "secondaryHosts[1]"},
	})
}

// A record refuses each field that it lacks.
func TestRecordRefusesFieldsThatItLacks(t *testing.T) {
	for field, set := range map[string]func(m *warzone.Game){
		"version":           func(m *warzone.Game) { m.Version = 2 },
		"misc":              func(m *warzone.Game) { m.Misc = "x" },
		"secondaryHosts[0]": func(m *warzone.Game) { m.SecondaryHosts[0] = "::1" },
		"secondaryHosts[1]": func(m *warzone.Game) { m.SecondaryHosts[1] = "::1" },
		"extra":             func(m *warzone.Game) { m.Extra = "x" },
		"hostPort":          func(m *warzone.Game) { m.HostPort = 1 },
		"mapName":           func(m *warzone.Game) { m.MapName = "x" },
		"hostName":          func(m *warzone.Game) { m.HostName = "x" },
		"versionString":     func(m *warzone.Game) { m.VersionString = "x" },
		"modList":           func(m *warzone.Game) { m.ModList = "x" },
		"netcodeMajor":      func(m *warzone.Game) { m.NetcodeMajor = 1 },
		"netcodeMinor":      func(m *warzone.Game) { m.NetcodeMinor = 1 },
		"private":           func(m *warzone.Game) { m.Private = 1 },
		"pure":              func(m *warzone.Game) { m.Pure = 1 },
		"mods":              func(m *warzone.Game) { m.Mods = 1 },
		"gameId":            func(m *warzone.Game) { m.GameID = 1 },
		"limits":            func(m *warzone.Game) { m.Limits = 1 },
		"os":                func(m *warzone.Game) { m.OS = 1 },
		"netcodeWord":       func(m *warzone.Game) { m.NetcodeWord = 1 },
	} {
		m := wantRecord(warzone.Layout21)
		set(&m)
		_, err := m.AppendBinary(nil)
		wantError(t, field, err, lobbywire.ErrInvalid, field, -1)
	}
}

func TestOptionsDetermineTheLayout(t *testing.T) {
	v3 := wantVersioned(3, func(m *warzone.Game) {
		m.SecondaryHosts = [2]string{"192.0.2.2", "::3"}
		m.Extra, m.Layout = "extra", warzone.Layout23
	})
	little := wantRecord(warzone.Layout20)
	little.Size = 0x30000000
	for _, tt := range []struct {
		layout warzone.Layout
		in     string
		want   warzone.Game
	}{
		{warzone.Layout23, versioned(3, place23()), v3},
		{warzone.Layout20, littleEndian(record("name")), wantRecord(warzone.Layout20)},
		{warzone.Layout21, record("name"), wantRecord(warzone.Layout21)},
		{warzone.Layout20, record("name")[:64] + "\x00\x00\x00\x30" + littleEndian(record("name"))[68:], little},
	} {
		got, err := warzone.Options{Layout: tt.layout}.ParseGame([]byte(tt.in))
		if diff := cmp.Diff(tt.want, got); diff != "" || err != nil {
			t.Errorf("%s: error %v (-want +got):\n%s", tt.layout, err, diff)
		}
		if b := mustAppend(t, tt.want); string(b) != tt.in {
			t.Errorf("%s: appended as %q", tt.layout, b)
		}
	}
	for _, tt := range []struct {
		name, in string
		layout   warzone.Layout
		field    string
	}{
		{"version 4 as 2.3", versioned(4, ""), warzone.Layout23, "version"},
		{"no version as 2.3", record("name"), warzone.Layout23, "version"},
		{"unknown layout", record("name"), 9, "layout"},
	} {
		_, err := warzone.Options{Layout: tt.layout}.ParseGame([]byte(tt.in))
		wantError(t, tt.name, err, lobbywire.ErrUnsupported, tt.field, 0)
	}
}

func TestJoinAddrIsOfHostAndPort(t *testing.T) {
	for _, tt := range []struct {
		name string
		m    warzone.Game
		want string // "" is no valid address
		port uint16
	}{
		{"2.1", warzone.Game{Layout: warzone.Layout21, Host: "192.0.2.1"}, "192.0.2.1:9999", 9999},
		{"2.0", warzone.Game{Layout: warzone.Layout20}, "", 9999},
		{"version 2", warzone.Game{Version: 2, Host: "192.0.2.1"}, "192.0.2.1:2100", 2100},
		{"version 3", warzone.Game{Version: 3, Host: "2001:db8::1"}, "[2001:db8::1]:2100", 2100},
		{"version 4", warzone.Game{Version: 4, Host: "192.0.2.1", HostPort: 2101}, "192.0.2.1:2101", 2101},
		{"version 4 with the default port", warzone.Game{Version: 4, Host: "::ffff:192.0.2.1"}, "192.0.2.1:2100", 2100},
		{"no host", warzone.Game{Version: 4, HostPort: 2101}, "", 2101},
		{"no address", warzone.Game{Version: 4, Host: "localhost"}, "", 2100},
		{"zone", warzone.Game{Version: 4, Host: "fe80::1%eth0"}, "", 2100},
	} {
		got := tt.m.JoinAddr()
		if tt.m.JoinPort() != tt.port || got.Port() != tt.port {
			t.Errorf("%s: port %d, want %d", tt.name, tt.m.JoinPort(), tt.port)
		}
		if tt.want == "" && got.IsValid() || tt.want != "" && got != netip.MustParseAddrPort(tt.want) {
			t.Errorf("%s: got %v, want %q", tt.name, got, tt.want)
		}
	}
}

// Two blanks are a port only if Extra does not end in blanks.
func TestTwoBlanksMayBeAPort(t *testing.T) {
	blanks := strings.Replace(versioned(4, place4()), pad(157, "extra")+"\x08\x35", "extra"+strings.Repeat(" ", 154), 1)
	before := strings.Replace(versioned(4, place4()), pad(157, "extra"), "extra"+strings.Repeat(" ", 152), 1)
	port := strings.Replace(versioned(4, place4()), "\x08\x35", "  ", 1)
	for _, tt := range []struct {
		name, in  string
		raw, port uint16
	}{
		{"blanks", blanks, 0, 2100},
		{"blanks before port 2101", before, 2101, 2101},
		{"port 8224", port, 8224, 8224},
	} {
		m, err := warzone.ParseGame([]byte(tt.in))
		if err != nil || m.HostPort != tt.raw || m.JoinPort() != tt.port || m.Extra != "extra" || m.MapName != "map" {
			t.Errorf("%s: port %d and %d, %v", tt.name, m.HostPort, m.JoinPort(), err)
		}
	}
}

// Fit changes only fields that cannot be appended.
func TestFitChangesOnlyWhatCannotBeSent(t *testing.T) {
	long := strings.Repeat("ü", 200)
	full := wantVersioned(4, func(m *warzone.Game) {
		m.SecondaryHosts, m.HostPort = [2]string{"192.0.2.2", "::3"}, 2101
		m.Misc, m.Extra, m.MapName, m.HostName, m.VersionString, m.ModList = long, long, long, long, long, long
		m.Name = long
	})
	for _, tt := range []struct {
		name    string
		layout  warzone.Layout
		version uint32
		want    func(m *warzone.Game)
	}{
		{"2.1", warzone.Layout21, 4, func(m *warzone.Game) {
			*m = warzone.Game{
				Layout: warzone.Layout21, Size: 72, Flags: 1, Host: "192.0.2.1", MaxPlayers: 2, CurrentPlayers: 3,
				UserFlags: [4]uint32{4, 5, 6, 7},
			}
		}},
		{"2.2", warzone.LayoutVersioned, 2, func(m *warzone.Game) {
			m.Misc, m.Extra = long[:62], long[:254]
			m.SecondaryHosts, m.HostPort, m.MapName, m.HostName = [2]string{}, 0, "", ""
		}},
		{"2.3", warzone.Layout23, 3, func(m *warzone.Game) {
			m.Extra = long[:238]
			m.Misc, m.HostPort, m.MapName, m.HostName = "", 0, "", ""
		}},
		{"3", warzone.LayoutVersioned, 3, func(m *warzone.Game) {
			m.Misc, m.HostPort, m.Extra = "", 0, long[:158]
		}},
		{"4", warzone.LayoutVersioned, 4, func(m *warzone.Game) { m.Misc, m.Extra = "", long[:156] }},
	} {
		m := full
		m.Layout, m.Version = tt.layout, tt.version
		got := m.Fit()
		want := m
		want.MapName, want.HostName, want.VersionString, want.ModList = long[:38], long[:38], long[:62], long[:254]
		tt.want(&want)
		want.Name = long[:62]
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		mustAppend(t, got)
		if got.Fit() != got {
			t.Errorf("%s: Fit changes its own result", tt.name)
		}
	}
	for _, m := range []warzone.Game{{}, {Version: 5, Name: long}, {Layout: 9, Name: long},
		{Layout: warzone.Layout23, Version: 4, Name: long}} {
		if m.Fit() != m {
			t.Errorf("changed a game of layout %v, version %d", m.Layout, m.Version)
		}
	}
}

// The texts of a clone take one allocation.
func TestCloneTakesOneAllocation(t *testing.T) {
	m := theGame()
	if got := m.Clone(); got != m {
		t.Errorf("got %+v", got)
	}
	if got := testing.AllocsPerRun(100, func() { sinkGame = m.Clone() }); got != 1 {
		t.Errorf("%v allocations, want 1", got)
	}
	for _, text := range textsOf(reflect.ValueOf(&m).Elem()) {
		text.SetString("text")
	}
	clone := m.Clone()
	for _, text := range textsOf(reflect.ValueOf(&clone).Elem()) {
		if unsafe.StringData(text.String()) == unsafe.StringData(m.Name) {
			t.Error("a clone shares the memory of the game")
		}
	}
}

// textsOf returns the texts in v.
func textsOf(v reflect.Value) (all []reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		return []reflect.Value{v}
	case reflect.Array:
		for i := range v.Len() {
			all = append(all, textsOf(v.Index(i))...)
		}
	case reflect.Struct:
		for _, f := range v.Fields() {
			all = append(all, textsOf(f)...)
		}
	}
	return all
}
