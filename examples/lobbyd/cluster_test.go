package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Each of three nodes lists the servers of all. When a node stops, the others list its servers
// for a TTL, because the servers still run.
func TestThreeNodesListTheServersOfAll(t *testing.T) {
	suite.Long(t, "elections")
	t.Setenv(secretVariable, "a secret of all the nodes")
	routes := []string{programtest.UnusedAddr(t), programtest.UnusedAddr(t), programtest.UnusedAddr(t)}
	config := filepath.Join(t.TempDir(), "lobbyd.toml")
	if err := os.WriteFile(config, []byte("[cluster]\nttl = '5s'\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	nodes := make([]*running, 3)
	for i, name := range []string{"a", "b", "c"} {
		args := append(anywhere(), "-config", config, "-nats", "embedded", "-name", name, "-cluster", routes[i], "-no-verify")
		for _, peer := range routes {
			args = append(args, "-peer", peer)
		}
		nodes[i] = begin(t, args...) // no node becomes ready alone
	}
	for _, l := range nodes {
		l.awaitReady(t)
	}
	game := register(t, nodes[0])
	host(t, nodes[0], "on a")
	registerBomberman(t, nodes[1], "on b")
	announceAcross(t, nodes, "on all")
	for _, l := range nodes {
		l.wantGameAgent(t, game)
		l.wantWarzone(t, "on a")
		l.wantWarzone(t, "on all")
		l.wantBomberman(t, "on b")
		if got := l.metric(t, "lobbyd_cluster_nodes"); got != "3" {
			t.Errorf("%s nodes", got)
		}
	}
	if code := nodes[1].end(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	nodes[2].wantBomberman(t, "on b")
	c := bombermannet.Client{ListEvery: always}
	eventually(t, func() string {
		got, err := c.List(t.Context(), nodes[2].addr["bomberman"])
		if err != nil || len(got.Servers) > 0 {
			return "c still lists what was on b"
		}
		return ""
	})
}

// Nodes that use the same NATS server share their lists and bans.
func TestNodesOfOneServerShare(t *testing.T) {
	t.Parallel()
	nats := startNATS(t)
	nodes, over := make([]*running, 2), make([][]string, 2)
	for i, name := range []string{"a", "b"} {
		socket := filepath.Join(t.TempDir(), "admin.sock")
		over[i] = []string{"-socket", socket}
		nodes[i] = start(t, withGameSpy(t, "-admin", socket, "-nats", nats.ClientURL(), "-name", name, "-no-verify")...)
	}
	native, spy := register(t, nodes[0]), registerGameSpy(t, nodes[0], "on a")
	host(t, nodes[0], "on a")
	registerBomberman(t, nodes[1], "on b")
	do(t, over[0], "ban", "192.0.2.0/24")
	for i, l := range nodes {
		l.wantGameAgent(t, native)
		l.wantGameSpy(t, spy)
		l.wantWarzone(t, "on a")
		l.wantBomberman(t, "on b")
		eventually(t, func() string {
			if all := listedBans(t, over[i]); len(all) != 1 {
				return fmt.Sprintf("node %d has bans %+v", i, all)
			}
			return ""
		})
	}
	if code := nodes[1].end(); code != exitOK {
		t.Errorf("exit code %d", code)
	}
	nodes[0].wantBomberman(t, "on b") // for a TTL
}

// The log warns about a cluster without a secret that other machines can reach.
func TestOpenClusterIsWarnedAbout(t *testing.T) {
	const elsewhere = "192.0.2.1:6222" // not an address of this machine, so lobbyd exits at once
	args := append(anywhere(), "-nats", "embedded", "-cluster", elsewhere, "-peer", elsewhere)
	const warning = "without a cluster secret"
	if _, said := fails(t, args...); !strings.Contains(said, warning) {
		t.Errorf("it says only %s", said)
	}
	t.Setenv(secretVariable, "a secret of all the nodes")
	if _, said := fails(t, args...); strings.Contains(said, warning) {
		t.Errorf("with a secret it says %s", said)
	}
	for at, want := range map[string]bool{
		"": false, "127.0.0.1:1": false, "[::1]:1": false, "localhost:1": false,
		":1": true, "0.0.0.0:1": true, "[::]:1": true, "192.0.2.1:1": true, "node1.example:1": true,
	} {
		if got := isReachable(at); got != want {
			t.Errorf("%q: %v", at, got)
		}
	}
}
