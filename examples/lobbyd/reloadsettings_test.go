package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// gameSpyGame is a section of the configuration.
func gameSpyGame(name, key string) string {
	return fmt.Sprintf("[[gamespy.games]]\nname = %q\nkey = %q\n", name, key)
}

// A reload adds and removes games, and changes keys.
func TestReloadChangesGames(t *testing.T) {
	const legacy = "[[gameagent.games]]\nname = 'ut'\n"
	name := file(t, gameSpyGame("other", "abcdef"))
	l := start(t, append(anywhere(), "-config", name, "-gamespy", "127.0.0.1:0", "-gamespy-list", "127.0.0.1:0")...)
	rewrite(t, name, gameSpyGame("other", "abcdef")+gameSpyGame(gmtest.Name, gmtest.Key)+legacy)
	l.reloads(t, "reloaded")
	at := registerGameSpy(t, l, "Duel")
	l.wantGameSpy(t, at)
	rewrite(t, name, gameSpyGame(gmtest.Name, gmtest.Key))
	l.reloads(t, "reloaded")
	l.wantGameSpy(t, at)

	rewrite(t, name, gameSpyGame("other", "abcdef"))
	l.reloads(t, "reloaded")
	eventually(t, func() string {
		if got := l.metric(t, `lobbyd_listed{family="gamespy2"}`); got != "0" {
			return got + " are listed"
		}
		return ""
	})
	rewrite(t, name, "")
	if line := l.reloads(t, "not reloaded"); !strings.Contains(line["error"].(string), "need gamespy.games") {
		t.Errorf("%v", line)
	}
}

// Games that do not start are hidden only if the operator wants that.
func TestReloadHidesUnstartedGames(t *testing.T) {
	t.Parallel()
	name := file(t, "")
	l := start(t, append(anywhere(), "-config", name)...)
	host(t, l, "one")
	l.wantWarzone(t, "one")
	want := func(n string) {
		t.Helper()
		eventually(t, func() string {
			if got := l.metric(t, `lobbyd_withheld_causes{cause="unstarted"}`); got != n {
				return got + " are hidden"
			}
			return ""
		})
	}
	want("0")
	rewrite(t, name, "[bans]\nunstarted = '1ms'")
	l.reloads(t, "reloaded")
	want("1")
	rewrite(t, name, "[bans]\nunstarted = '1d'")
	l.reloads(t, "reloaded")
	l.wantWarzone(t, "one")
	want("0")
}

// A reload changes limits in both directions. Games that are listed stay.
func TestReloadChangesLimits(t *testing.T) {
	name := file(t, "[warzone]\nmax-games = 1")
	l := start(t, append(anywhere(), "-config", name)...)
	host(t, l, "one")
	l.wantWarzone(t, "one")
	host(t, l, "two")
	eventually(t, func() string {
		if got := l.metric(t, `lobbyd_full_total{family="warzone"}`); got == "0" {
			return "the second game is not refused"
		}
		return ""
	})
	rewrite(t, name, "[warzone]\nmax-games = 3\n[web]\nrequests-per-source = 1000")
	l.reloads(t, "reloaded")
	host(t, l, "three")
	l.wantWarzone(t, "three")
	l.wantWarzone(t, "one")
	for range 200 { // more than 50 a second
		l.get(t, "/api/servers")
	}
	if got := l.metric(t, `lobbyd_http_refused_total{reason="requests"}`); got != "0" {
		t.Errorf("%s requests are refused", got)
	}
}

// A reload changes the masters that exchange servers with lobbyd.
func TestReloadChangesSyncMasters(t *testing.T) {
	firstFile, secondFile := file(t, ""), file(t, "")
	first := start(t, append(anywhere(), "-config", firstFile)...)
	second := start(t, append(anywhere(), "-config", secondFile)...)
	at := registerLegacy(t, first.addr["gameagent-legacy"])
	first.wantGameAgent(t, at)
	rewrite(t, firstFile, "[gameagent]\nsync-for = ['127.0.0.1']")
	first.reloads(t, "reloaded")
	rewrite(t, secondFile, fmt.Sprintf("[gameagent]\nsync-from = [%q]", first.addr["gameagent-list"]))
	second.reloads(t, "reloaded")
	second.wantGameAgent(t, at)
}

// The log names the settings that need a restart, and no others.
func TestReloadNamesSettingsThatNeedARestart(t *testing.T) {
	name := file(t, "")
	l := start(t, append(anywhere(), "-config", name)...)
	rewrite(t, name, `
grace = "5s"
[gameagent]
max-servers = 10
sync-for = []
[warzone]
trusted-proxies = ["192.0.2.1"]
max-connections = 10
tls = {email = "admin@lobby.example"}
[web]
title = "Another"
max-streams = 5
`)
	line := l.reloads(t, "some of what has changed takes effect at a restart")
	want := []any{"grace", "warzone.tls.email", "warzone.trusted-proxies", "web.title", "web.max-streams"}
	if diff := cmp.Diff(want, line["settings"]); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
	l.logged(t, "reloaded")
}

// A secret that has changed in its file needs a restart. The log names its key, not the
// secret.
func TestChangedSecretsNeedARestart(t *testing.T) {
	a, b := defaults(), defaults()
	a.Warzone.key, b.Warzone.key = "one", "two"
	b.Admin.token, b.Admin.TokenFile = "three", "file"
	want := []string{"warzone.key-file", "admin.token-file"}
	if diff := cmp.Diff(want, a.waiting(b)); diff != "" {
		t.Errorf("settings (-want +got):\n%s", diff)
	}
}
