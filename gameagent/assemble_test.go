package gameagent_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/golden"
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

func TestAssembler(t *testing.T) {
	first := header2 + record(0, "a", "1", "2")
	middle := record(1, "b", "1", "2")
	last := record(2, "c", "1", "2") + "\x04"
	var a gameagent.Assembler
	if _, err := a.Players(); kindOf(err) != lobbywire.ErrTruncated {
		t.Errorf("nothing added: %v", err)
	}
	for _, step := range []struct {
		name string
		in   string
		done bool
		err  error
	}{
		{"broken packet", "x", false, lobbywire.ErrTruncated},
		{"last packet", last, false, nil},
		{"last packet again", last, false, nil},
		{"another last packet", record(3, "d", "1", "2") + "\x04", false, lobbywire.ErrInvalid},
		{"whole answer beside parts", header2 + "\x04", false, lobbywire.ErrInvalid},
		{"packet with the same first player", record(2, "x", "1", "2"), false, lobbywire.ErrInvalid},
		{"first packet", first, true, nil},
		{"another first packet", header2, true, lobbywire.ErrInvalid},
		{"middle packet after all", middle, true, nil},
		{"middle packet again", middle, true, nil},
	} {
		done, err := a.Add([]byte(step.in))
		if done != step.done || (err == nil) != (step.err == nil) || err != nil && kindOf(err) != step.err {
			t.Errorf("%s: done %v, error %v", step.name, done, err)
		}
	}
	m, err := a.Players()
	if err != nil {
		t.Fatal(err)
	}
	want := gameagent.Players{Count: 2, Players: []gameagent.Player{
		{Index: 0, Name: "a", Frags: 1, Ping: 2}, {Index: 1, Name: "b", Frags: 1, Ping: 2}, {Index: 2, Name: "c", Frags: 1, Ping: 2},
	}}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	a.Reset()
	if first, last := a.Missing(); !first || !last {
		t.Error("something is left after Reset")
	}
	if done, err := a.Add([]byte(header2 + "\x04")); !done || err != nil {
		t.Errorf("whole answer: done %v, error %v", done, err)
	}
	if _, err := a.Add([]byte(middle)); err == nil || kindOf(err) != lobbywire.ErrInvalid {
		t.Errorf("part beside a whole answer: %v", err)
	}
}

func TestAssemblerLimits(t *testing.T) {
	var a gameagent.Assembler
	for i := range gameagent.MaxPackets {
		if _, err := a.Add([]byte(record(i, "a", "1", "2"))); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := a.Add([]byte(record(99, "a", "1", "2"))); err == nil || kindOf(err) != lobbywire.ErrTooLarge {
		t.Errorf("a packet too many: %v", err)
	}
	a.Reset()
	if _, err := a.Add([]byte(record(0, strings.Repeat("x", gameagent.MaxAnswer), "1", "2"))); err == nil || kindOf(err) != lobbywire.ErrTooLarge {
		t.Errorf("too many bytes: %v", err)
	}
}

func TestLegacyAssembler(t *testing.T) {
	const (
		first  = `\gamename\serioussamse\numplayers\3\player_0\a\frags_0\1\ping_0\2`
		middle = `\player_1\b\frags_1\1\ping_1\2`
		last   = `\player_2\c\frags_2\1\ping_2\2\final\\queryid\333.1`
	)
	players := []gameagent.Player{
		{Index: 0, Name: "a", Frags: 1, Ping: 2}, {Index: 1, Name: "b", Frags: 1, Ping: 2}, {Index: 2, Name: "c", Frags: 1, Ping: 2},
	}
	var a gameagent.LegacyAssembler
	if _, err := a.Status(); kindOf(err) != lobbywire.ErrTruncated {
		t.Errorf("nothing added: %v", err)
	}
	for i, in := range []string{last, middle, first} {
		if done, err := a.Add([]byte(in)); err != nil || done != (i == 2) {
			t.Errorf("%s: done %v, error %v", in, done, err)
		}
	}
	if _, err := a.Add([]byte(`\gamename\other`)); err == nil || kindOf(err) != lobbywire.ErrInvalid {
		t.Errorf("another first packet: %v", err)
	}
	if _, err := a.Add([]byte("0;")); err == nil || kindOf(err) != lobbywire.ErrInvalid {
		t.Errorf("native packet: %v", err)
	}
	m, err := a.Status()
	if err != nil {
		t.Fatal(err)
	}
	want := gameagent.LegacyStatus{GameName: "serioussamse", NumPlayers: 3, Players: players, QueryID: gameagent.LegacyStatusID}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	p := gameagent.LegacyAssembler{Query: gameagent.LegacyQueryPlayers}
	p.Reset()
	if _, err := p.Players(); kindOf(err) != lobbywire.ErrTruncated {
		t.Errorf("nothing added: %v", err)
	}
	for i, in := range []string{middle, last} {
		if done, err := p.Add([]byte(in)); err != nil || done != (i == 1) {
			t.Errorf("%s: done %v, error %v", in, done, err)
		}
	}
	list, err := p.Players()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(gameagent.LegacyPlayers{Players: players[1:], QueryID: "333.1"}, list); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
