package health

import (
	"net/netip"
	"regexp"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/colour"
)

// set returns a set of prefixes.
func set(t *testing.T, prefixes ...string) *ban.Set {
	t.Helper()
	var all []ban.Prefix
	for _, text := range prefixes {
		p, err := ban.ParsePrefix(text)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	return ban.NewSet(all)
}

func TestFaultNamesTheRule(t *testing.T) {
	rules := Rules{
		Banned:   set(t, "198.51.100.0/24", "2001:db8::/32"),
		Patterns: []*regexp.Regexp{regexp.MustCompile(`(?i)free\s+coins`)},
	}
	good := claim{from: netip.MustParseAddr("203.0.113.1"), name: "Duel", players: 2, most: 4}
	for _, tt := range []struct {
		what   string
		change func(c *claim)
		want   string
	}{
		{"nothing", func(*claim) {}, ""},
		{"nothing known", func(c *claim) { c.name, c.players, c.most = "", -1, -1 }, ""},
		{"a few bots", func(c *claim) { c.players, c.most = 16, 4 }, ""},
		{"spectators only", func(c *claim) { c.players, c.most = 8, 0 }, ""},
		{"banned", func(c *claim) { c.from = netip.MustParseAddr("198.51.100.7") }, "banned address, 198.51.100.0/24"},
		{"banned in the form of IPv6", func(c *claim) { c.from = netip.MustParseAddr("::ffff:198.51.100.7") },
			"banned address, 198.51.100.0/24"},
		{"banned with a zone", func(c *claim) { c.from = netip.MustParseAddr("2001:db8::1%eth0") },
			"banned address, 2001:db8::/32"},
		{"a banned name", func(c *claim) { c.name = "FREE  COINS here" }, `banned name (?i)free\s+coins`},
		{"a banned name in colours", func(c *claim) { c.name, c.codes = "^cff0000Fr^r^bee ^cffffffcoins", colour.SeriousSam },
			`banned name (?i)free\s+coins`},
		{"a banned name in the colours of Quake", func(c *claim) { c.name, c.codes = "^1Fr§aee ^7coins", colour.Quake },
			`banned name (?i)free\s+coins`},
		{"no codes", func(c *claim) { c.name = "Fr^1ee coins" }, ""},
		{"unknown places", func(c *claim) { c.players, c.most = 64, -1 }, ""},
		{"too many players and unknown places", func(c *claim) { c.players, c.most = 1025, -1 }, "claims 1025 players"},
		{"too many players", func(c *claim) { c.players = 17 }, "claims 17 players of 4"},
		{"too many places", func(c *claim) { c.most = 1025 }, "claims 1025 places"},
	} {
		c := good
		tt.change(&c)
		found := rules.fault(c)
		if got := strings.TrimSpace(found.text + " " + found.pattern); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.what, got, tt.want)
		}
	}
	if got := (&Rules{MaxPlayers: 3}).fault(good).text; got != "claims 4 places" {
		t.Errorf("got %q", got)
	}
}
