package main

import (
	"cmp"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

// The lists of the query service equal the output of list -json.
func TestHTTPListsAreThoseOfList(t *testing.T) {
	t.Parallel()
	service, stopService := background(t, "http", "-allow", "127.0.0.0/8", "-list-cache", "0s", "-timeout", "1m",
		"127.0.0.1:0")
	for _, name := range []string{"gameagent", "bomberman", "warzone", "wzhttp", "wztext", "wzbinary", "wzjson"} {
		master, stopMaster := background(t, "master", name, "127.0.0.1:0")
		if name == "wzhttp" {
			master = "http://" + master
		}
		_, stop := background(t, "serve", name, "127.0.0.1:0", "-register", master)
		want := eventually(t, func(code int, stdout, _ string) bool { return code == exitOK && stdout != "" }, "list",
			"-json", name, master)
		status, got := fetch(t, "http://"+service+"/v1/list?protocol="+name+"&master="+url.QueryEscape(master))
		if status != 200 || got != want {
			t.Errorf("%s: %d\n%swant\n%s", name, status, got, want)
		}
		if members := checkLines(t, got); members["id"] == members["address"] {
			t.Errorf("%s: players need an address or an id to join: %s", name, got)
		}
		stop()
		stopMaster()
	}
	if code, rest := stopService(); code != exitOK || rest != "" {
		t.Errorf("exit code %d, %s", code, rest)
	}
}

// The list of a gamespy2 master has the games that the filter selects, for clients with its key.
func TestHTTPListsFilteredGames(t *testing.T) {
	t.Parallel()
	lists := programtest.UnusedAddr(t)
	master, _ := background(t, "master", "gamespy2", "-game", "duel", "-key", "secret", "127.0.0.1:0", lists)
	addr, _ := background(t, "serve", "gamespy2", "-register", master, "-game", "duel", "-key", "secret",
		"-name", hostileName, "127.0.0.1:0")
	want := eventually(t, func(code int, stdout, _ string) bool { return code == exitOK && stdout != "" },
		"list", "-json", "gamespy2", "-game", "duel", "-key", "secret", lists)
	if !strings.Contains(want, addr) {
		t.Fatalf("%s is not listed: %s", addr, want)
	}
	serve := func(timeout string) (service string) {
		service, _ = background(t, "http", "-allow", "127.0.0.0/8", "-list-cache", "0s", "-timeout", timeout, "127.0.0.1:0")
		return service
	}
	patiently, briefly := serve("1m"), serve("1s")
	for _, tt := range []struct{ game, key, filter, want, failure string }{
		{game: "duel", key: "secret", want: want},
		{game: "duel", key: "secret", filter: "numplayers > 2", want: want},
		{game: "duel", key: "secret", filter: "numplayers > 3"},
		{game: "duel", key: "another", failure: `"error":`},
		{game: "nosuch", key: "secret", failure: `"error":`},
	} {
		values := url.Values{
			"protocol": {"gamespy2"}, "master": {lists}, "game": {tt.game}, "key": {tt.key}, "filter": {tt.filter},
		}
		service := patiently
		if tt.failure != "" {
			service = briefly // the master lets clients with wrong keys wait
		}
		status, got := fetch(t, "http://"+service+"/v1/list?"+values.Encode())
		if tt.failure == "" && got != tt.want || !strings.Contains(got, tt.failure) || status != 200 {
			t.Errorf("%+v: %d\n%s", tt, status, got)
		}
		checkLines(t, got)
	}
}

// A query has the form of query -json, and the service ends by itself.
func TestHTTPQueryHasTheFormOfQuery(t *testing.T) {
	server, _ := background(t, "serve", "sqp", "-name", hostileName, "127.0.0.1:0")
	service, stop := background(t, "http", "-allow", "127.0.0.0/8", "127.0.0.1:0")
	status, got := fetch(t, "http://"+service+"/v1/query?full=1&game=sqp&address="+server)
	if status != 200 || !strings.Contains(got, `"roster":[`) {
		t.Errorf("%d %s", status, got)
	}
	checkLines(t, got)
	if code, rest := stop(); code != exitOK || rest != "" {
		t.Errorf("exit code %d, %s", code, rest)
	}
}

func TestHTTPRefusesWrongUsage(t *testing.T) {
	for _, args := range []string{
		"", "127.0.0.1:0 x", "-allow 10.0.0.1/33 :0", "-allow ::1%lo :0", "-trusted-proxy x :0",
		"-rate 0 :0", "-timeout 0s :0", "-max-queries -1 :0",
	} {
		if code, _, stderr := gamequery(nil, append([]string{"http"}, strings.Fields(args)...)...); code != exitUsage {
			t.Errorf("%q: exit code %d, %s", args, code, stderr)
		}
	}
}

// With the configuration in the help, Prometheus gets the metrics of a game and of the
// service.
func TestPrometheusReadsTheExample(t *testing.T) {
	example := regexp.MustCompile(`(?s)\nscrape_configs:\n.*?\n\n`).FindString(helpText(t, "http"))
	var config struct {
		Jobs []struct {
			Path    string `yaml:"metrics_path"`
			Params  url.Values
			Relabel []struct {
				Target string `yaml:"target_label"`
			} `yaml:"relabel_configs"`
		} `yaml:"scrape_configs"`
	}
	if err := yaml.Unmarshal([]byte(example), &config); err != nil || len(config.Jobs) != 2 {
		t.Fatalf("%d jobs, %v:\n%s", len(config.Jobs), err, example)
	}
	server, _ := background(t, "serve", "gamespy2", "127.0.0.1:0")
	service, _ := background(t, "http", "-allow", "127.0.0.0/8", "127.0.0.1:0")
	games := config.Jobs[0]
	for _, rule := range games.Relabel {
		if name, ok := strings.CutPrefix(rule.Target, "__param_"); ok {
			games.Params.Set(name, server)
		}
	}
	status, got := fetch(t, "http://"+service+games.Path+"?"+games.Params.Encode())
	if status != 200 || !strings.Contains(got, "\nprobe_success 1\n") {
		t.Errorf("the game: %d\n%s", status, got)
	}
	status, got = fetch(t, "http://"+service+cmp.Or(config.Jobs[1].Path, "/metrics"))
	if status != 200 || !strings.Contains(got, "\ngamequery_") {
		t.Errorf("the service: %d\n%s", status, got)
	}
}
