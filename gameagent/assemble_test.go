package gameagent_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

func TestAssemblerJoinsACapture(t *testing.T) {
	var a gameagent.Assembler
	for i, name := range []string{"players_split_last", "players_split_first"} {
		done, err := a.Add(golden.Read(t, name))
		if err != nil || done != (i == 1) {
			t.Fatalf("%s: done %v, error %v", name, done, err)
		}
	}
	m, err := a.Players()
	if err != nil {
		t.Fatal(err)
	}
	if m.Count != 16 || len(m.Players) != 16 {
		t.Fatalf("count %d, %d players", m.Count, len(m.Players))
	}
	for i, p := range m.Players {
		if p.Index != i {
			t.Errorf("player %d has index %d", i, p.Index)
		}
	}
}

func TestAssemblerJoinsPacketsInAnyOrder(t *testing.T) {
	first := header2 + record(0, "a", "1", "2")
	middle := record(1, "b", "1", "2")
	last := record(2, "c", "1", "2") + "\x04"
	var a gameagent.Assembler
	if _, err := a.Players(); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("nothing added: %v", err)
	}
	for i, step := range []struct {
		name    string
		in      string
		missing []int
		err     error
	}{
		{"broken packet", "x", nil, lobbywire.ErrTruncated},
		{"last packet", last, []int{0}, nil},
		{"last packet again", last, []int{0}, nil},
		{"another last packet", record(3, "d", "1", "2") + "\x04", []int{0}, lobbywire.ErrInvalid},
		{"whole answer beside parts", header2 + "\x04", []int{0}, lobbywire.ErrInvalid},
		{"packet with the same first player", record(2, "x", "1", "2"), []int{0}, lobbywire.ErrInvalid},
		{"first packet", first, nil, nil},
		{"another first packet", header2, nil, lobbywire.ErrInvalid},
		{"middle packet after the others", middle, nil, nil},
		{"middle packet again", middle, nil, nil},
	} {
		done, err := a.Add([]byte(step.in))
		if done != (i > 0 && step.missing == nil) || (err == nil) != (step.err == nil) || err != nil &&
			!errors.Is(err, step.err) {
			t.Errorf("%s: done %v, error %v", step.name, done, err)
		}
		if diff := cmp.Diff(step.missing, a.Missing()); diff != "" {
			t.Errorf("%s: missing (-want +got):\n%s", step.name, diff)
		}
	}
	m, err := a.Players()
	if err != nil {
		t.Fatal(err)
	}
	want := gameagent.Players{Count: 2, Players: []gameagent.Player{
		{Index: 0, Name: "a", Frags: new(int32(1)), Ping: new(2)}, {Index: 1, Name: "b", Frags: new(int32(1)), Ping: new(2)},
		{Index: 2, Name: "c", Frags: new(int32(1)), Ping: new(2)},
	}}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	a = gameagent.Assembler{}
	if done, err := a.Add([]byte(header2 + "\x04")); !done || err != nil {
		t.Errorf("whole answer: done %v, error %v", done, err)
	}
	if _, err := a.Add([]byte(middle)); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("part beside a whole answer: %v", err)
	}
}

// A missing last packet is reported with the lowest number that it can have.
func TestAssemblerListsMissingPackets(t *testing.T) {
	first, one, two := header2, record(1, "b", "1", "2"), record(2, "c", "1", "2")
	for _, tt := range []struct {
		packets []string
		want    []int
	}{
		{nil, nil},
		{[]string{first}, []int{1}},
		{[]string{one}, []int{0, 2}},
		{[]string{two, one}, []int{0, 3}},
		{[]string{first, one, two}, []int{3}},
		{[]string{first, one + "\x04"}, nil},
	} {
		var a gameagent.Assembler
		for _, p := range tt.packets {
			if _, err := a.Add([]byte(p)); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(tt.want, a.Missing()); diff != "" {
			t.Errorf("%q: missing (-want +got):\n%s", tt.packets, diff)
		}
		m, err := a.Players()
		complete := len(tt.packets) > 0 && tt.want == nil
		if complete != (err == nil) || !complete && !errors.Is(err, lobbywire.ErrTruncated) {
			t.Errorf("%q: error %v", tt.packets, err)
		}
		if want := strings.Count(strings.Join(tt.packets, ""), "player_"); len(m.Players) != want {
			t.Errorf("%q: %d players, want %d", tt.packets, len(m.Players), want)
		}
	}
}

func TestAssemblerLimitsPacketsAndBytes(t *testing.T) {
	var a gameagent.Assembler
	for i := range gameagent.MaxPackets {
		if _, err := a.Add([]byte(record(i, "a", "1", "2"))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Add([]byte(record(99, "a", "1", "2"))); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("a packet too many: %v", err)
	}
	a = gameagent.Assembler{}
	if _, err := a.Add([]byte(record(0, strings.Repeat("x", gameagent.MaxAnswer), "1", "2"))); err == nil ||
		!errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("too many bytes: %v", err)
	}
}

func TestListAssemblerJoinsPackets(t *testing.T) {
	var a gameagent.ListAssembler
	if _, err := a.ServerList(); !errors.Is(err, lobbywire.ErrTruncated) {
		t.Errorf("nothing added: %v", err)
	}
	if _, err := a.Add([]byte("0;")); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("status: %v", err)
	}
	lists := [][]netip.AddrPort{
		{},
		addrs("192.0.2.1:1", "192.0.2.2:1"),
		addrs("192.0.2.2:1", "192.0.2.1:2", "192.0.2.1:2"),
		addrs("192.0.2.1:1", "192.0.2.2:1"),
	}
	for i, servers := range lists {
		done, err := a.Add(mustAppend(t, gameagent.ServerList{Servers: servers}))
		if done || err != nil || a.Missing() != nil {
			t.Errorf("packet %d: done %v, error %v, missing %v", i, done, err, a.Missing())
		}
		got, err := a.ServerList()
		if err != nil {
			t.Fatal(err)
		}
		want := addrs("192.0.2.1:1", "192.0.2.2:1", "192.0.2.1:2")[:[]int{0, 2, 3, 3}[i]]
		if diff := cmp.Diff(want, got.Servers, compare); diff != "" {
			t.Errorf("packet %d (-want +got):\n%s", i, diff)
		}
		clear(got.Servers)
	}
}

func TestListAssemblerLimitsServers(t *testing.T) {
	var a gameagent.ListAssembler
	packet := []byte("s")
	for i := range gameagent.MaxServers {
		packet = append(packet, 10, 0, byte(i>>8), byte(i), 1, 0)
	}
	if _, err := a.Add(packet); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Add([]byte("s\x0a\x01\x00\x00\x01\x00")); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("a server too many: %v", err)
	}
	if _, err := a.Add(packet); err != nil {
		t.Errorf("the same servers again: %v", err)
	}
	if m, err := a.ServerList(); err != nil || len(m.Servers) != gameagent.MaxServers {
		t.Errorf("%d servers, error %v", len(m.Servers), err)
	}
}
