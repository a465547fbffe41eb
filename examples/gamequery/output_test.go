package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// patient is a timeout that is long enough for servers on a busy machine.
const patient = "-timeout=30s"

// threeServers starts servers of sqp and returns their addresses.
func threeServers(t *testing.T) []string {
	t.Helper()
	var addrs []string
	for _, args := range [][]string{
		{"-name", "crowd", "-players", "12", "-max", "12", "-map", "de_dust"},
		{"-name", "Empty", "-players", "0", "-map", "Yard"},
		{"-name", `=cmd|'/c calc'!A0;=1+1`, "-players", "3", "-map", "de_dust"},
	} {
		addr, stop := background(t, append([]string{"serve", "sqp", "127.0.0.1:0"}, args...)...)
		t.Cleanup(func() { stop() })
		addrs = append(addrs, addr)
	}
	return addrs
}

// Filters, orders and templates determine the output of a scan.
func TestFlagsDetermineTheOutputOfAScan(t *testing.T) {
	addrs := threeServers(t)
	for _, tt := range []struct {
		flags []string
		want  string // on standard output
		shown string // part of the summary
	}{
		{[]string{"-sort", "name", "-template", "{{.name}} {{.players}}/{{.max}}"}, lines(
			"=cmd|'/c calc'!A0;=1+1 3/16", "crowd 12/12", "Empty 0/16"), "lost 0, in "},
		{[]string{"-sort", "-players", "-template", "{{.players}}"}, lines("12", "3", "0"), ""},
		{[]string{"-sort=-map,players", "-template", "{{.map}}{{\"\\t\"}}{{.players}}"},
			lines("Yard\t0", "de_dust\t3", "de_dust\t12"), ""},
		{[]string{"-sort", "-players", "-top", "1", "-template", "{{.name}}"}, lines("crowd"), "lost 0, shown 1, in "},
		{[]string{"-filter", `players > 0 && map == "de_dust"`, "-sort", "players", "-template", "{{.players}} {{.bots}}"},
			lines("3 ?", "12 ?"), "shown 2, in "},
		{[]string{"-filter", `players == 0`, "-csv", "-sort", "name"}, lines(
			"protocol,address,query,name,game,map,mode,version,host,port,"+
				"players,bots,max,password,rtt,attempts,lacks,error,id,spectators,maxSpectators,given",
			"sqp,"+addrs[1]+","+addrs[1]+",Empty,,Yard,Deathmatch,1.0,,"+addrs[1][strings.LastIndexByte(addrs[1], ':')+1:]+
				",0,,16,,RTT,1,,,,,,"), "shown 1, in "},
		{[]string{"-filter", "players > 64"}, lines("no server meets the -filter"), "shown 0, in "},
		{[]string{"-filter", "players > 64", "-json"}, "", "shown 0, in "},
	} {
		code, stdout, stderr := gamequery(nil, append(append([]string{"scan", "sqp", patient}, tt.flags...), addrs...)...)
		if slices.Contains(tt.flags, "-csv") {
			stdout = rttColumn.ReplaceAllString(stdout, ",RTT,1,,,")
		}
		if diff := cmp.Diff(tt.want, stdout); diff != "" || code != exitOK || !strings.Contains(stderr, tt.shown) {
			t.Errorf("%q: exit code %d, %q, (-want +got):\n%s", tt.flags, code, stderr, diff)
		}
	}
}

// CSV has the documented columns, and no cell that a spreadsheet evaluates.
func TestCSVHasNoFormulas(t *testing.T) {
	addrs := threeServers(t)
	silent, stop := background(t, "serve", "gamespy2", "127.0.0.1:0")
	defer stop()
	code, stdout, stderr := gamequery(nil, append([]string{"scan", "sqp", "-csv", patient}, addrs...)...)
	_, ofSilent, _ := gamequery(nil, "scan", "sqp", "-csv", "-timeout=20ms", "-attempts=1", silent)
	_, ofSilent, _ = strings.Cut(ofSilent, "\n")
	rows, err := csv.NewReader(strings.NewReader(stdout + ofSilent)).ReadAll()
	if err != nil || code != exitOK || len(rows) != 5 {
		t.Fatalf("exit code %d, %v, %s\n%s", code, err, stderr, stdout)
	}
	help := strings.ReplaceAll(helpText(t, "output"), ",\n", ",")
	if !strings.Contains(help, "\n"+strings.Join(rows[0], ",")+"\n") {
		t.Errorf("the help does not have the header %v", rows[0])
	}
	names := map[string]string{}
	for _, row := range rows[1:] {
		names[row[2]] = row[3] + "|" + row[slices.Index(rows[0], "error")]
	}
	want := map[string]string{addrs[0]: "crowd|", addrs[1]: "Empty|", addrs[2]: "'=cmd|'/c calc'!A0;'=1+1|",
		silent: "|timeout"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("names and errors (-want +got):\n%s", diff)
	}
}

// Mistakes in flags are reported before anything is sent.
func TestWrongOutputFlagsSendNothing(t *testing.T) {
	for _, tt := range []struct {
		flags []string
		err   string
	}{
		{[]string{"-json", "-csv"}, "-json and -csv: want one of them"},
		{[]string{"-filter", "plaers > 0"},
			lines("gamequery: -filter: unknown name plaers, at character 1", " | plaers > 0", " | ^")},
		{[]string{"-filter", ""}, "-filter: "},
		{[]string{"-sort", "plaers"}, `no member "plaers"; there are address, attempts, bots`},
		{[]string{"-sort", ""}, `no member ""`},
		{[]string{"-top", "0"}, "-top must be 1 at least"},
		{[]string{"-template", "{{.plaers}}"}, `no entry for key "plaers"`},
		{[]string{"-template", "{{.players"}, "unclosed action"},
		{[]string{"-template", "{{if gt .players 3}}x{{end}}"}, "for a server whose answer is empty"},
	} {
		code, stdout, stderr := gamequery(nil, append([]string{"scan", "sqp", "127.0.0.1:1"}, tt.flags...)...)
		if code != exitUsage || !strings.Contains(stderr, tt.err) || strings.Contains(stderr, "answered") ||
			stdout != "" && tt.flags[0] != "-json" {
			t.Errorf("%q: exit code %d, want %q in %s%s", tt.flags, code, tt.err, stderr, stdout)
		}
	}
}

// The file of -o is replaced only if the command succeeds.
func TestOutputFileIsReplacedOnSuccess(t *testing.T) {
	addrs := threeServers(t)
	path := filepath.Join(t.TempDir(), "servers")
	content := func() string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	code, stdout, stderr := gamequery(nil, "scan", "sqp", patient, addrs[0], "-template", "{{.name}}", "-o", path)
	if got := content(); code != exitOK || stdout != "" || got != "crowd\n" {
		t.Fatalf("exit code %d, %s%s, file %q", code, stdout, stderr, got)
	}
	for _, args := range []string{
		"scan sqp -timeout=20ms -attempts=1 127.0.0.1:9 -o " + path,
		"query sqp -timeout=20ms -attempts=1 127.0.0.1:9 -o " + path,
		"query sqp -json 127.0.0.1:9-10 -o " + path,
		"scan sqp -bogus " + addrs[0] + " -o " + path,
	} {
		if code, _, _ := gamequery(nil, strings.Fields(args)...); code == exitOK || content() != "crowd\n" {
			t.Errorf("%s: exit code %d, file %q", args, code, content())
		}
	}
	interrupted, cancel := context.WithCancel(t.Context())
	cancel()
	var out, errs bytes.Buffer
	scan := []string{"scan", "sqp", "-json", "-o", path, addrs[0]}
	if code := runContext(interrupted, scan, nil, &out, &errs); code != exitFailed || content() != "crowd\n" {
		t.Errorf("interrupted: exit code %d, file %q", code, content())
	}
	code, _, stderr = gamequery(nil, "query", "sqp", patient, addrs[1], "-output", path)
	if got := content(); code != exitOK || !strings.HasPrefix(got, "name     Empty\n") {
		t.Errorf("exit code %d, %s, file %q", code, stderr, got)
	}
	code, _, _ = gamequery(nil, "query", "-json", "sqp", "-timeout=20ms", "-attempts=1", "127.0.0.1:9", "-o", path)
	if got := content(); code != exitFailed || !strings.Contains(got, `"code":"`) {
		t.Errorf("exit code %d, file %q", code, got)
	}
	if all, err := os.ReadDir(filepath.Dir(path)); err != nil || len(all) != 1 {
		t.Errorf("%v, %v", all, err)
	}
	if code, _, stderr := gamequery(nil, "scan", "sqp", addrs[0], "-o", filepath.Join(path, "x")); code != exitFailed ||
		!strings.Contains(stderr, "not a directory") {
		t.Errorf("exit code %d, %s", code, stderr)
	}
	code, stdout, _ = gamequery(nil, "scan", "sqp", patient, addrs[0], "-template", "{{.name}}", "-o", "-")
	if code != exitOK || stdout != "crowd\n" {
		t.Errorf("exit code %d, %q", code, stdout)
	}
}

func TestVersionCommandPrintsVersions(t *testing.T) {
	_, want, _ := gamequery(nil, "-version")
	code, got, stderr := gamequery(nil, "version")
	if code != exitOK || got != want || !strings.HasPrefix(got, "gamequery version ") {
		t.Errorf("exit code %d, %q, want %q, %s", code, got, want, stderr)
	}
}

// rttColumn matches the round trip in a row of CSV.
var rttColumn = regexp.MustCompile(`,[0-9.]+,1,,,`)
