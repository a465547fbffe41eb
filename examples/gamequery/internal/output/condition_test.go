package output

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/expr-lang/expr/file"

	"github.com/lobbywire/lobbywire"
)

// All members of fullServer are known, but only the address of emptyServer.
// silentServer does not answer.
var (
	fullServer = Answer{
		Protocol: "sqp", Query: netip.MustParseAddrPort("192.0.2.1:25601"), RTT: 21500 * time.Microsecond, Attempts: 1,
		View: lobbywire.View{
			Name: "Duel of Ada", Game: "duel", Map: "de_dust", Mode: "ctf", Version: "1.0", Port: 25600,
			Players: new(3), Bots: new(0), Max: new(16), Password: new(false),
			Roster: []lobbywire.Player{{Name: "Ada", Score: new(7), Ping: new(20)}, {Name: "Grace", Bot: new(true)}},
			Teams:  []lobbywire.Team{{Name: "Red"}},
			Rules:  []lobbywire.Rule{{Key: "friendlyFire", Value: "1"}},
		},
	}
	emptyServer  = Answer{Protocol: "sqp", Query: netip.MustParseAddrPort("192.0.2.2:25601"), Attempts: 1}
	silentServer = Answer{Protocol: "sqp", Query: netip.MustParseAddrPort("192.0.2.3:25601"), Err: lobbywire.ErrTimeout}
)

func TestConditionsSelectServers(t *testing.T) {
	for _, tt := range []struct {
		condition           string
		full, empty, silent bool
	}{
		{`players > 0 && map == "de_dust"`, true, false, false},
		{`players > 0 and map == 'de_dust' and max == 16`, true, false, false},
		{`players < 16 or players >= 16`, true, false, false},
		{`players == players`, true, false, false},
		{`not (players > 0)`, false, true, true},
		{`max - players >= 13`, true, false, false},
		{`players in [2, 3]`, true, false, false},
		{`players == nil`, false, true, true},
		{`players != nil && bots == 0`, true, false, false},
		{`map == ""`, false, true, true},
		{`map == nil`, false, true, true},
		{`!password`, true, true, true},
		{`password == nil`, false, true, true},
		{`password != nil && !password`, true, false, false},
		{`roster != nil`, true, false, false},
		{`len(roster) == 0`, false, true, true},
		{`any(roster, .name == "Ada" && .ping < 50)`, true, false, false},
		{`count(roster, .bot) == 1 and any(roster, .bot == nil)`, true, false, false},
		{`all(roster, .score >= 0)`, false, true, true},
		{`any(rules, .key == "friendlyFire" and .value == "1")`, true, false, false},
		{`teams == nil ? false : one(teams, .name == "Red")`, true, false, false},
		{`lower(name) contains "duel" and name matches "(?i)ADA$"`, true, false, false},
		{`rtt < 21.6 and ping > 21 and address == "192.0.2.1:25600"`, true, false, false},
		{`query endsWith ":25601" and protocol startsWith "sq"`, true, true, true},
		{`error == nil`, true, true, false},
		{`error.code == "timeout"`, false, false, true},
		{`error.message contains "in time"`, false, false, true},
		{`any(["duel", "war"], name contains #)`, false, false, false},
		{`any(["Duel", "war"], name contains #)`, true, false, false},
		{`players in [] or max in [8, 16.0]`, true, false, false},
		{"true", true, true, true},
	} {
		c, err := newCondition(tt.condition)
		if err != nil {
			t.Errorf("%s: %v", tt.condition, err)
			continue
		}
		for _, server := range []struct {
			Answer
			want bool
		}{{fullServer, tt.full}, {emptyServer, tt.empty}, {silentServer, tt.silent}} {
			r, err := server.record()
			if err != nil {
				t.Fatal(err)
			}
			if got, err := c.isMetBy(r); got != server.want || err != nil {
				t.Errorf("%s: %v %v, want %v, of %v", tt.condition, got, err, server.want, server.Query)
			}
		}
	}
}

// Errors in conditions have a position.
func TestConditionErrorsHaveAPosition(t *testing.T) {
	for _, tt := range []struct {
		condition, message string
		at                 int // the character at the position, counted from 1
	}{
		{`plaers > 0`, "unknown name plaers", 1},
		{`players > 0 && nmae == "x"`, "unknown name nmae", 16},
		{`name > 3`, "mismatched types string and int", 6},
		{`players >`, "unexpected token", 9},
		{`any(roster, .scor > 3)`, "unknown field scor", 14},
		{`name matches "("`, "missing closing )", 6},
		{`name matches map`, "must be a text in quotes", 6},
		{`players in 1..64`, "no operator ..", 13},
		{`len(name + map) > 3`, "texts cannot be joined", 10},
		{`players % 2 == 0`, "%", 9},
		{`let x = name; x == map`, "not supported", 5},
		{`any(roster, any(roster, .score > 1))`, "cannot be nested", 13},
		{`roster[0].name == "Ada"`, "no indices", 7},
		{`repeat(name, 1000000) == ""`, "repeat", 1},
		{`max(players, 1) > 0`, "functions are all, any", 1},
		{`$env.name == ""`, "unknown name $env", 1},
		{`(players ?? 0) > 1`, "no operator ??", 10},
		{`players > nil`, "nil can only be compared", 11},
		{`nil == nil`, "nil can only be compared", 1},
		{`roster == roster`, "lists cannot be compared", 8},
		{`any([1, "a"], # > 0)`, "want values that are all", 9},
		{`(players > 0 ? 1 : "a") > 0`, "want values that are all", 20},
		{`error?.code == "timeout"`, "write . for ?.", 8},
	} {
		_, err := newCondition(tt.condition)
		var at *file.Error
		switch {
		case err == nil || !strings.Contains(err.Error(), tt.message):
			t.Errorf("%s: %v, want %s", tt.condition, err, tt.message)
		case !errors.As(err, &at):
			t.Errorf("%s: no place in %v", tt.condition, err)
		case at.Column+1 != tt.at:
			t.Errorf("%s: at %d, want %d", tt.condition, at.Column+1, tt.at)
		}
	}
	for _, condition := range []string{"", "players", `"yes"`} { // errors without a position
		if _, err := newCondition(condition); err == nil {
			t.Errorf("%q is no error", condition)
		}
	}
	if _, err := newCondition("true" + strings.Repeat(" and true", maxConditionNodes)); err == nil {
		t.Error("a condition may be of any length")
	}
}

// Conditions that compile do not fail for any server.
func FuzzCondition(f *testing.F) {
	for _, s := range []string{
		`players > 0 && map == "de_dust"`, `plaers + "x" == 1`,
		`any(roster, .name == "Ada" && .ping < 50)`, `teams == nil ? false : one(teams, .name == "Red")`,
		`lower(name) contains "duel" and name matches "(?i)ADA$"`, `max in [1,2,3]`, `any(["a"], name contains #)`,
		`roster == teams`, `error.code != nil`, `-players < -3.5e3`, `len(rules) / 2 > bots ** 2`, `(nope + nil) == x.y.z`,
		`let x = 1; x`, `roster[0:1]`, `{"a": 1}.a`, `name | lower() == "x"`,
	} {
		f.Add(s)
	}
	var records []Record
	for _, a := range []Answer{fullServer, emptyServer, silentServer} {
		r, err := a.record()
		if err != nil {
			f.Fatal(err)
		}
		records = append(records, r)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := newCondition(text)
		if err != nil {
			return
		}
		for _, r := range records {
			if _, err := c.isMetBy(r); err != nil {
				t.Fatalf("%q: %v", text, err)
			}
		}
	})
}
