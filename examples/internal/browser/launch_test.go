package browser

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// launched names the file for the arguments of the program that a test starts.
const launched = "LOBBYWIRE_LAUNCHED"

// TestMain is that program if a test has started it.
func TestMain(m *testing.M) {
	if file := os.Getenv(launched); file != "" && len(os.Args) > 1 && os.Args[1] == "-game" {
		if err := os.WriteFile(file, []byte(strings.Join(os.Args[1:], "\n")), 0o600); err != nil {
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestParseCommand(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		in   string
		want []string // nil if it is refused
	}{
		{self + "  +connect {address} ", []string{self, "+connect", "{address}"}},
		{`"` + self + `" 'a b' x"y z"'' '' --at={host}:{port}`, []string{self, "a b", "xy z", "", "--at={host}:{port}"}},
		{self + " {address} $(id) `id` ; id", []string{self, "{address}", "$(id)", "`id`", ";", "id"}},
		{"", nil},
		{self, nil},
		{"{address} {address}", nil},
		{self + " {port}", nil},
		{self + " '{address}", nil},
		{"/no/such/program {address}", nil},
	} {
		got, err := ParseCommand(tt.in)
		if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%q: %v (-want +got):\n%s", tt.in, err, diff)
		}
	}
}

// Only an address reaches a command, whatever lists and servers say.
func TestJoiningTakesOnlyAddresses(t *testing.T) {
	command := []string{"game", "{address}", "-h={host}", "-p={port}", "{name}"}
	for _, tt := range []struct {
		join string
		want []string // nil if it is refused
	}{
		{"192.0.2.1:7777", []string{"game", "192.0.2.1:7777", "-h=192.0.2.1", "-p=7777", "{name}"}},
		{"[2001:db8::1]:7", []string{"game", "[2001:db8::1]:7", "-h=2001:db8::1", "-p=7", "{name}"}},
		{"[::ffff:192.0.2.1]:7", []string{"game", "192.0.2.1:7", "-h=192.0.2.1", "-p=7", "{name}"}},
		{"game.example.org:7777", nil},
		{"-oProxyCommand=id:7777", nil},
		{"$(id):7777", nil},
		{"192.0.2.1:7777;id", nil},
		{"192.0.2.1:7777 -exec id", nil},
		{"192.0.2.1 {address}:7777", nil},
		{"[fe80::1%;id]:7777", nil},
		{"[fe80::1%eth0]:7777", nil},
		{"192.0.2.1:0", nil},
		{"192.0.2.1:-1", nil},
		{"0.0.0.0:7", nil},
		{"[::]:7", nil},
		{"224.0.0.1:7", nil},
		{"192.0.2.1\n:7", nil},
		{"192.0.2.1", nil},
		{"http://192.0.2.1:7", nil},
		{"", nil},
	} {
		got, err := joining(command, tt.join)
		if diff := cmp.Diff(tt.want, got); diff != "" || (err == nil) != (tt.want != nil) {
			t.Errorf("%q: %v (-want +got):\n%s", tt.join, err, diff)
		}
	}
}

// The key starts the program of the game with the address of the chosen server. Hostile
// names and hosts start nothing, and are in no argument.
func TestLaunch(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "arguments")
	t.Setenv(launched, file)
	m := newTestModel(t)
	m.browser.Command = func(protocol, game string) []string {
		if protocol != "sqp" {
			return nil
		}
		return []string{self, "-game", "{address}", "a b"}
	}
	m.Update(foundMsg{{Protocol: "sqp", Address: "192.0.2.1:7778", RTT: 1, View: lobbywire.View{
		Name: "$(id) {address} ;id", Game: "'; id", Map: "-x", Port: 7777, Players: new(99)}}})
	wait := press(m, "ctrl+l")
	if wait == nil {
		t.Fatalf("nothing started: %q", m.notice)
	}
	if want := "started " + self + " -game 192.0.2.1:7777 a b"; m.notice != want {
		t.Errorf("notice %q, want %q", m.notice, want)
	}
	m.Update(wait())
	got, err := os.ReadFile(file)
	if err != nil || string(got) != "-game\n192.0.2.1:7777\na b" || strings.Contains(m.notice, "exit") {
		t.Errorf("%v, arguments %q, notice %q", err, got, m.notice)
	}
	for host, want := range map[string]string{
		"$(id)": `"$(id):7777" is not an IP address and a port`,
		"-x":    `"-x:7777" is not an IP address and a port`,
	} {
		m.Update(foundMsg{{Protocol: "sqp", Address: "192.0.2.1:7778", RTT: 1, View: lobbywire.View{
			Name: "Evil", Host: host, Port: 7777, Players: new(99)}}})
		if cmd := press(m, "home", "ctrl+l"); cmd != nil || m.notice != want {
			t.Errorf("%s: notice %q, want %q", host, m.notice, want)
		}
	}
	i := slices.IndexFunc(m.rows, func(s *server) bool { return s.Protocol == "gamespy2" })
	m.choose(i)
	if cmd := press(m, "ctrl+l"); cmd != nil || m.notice != "there is no -launch for gamespy2" {
		t.Errorf("notice %q", m.notice)
	}
	press(m, "end", "ctrl+l")
	if m.notice != "where to join is unknown" {
		t.Errorf("notice %q", m.notice)
	}
}
