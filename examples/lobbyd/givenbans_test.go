package main

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// listedBans returns the answer of lobbyd admin bans.
func listedBans(t *testing.T, over []string) (all []rule) {
	t.Helper()
	code, said := admin(t, append(over, "bans")...)
	if err := json.Unmarshal([]byte(said), &all); code != exitOK || err != nil {
		t.Fatalf("%d, %s", code, said)
	}
	return all
}

// do runs lobbyd admin, which must succeed.
func do(t *testing.T, over []string, args ...string) string {
	t.Helper()
	code, said := admin(t, append(over, args...)...)
	if code != exitOK {
		t.Fatalf("%q: %d, %s", args, code, said)
	}
	return said
}

// Bans survive a restart, except ended ones.
func TestBansSurviveRestarts(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	l, over := adminOf(t, "-data", data)
	do(t, over, "ban", "-reason", "floods", "192.0.2.0/24")
	do(t, over, "ban", "-for", "24h", "198.51.100.7")
	do(t, over, "ban", "203.0.113.7")
	do(t, over, "unban", "203.0.113.7")
	do(t, over, "ban", "-for", "1s", "-pattern", "soon over")
	if l.end() != exitOK {
		t.Fatal("it failed")
	}
	_, over = adminOf(t, "-data", data)
	eventually(t, func() string {
		if all := listedBans(t, over); len(all) != 2 {
			return fmt.Sprintf("%+v", all)
		}
		return ""
	})
	all := listedBans(t, over)
	if all[0].Prefix != "192.0.2.0/24" || all[0].Reason != "floods" || !all[0].Until.IsZero() {
		t.Errorf("a ban without an end: %+v", all[0])
	}
	if left := time.Until(all[1].Until); all[1].Prefix != "198.51.100.7/32" || left > 24*time.Hour || left < 23*time.Hour {
		t.Errorf("a ban of a day: %+v", all[1])
	}
	if x := explained(t, over, "192.0.2.9"); len(x.Bans) != 1 || x.Bans[0].Reason != "floods" {
		t.Errorf("explained: %+v", x)
	}
}

// Only the list of bans shows their notes: no page or answer for others, no explanation and no line
// of the log does.
func TestNotesArePrivate(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, withGameSpy(t)...)
	server := registerGameSpy(t, l, "Hidden")
	l.wantGameSpy(t, server)
	const note = "cousin of the admin"
	do(t, over, "ban", "-reason", "floods", "-note", note, "192.0.2.0/24")
	do(t, over, "ban", "-note", note, "-pattern", "^Nobody$")
	do(t, over, "hide", "-yes", "-note", note, server.String())
	for _, one := range listedBans(t, over) {
		if one.Note != note {
			t.Errorf("%+v", one)
		}
	}
	eventually(t, func() string {
		if x := explained(t, over, "127.0.0.1"); len(x.Servers) == 0 || x.Servers[0].Hidden == "" {
			return fmt.Sprintf("%+v", x)
		}
		return ""
	})
	id := "gamespy2-127.0.0.1-" + fmt.Sprint(server.Port())
	said := do(t, over, "explain", "192.0.2.7") + do(t, over, "explain", "127.0.0.1") + do(t, over, "list")
	for _, path := range []string{
		"/", "/?quarantined=1", "/server/" + id, "/api/servers?quarantined=1", "/api/servers/" + id,
		"/api/explain?address=192.0.2.7", "/api/explain?address=127.0.0.1",
	} {
		said += l.get(t, path)
	}
	said += fmt.Sprint(l.logged(t, "banned"), l.logged(t, "banned"), l.logged(t, "banned"))
	if strings.Contains(said, note) || !strings.Contains(said, "floods") {
		t.Errorf("others may read the note, or no reason:\n%s", said)
	}
}

// A wide prefix is banned only after a question.
func TestWideBansNeedConfirmation(t *testing.T) {
	_, over := adminOf(t)
	for _, wide := range []string{"0.0.0.0/0", "128.0.0.0/1", "10.0.0.0/8", "::/0", "2001::/16"} {
		if code, said := admin(t, append(over, "ban", wide)...); code == exitOK || !strings.Contains(said, "[y/N]") {
			t.Errorf("%s: %d, %s", wide, code, said)
		}
	}
	if all := listedBans(t, over); len(all) != 0 {
		t.Errorf("refused bans are listed: %+v", all)
	}
	do(t, over, "ban", "-yes", "-for", "30d", "198.0.0.0/8")
	do(t, over, "ban", "2001:db8::/32")
	if all := listedBans(t, over); len(all) != 2 {
		t.Errorf("bans after -yes: %+v", all)
	}
}

// One server of an address is hidden, and listed again.
func TestHidesOneServerOfAnAddress(t *testing.T) {
	t.Parallel()
	l, over := adminOf(t, withGameSpy(t)...)
	hidden, other := registerGameSpy(t, l, "Hidden"), registerGameSpy(t, l, "Other")
	l.wantGameSpy(t, hidden, other)
	eventually(t, func() string {
		said := do(t, over, "list", "hidd")
		if !strings.Contains(said, `"at": "`+hidden.String()) || strings.Contains(said, "Other") {
			return said
		}
		return ""
	})
	do(t, over, "hide", "-for", "30d", "-reason", "impostor", hidden.String())
	l.wantGameSpy(t, other)
	eventually(t, func() string {
		if said := do(t, over, "explain", "127.0.0.1"); !strings.Contains(said, "hidden by the operator: impostor") {
			return said
		}
		return ""
	})
	do(t, over, "unhide", hidden.String())
	l.wantGameSpy(t, hidden, other)
}

// A mark is for one address, and survives restarts. Another server with the same name is not
// marked.
func TestMarkIsOfOneAddress(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	l, over := adminOf(t, append(withGameSpy(t), "-data", data)...)
	ours, theirs := registerGameSpy(t, l, "Ours"), registerGameSpy(t, l, "Ours")
	l.wantGameSpy(t, ours, theirs)
	wantMarked := func(want ...string) {
		t.Helper()
		eventually(t, func() string {
			var list struct {
				Servers []struct {
					ID       string
					Official bool
				}
			}
			if err := json.Unmarshal([]byte(l.get(t, "/api/servers")), &list); err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, s := range list.Servers {
				if s.Official {
					got = append(got, s.ID)
				}
			}
			if len(list.Servers) != 2 || !slices.Equal(got, want) {
				return fmt.Sprintf("%d servers, marked are %q", len(list.Servers), got)
			}
			return ""
		})
	}
	wantMarked()
	code, said := admin(t, append(over, "mark", "127.0.0.1:9")...)
	if code == exitOK || !strings.Contains(said, ours.String()) {
		t.Errorf("an unknown server: %d, %s", code, said)
	}
	said = do(t, over, "mark", "-dry-run", ours.String())
	if !strings.Contains(said, `"hides": 0`) || !strings.Contains(said, ours.String()) {
		t.Error(said)
	}
	do(t, over, "mark", "-note", "the cup", ours.String())
	wantMarked(fmt.Sprint("gamespy2-127.0.0.1-", ours.Port()))
	l.logged(t, "marked as official")
	if page := l.get(t, "/"); strings.Count(page, `badge official`) != 1 {
		t.Error("the page does not show one mark")
	}
	if l.end() != exitOK {
		t.Fatal("it failed")
	}
	_, over = adminOf(t, append(withGameSpy(t), "-data", data)...)
	if all := listedBans(t, over); len(all) != 1 || all[0].Official != ours.String() || all[0].Note != "the cup" {
		t.Errorf("%+v", all)
	}
	do(t, over, "unmark", ours.String())
	code, said = admin(t, append(over, "unmark", ours.String())...)
	if code == exitOK || !strings.Contains(said, "is not marked") {
		t.Errorf("%d, %s", code, said)
	}
}

// A ban holds on all nodes, even after the node where it was given has stopped, until it
// is removed at any node.
func TestBansHoldOnAllNodes(t *testing.T) {
	suite.Long(t, "elections")
	t.Setenv(secretVariable, "a secret of all the nodes")
	routes := []string{programtest.UnusedAddr(t), programtest.UnusedAddr(t), programtest.UnusedAddr(t)}
	nodes, over := make([]*running, len(routes)), make([][]string, len(routes))
	for i, name := range []string{"a", "b", "c"} {
		socket := filepath.Join(t.TempDir(), "admin.sock")
		over[i] = []string{"-socket", socket}
		args := append(anywhere(), "-admin", socket, "-nats", "embedded", "-name", name, "-cluster", routes[i])
		for _, peer := range routes {
			args = append(args, "-peer", peer)
		}
		nodes[i] = begin(t, args...)
	}
	for _, l := range nodes {
		l.awaitReady(t)
	}
	wantBans := func(want int, of ...int) {
		t.Helper()
		for _, i := range of {
			eventually(t, func() string {
				if all := listedBans(t, over[i]); len(all) != want {
					return fmt.Sprintf("node %d: %+v", i, all)
				}
				return ""
			})
		}
	}
	do(t, over[0], "ban", "192.0.2.0/24")
	wantBans(1, 0, 1, 2)
	if nodes[0].end() != exitOK {
		t.Fatal("it failed")
	}
	do(t, over[1], "ban", "198.51.100.0/24") // arrives after the removals of the node
	wantBans(2, 1, 2)
	do(t, over[2], "unban", "192.0.2.0/24")
	wantBans(1, 1, 2)
}
