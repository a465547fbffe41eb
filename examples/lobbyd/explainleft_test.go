package main

import (
	"fmt"
	"io"
	"net/netip"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/catalogue"
	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/refusals"
	"github.com/lobbywire/lobbywire/warzone/wzproposal/proposalnet"
)

// After the end of a server its explanation states when and why its listing ended, in each protocol
// with a goodbye. The server is neither pending nor unknown. Only operators see a game of 4.7.
func TestExplainStatesTheEndOfAListing(t *testing.T) {
	t.Parallel()
	const goodbye = ": it said goodbye."
	proposal := func(p proposalnet.Proposal) func(t *testing.T, l *running) {
		return func(t *testing.T, l *running) {
			h := &proposalnet.Host{Addr: l.addr[p.String()], Proposal: p}
			if err := h.Set(proposalnet.Game{Port: 3001, Name: "as " + p.String()}); err != nil {
				t.Fatal(err)
			}
			inBackground(t, func() { h.Run(t.Context()) })
			t.Cleanup(func() { h.Close() })
		}
	}
	for _, tt := range []struct {
		name  string
		begin func(t *testing.T, l *running)
		why   string
	}{
		{"gamespy2", func(t *testing.T, l *running) { registerGameSpy(t, l, "Duel") }, goodbye},
		{"legacy", func(t *testing.T, l *running) { registerLegacy(t, l.addr["gameagent-legacy"]) }, goodbye},
		{"lobby", func(t *testing.T, l *running) { host(t, l, "Duel") },
			": its host has closed the connection, as it does when a match starts."},
		{"text", proposal(proposalnet.Text), goodbye},
		{"binary", proposal(proposalnet.Binary), goodbye},
		{"json", proposal(proposalnet.JSON), goodbye},
		{"bomberman", func(t *testing.T, l *running) { registerBomberman(t, l, "Bombs") }, ": it has closed the connection."},
		{"http", func(t *testing.T, l *running) { hostHTTP(t, "http://"+l.addr["web"]+lobbyPath, "Chess") }, goodbye},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l, over := adminOf(t, withGameSpy(t, "-no-verify")...)
			t.Run("listed", func(t *testing.T) {
				tt.begin(t, l)
				x := wantSummary(t, over, "listed.")
				if len(x.Servers) != 1 || x.Summary != "Servers of the address are listed." {
					t.Errorf("while it is listed: %+v", x)
				}
			})
			eventually(t, func() string {
				x := explained(t, over, "127.0.0.1")
				if len(x.Servers) > 0 || len(x.Left) != 1 || !strings.HasSuffix(x.Summary, tt.why) ||
					!strings.Contains(x.Summary, " was listed until 2") {
					return fmt.Sprintf("%+v", x)
				}
				for _, r := range x.Refusals {
					if !r.Over {
						return fmt.Sprintf("%+v", r)
					}
				}
				return ""
			})
			public := l.get(t, "/api/explain?address=127.0.0.1")
			if isPublic := strings.Contains(public, `"until"`); isPublic == (tt.name == "http") ||
				strings.Contains(public, "Chess") {
				t.Errorf("for all: %s", public)
			}
		})
	}
}

// An explanation states when lobbyd queries again: at the next heartbeat, whose time follows from
// earlier ones.
func TestExplainStatesTheNextQuery(t *testing.T) {
	last := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		server string
		reason lobbywire.Reason
		before time.Time
		after  time.Duration
		want   string
	}{
		{"gamespy", lobbywire.ReasonUnreachable, time.Time{}, time.Second, "lobbyd asks again with its next heartbeat"},
		{"gameagent", lobbywire.ReasonUnreachable, last.Add(-30 * time.Second), time.Second,
			"lobbyd asks again with its next heartbeat, probably at 2026-01-02 12:00:30 UTC"},
		{"gameagent", lobbywire.ReasonOther, last.Add(-30 * time.Second), time.Minute,
			"lobbyd asks again with its next heartbeat"},
		{"gamespy", lobbywire.ReasonKey, last.Add(-time.Hour), time.Second, "lobbyd asks again with its next heartbeat"},
		{"warzone", lobbywire.ReasonUnreachable, time.Time{}, time.Second,
			"lobbyd asks again when its host announces it again"},
		{"gamespy", lobbywire.ReasonGame, time.Time{}, time.Second, ""},
		{"gamespy", lobbywire.ReasonChallenge, time.Time{}, time.Second, ""},
	} {
		r := refusals.Refusal{Server: tt.server, Reason: tt.reason, Last: last, Before: tt.before}
		if got := againHint(r, last.Add(tt.after)); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt, got, tt.want)
		}
	}
}

// With a port, an explanation is only about the servers at the port, not about others of the
// address.
func TestExplainOfAPortIsAboutItsServers(t *testing.T) {
	l := newLobbyd(defaults(), io.Discard).lists
	now := time.Now()
	at := func(port uint16) netip.AddrPort { return netip.AddrPortFrom(netip.MustParseAddr("192.0.2.7"), port) }
	l.catalogue.Update([]*catalogue.Entry{
		{ID: "a", Family: catalogue.GameSpy, At: at(29900), Query: at(29900), Address: "192.0.2.7:7777", Seen: now},
	}, nil, now)
	spy := l.refusals.Of("gamespy", true)
	spy(lobbywire.Refusal{From: at(29901), Reason: lobbywire.ReasonKey})
	l.refusals.Left(refusals.Departure{Entry: &catalogue.Entry{Family: catalogue.GameSpy, At: at(29902),
		Address: "192.0.2.7:7778"}, Heard: now,
		Until: now, Why: "it said goodbye"})
	for port, want := range map[uint16]string{
		0:     "^Servers of the address are listed. Besides them, something is not listed, at .*secret key",
		29900: "^Servers of the address are listed.$",
		7777:  "^Servers of the address are listed.$",
		29901: "^Not listed, at .*secret key.* Registered at other ports of the address: 1.$",
		29902: "^A server at port 29902 was listed until .*: it said goodbye. Registered at other",
		1:     "^Nothing is known of port 1, but of the address: Servers of the address are listed. Besides",
	} {
		if x := l.explain(at(port), true); !regexp.MustCompile(want).MatchString(x.Summary) {
			t.Errorf("port %d: %q", port, x.Summary)
		}
	}
	x := l.explain(netip.MustParseAddrPort("192.0.2.8:1"), false)
	if !strings.HasPrefix(x.Summary, "Nothing is known of the address") {
		t.Errorf("another address: %q", x.Summary)
	}
}
