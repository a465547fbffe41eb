package main

import (
	"io"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/pflag"
)

// -help lists each flag once, in its group, in lines that fit.
func TestHelpHasEachFlagOnce(t *testing.T) {
	var help strings.Builder
	if code := run(t.Context(), []string{"-help"}, nil, &help, io.Discard); code != exitOK {
		t.Fatalf("exit code %d", code)
	}
	var c config
	var file string
	rest := help.String()
	for _, g := range flagGroups(&c, &file) {
		_, after, found := strings.Cut(rest, "\n"+g.title+":\n")
		if !found {
			t.Fatalf("%q does not follow in:\n%s", g.title, rest)
		}
		rest = after
		group, _, _ := strings.Cut(after, "\n\n")
		g.VisitAll(func(f *pflag.Flag) {
			isListed := regexp.MustCompile(`(?m)^ +--` + f.Name + `( |$)`)
			if len(isListed.FindAllString(help.String(), -1)) != 1 || !isListed.MatchString(group) {
				t.Errorf("--%s is not once, or not in the group %q", f.Name, g.title)
			}
		})
	}
	for line := range strings.Lines(help.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > helpWidth {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	if !strings.Contains(rest, "--version") {
		t.Errorf("no --version in:\n%s", rest)
	}
}

// Earlier names of flags work and are logged, but -help does not list them.
func TestOldNamesOfFlagsWork(t *testing.T) {
	args := append(anywhere(), "-http", "127.0.0.1:0", "-config",
		file(t, "[[gamespy.games]]\nname = 'gmtest'\nkey = 'HA6zkS'"), "-gamespy2-list", "127.0.0.1:0")
	l := begin(t, args...)
	if line := l.logged(t, "an old name of a flag"); line["flag"] != "-http" || line["now"] != "-warzone-http" {
		t.Errorf("log: %v", line)
	}
	l.awaitReady(t)
	if l.addr["http"] == "" || l.addr["gamespy-list"] == "" {
		t.Errorf("addresses: %v", l.addr)
	}
	for _, n := range oldNames {
		node := []string{"--nats", embedded, "--peer", "192.0.2.1:1", "--routes", "192.0.2.1:1"}
		old, err := load(append(slices.Clone(node), "--"+n.old, "192.0.2.1:2"))
		now, err2 := load(append(slices.Clone(node), "--"+n.now, "192.0.2.1:2"))
		if err != nil || err2 != nil {
			t.Errorf("-%s and -%s: %v, %v", n.old, n.now, err, err2)
		}
		wantConfig(t, old, now)
	}
	var help strings.Builder
	run(t.Context(), []string{"-help"}, nil, &help, io.Discard)
	for _, n := range oldNames {
		if regexp.MustCompile(`(?m)^ +--` + n.old + ` `).MatchString(help.String()) {
			t.Errorf("-help lists -%s", n.old)
		}
	}
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if _, said := fails(t, append(anywhere(), "-warzone-http", busy.Addr().String())...); !strings.Contains(said,
		"with -warzone-http, or none with -warzone-http off") {
		t.Errorf("said %s", said)
	}
}
