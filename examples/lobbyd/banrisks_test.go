package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// asks returns what lobbyd admin -dry-run prints for a ban, which must not come into
// force.
func asks(t *testing.T, over []string, args ...string) (x banEffect) {
	t.Helper()
	said := do(t, over, append(args, "-dry-run")...)
	if err := json.Unmarshal([]byte(said), &x); err != nil {
		t.Fatalf("%q: %s", args, said)
	}
	if all := listedBans(t, over); len(all) != 0 {
		t.Fatalf("%q: %+v", args, all)
	}
	return x
}

// A ban needs a confirmation if it is for an address that lobbyd needs, hides very much, or
// matches nothing, at the command line and in the API. -dry-run prints the reason.
func TestRiskyBansNeedConfirmation(t *testing.T) {
	_, over := adminOf(t, "-trusted-proxy", "192.0.2.7", "-trusted-proxy", "198.51.100.0/24")
	for _, tt := range []struct{ args, want string }{
		{"ban 127.0.0.1", "loopback addresses"},
		{"ban 127.9.9.9", "loopback addresses"},
		{"ban ::1", "loopback addresses"},
		{"ban ::ffff:127.0.0.1", "loopback addresses"},
		{"ban ::/32", "loopback addresses"},
		{"ban 192.0.2.7", "the trusted proxy 192.0.2.7/32"},
		{"ban 192.0.0.0/16", "the trusted proxy 192.0.2.7/32"},
		{"ban 198.51.100.5", "the trusted proxy 198.51.100.0/24"},
		{"ban 10.0.0.0/8", "very many addresses"},
		{"ban 2000::/3", "very many addresses"},
		{"ban -pattern .*", "all servers"},
		{"ban -pattern .", "all servers"},
		{"ban -pattern |casino", "all servers"},
		{"ban -pattern (?s).?", "all servers"},
		{"hide 192.0.2.99:6500", "no server has its host at 192.0.2.99:6500"},
		{"ban 192.0.2.8", ""},
		{"ban 2001:db8::/48", ""},
		{"ban -pattern (?i)casino", ""},
		{"ban -pattern ^$", ""},
	} {
		args := strings.Fields(tt.args)
		x := asks(t, over, args...)
		if got := strings.Join(x.Asks, "; "); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: it asks %q, want %q", tt.args, got, tt.want)
		}
		if tt.want == "" {
			continue
		}
		if code, said := admin(t, append(over, args...)...); code != exitFailed || !strings.Contains(said, tt.want) ||
			!strings.Contains(said, "[y/N]") {
			t.Errorf("%s: %d, %s", tt.args, code, said)
		}
	}
	if all := listedBans(t, over); len(all) != 0 {
		t.Errorf("without an answer: %+v", all)
	}
}

// lobbyd needs the addresses of other nodes and NATS, too.
func TestBansOfNodesNeedConfirmation(t *testing.T) {
	for _, tt := range []struct {
		cluster clusterConfig
		prefix  string
		asks    bool
	}{
		{clusterConfig{NATS: embedded, Peers: []string{"192.0.2.1:6222", "192.0.2.9:6222"}}, "192.0.2.9/32", true},
		{clusterConfig{NATS: embedded, Peers: []string{"192.0.2.1:6222", "192.0.2.9:6222"}}, "192.0.2.8/32", false},
		{clusterConfig{NATS: embedded, Peers: []string{"[2001:db8::9]:6222"}}, "2001:db8::/48", true},
		{clusterConfig{NATS: "nats://192.0.2.9:4222, 192.0.2.10:4222"}, "192.0.2.10/32", true},
		{clusterConfig{NATS: "tls://[2001:db8::9]:4222"}, "2001:db8::/48", true},
		{clusterConfig{}, "192.0.2.9/32", false},
	} {
		c := defaults()
		c.Cluster = tt.cluster
		d := newLobbyd(c, io.Discard)
		one := ban.Record{Kind: ban.KindPrefix, Value: tt.prefix}
		x := d.lists.effectOf(httptest.NewRequest(http.MethodPost, "/ban", nil), one)
		asks := slices.ContainsFunc(x.Asks, func(text string) bool { return strings.Contains(text, "another node") })
		if asks != tt.asks {
			t.Errorf("%+v, %s: %q", tt.cluster, tt.prefix, x.Asks)
		}
	}
}

// Over TCP, the API needs an explicit member to confirm a ban, and asks before it bans
// its own client.
func TestRiskyBansNeedConfirmationInTheAPI(t *testing.T) {
	l, over := adminOf(t)
	post := func(body string) (int, adminRefusal) {
		t.Helper()
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://"+l.addr["admin-listen"]+"/ban",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("Authorization", "Bearer "+token)
		r, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		var refused adminRefusal
		json.NewDecoder(r.Body).Decode(&refused) // a list of bans is another type
		return r.StatusCode, refused
	}
	code, refused := post(`{"prefix": "127.0.0.1"}`)
	if got := strings.Join(refused.Asks, "; "); code != http.StatusConflict ||
		!strings.Contains(got, "your own address") || !strings.Contains(refused.Error, `"yes"`) {
		t.Errorf("%d, %+v", code, refused)
	}
	if code, _ := post(`{"pattern": ".*", "yes": false}`); code != http.StatusConflict {
		t.Errorf("a pattern for all: %d", code)
	}
	if code, _ := post(`{"pattern": "(", "yes": true}`); code != http.StatusBadRequest {
		t.Errorf("no pattern: %d", code)
	}
	if all := listedBans(t, over); len(all) != 0 {
		t.Errorf("%+v", all)
	}
	if code, _ := post(`{"prefix": "10.0.0.0/8", "yes": true}`); code != http.StatusOK || len(listedBans(t, over)) != 1 {
		t.Errorf("confirmed: %d, %+v", code, listedBans(t, over))
	}
}

// A ban that hides more than a tenth of the list needs a confirmation, and -dry-run names the
// servers. A server that is hidden already does not count.
func TestBansOfATenthNeedConfirmation(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, withGameSpy(t)...)
	first := registerGameSpy(t, l, "First ^1Casino")
	second := registerGameSpy(t, l, "Second")
	l.wantGameSpy(t, first, second)
	eventually(t, func() string {
		x := asks(t, over, "ban", "-pattern", "Casino")
		if x.Listed != 2 || x.Hides != 1 || len(x.Servers) != 1 || x.Servers[0].At != first.String() ||
			len(x.Asks) != 1 || x.Asks[0] != "it hides 1 of 2 listed servers" {
			return fmt.Sprintf("%+v", x)
		}
		return ""
	})
	if x := asks(t, over, "hide", first.String()); x.Hides != 1 || len(x.Asks) != 0 {
		t.Errorf("hiding the first: %+v", x)
	}
	if x := asks(t, over, "hide", "127.0.0.1:1"); len(x.Asks) != 1 || !strings.Contains(x.Asks[0], second.String()) {
		t.Errorf("hiding another port: %+v", x)
	}
	if x := asks(t, over, "ban", "-pattern", "Third"); x.Hides != 0 || len(x.Asks) != 0 {
		t.Errorf("a pattern of no name: %+v", x)
	}
}

// The log shows the end of a ban only if there is one.
func TestLogShowsTheEndOfBans(t *testing.T) {
	l, over := adminOf(t)
	do(t, over, "ban", "192.0.2.1")
	if line := l.logged(t, "banned"); line["until"] != nil {
		t.Errorf("a ban of an address: %v", line)
	}
	do(t, over, "ban", "-for", "30d", "192.0.2.2")
	line := l.logged(t, "banned")
	until, err := time.Parse(time.RFC3339, line["until"].(string))
	if left := time.Until(until); err != nil || left > 30*day || left < 29*day {
		t.Errorf("%v, %v", line, err)
	}
}

func TestDurationsMayHaveDays(t *testing.T) {
	for text, want := range map[string]time.Duration{
		"10s": 10 * time.Second, "0": 0, "30d": 30 * day, "1d12h": 36 * time.Hour, "0d": 0, "36500d": 36500 * day,
		"1d0s": day,
	} {
		var d duration
		if err := d.UnmarshalText([]byte(text)); err != nil || time.Duration(d) != want {
			t.Errorf("%q: %v, %v", text, time.Duration(d), err)
		}
	}
	for _, text := range []string{"", "d", "-1d", "-10s", "1d-1s", "1.5d", "36501d", "36500d1s", "99999999999999999999d",
		"2562047h", "1d1d", "30", "30days", "+1d", " 1d"} {
		var d duration
		if err := d.UnmarshalText([]byte(text)); err == nil {
			t.Errorf("%q is %v", text, time.Duration(d))
		}
	}
}
