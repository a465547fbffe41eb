package main

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/internal/test/querytools"
)

// A verdict says how much of a server's answer a client has read.
type verdict int

const (
	not    verdict = iota // nothing, or another server
	partly                // the server, but not all of its players or texts
	whole
	impossible // the protocol cannot express the case
)

func (v verdict) String() string { return [...]string{"not", "partly", "whole", "–"}[v] }

// judge compares an answer with the server of a case. It returns a verdict, and what
// the answer lacks.
func (show shows) judge(c testCase, entries []string, a querytools.Answer) (verdict, string) {
	switch want := show.exactly; {
	case show.list && show.noNames:
		return judgeCount(c, a)
	case show.list:
		return judgeList(c, entries, a)
	case want.Name != "" || len(want.Players) > 0:
		return judgeRecorded(want, a)
	}
	if !show.noMap && a.Map != mapName || a.MaxPlayers != maxPlayers {
		return not, fmt.Sprintf("map %q, %d players at most", a.Map, a.MaxPlayers)
	}
	if v, lacks := judgeCount(c, a); show.noNames && v != whole {
		return v, lacks
	}
	if !show.noNames && len(a.Players) != c.players {
		return partly, fmt.Sprintf("%d players", len(a.Players))
	}
	if !same(c.title, a.Name) {
		return partly, "texts"
	}
	for i, p := range a.Players {
		if !same(c.player(i), p.Name) {
			return partly, "texts"
		}
		if show.score != "" &&
			(p.Fields[show.score] != fmt.Sprint(score(i)) || p.Fields["ping"] != fmt.Sprint(ping(i))) {
			return partly, "numbers"
		}
	}
	return whole, ""
}

// judgeRecorded compares the answer of a recorded server.
func judgeRecorded(want, a querytools.Answer) (verdict, string) {
	if a.Name != want.Name || a.Map != want.Map || a.MaxPlayers != want.MaxPlayers {
		return not, fmt.Sprintf("%q, map %q, %d players at most", a.Name, a.Map, a.MaxPlayers)
	}
	sameName := func(p, q querytools.Player) bool { return p.Name == q.Name }
	if !slices.EqualFunc(want.Players, a.Players, sameName) {
		return partly, fmt.Sprintf("%d players", len(a.Players))
	}
	return whole, ""
}

// judgeCount compares the number of players or games.
func judgeCount(c testCase, a querytools.Answer) (verdict, string) {
	if n := a.Rules["numplayers"]; n != fmt.Sprint(c.players) {
		return partly, n + " counted"
	}
	return whole, ""
}

// judgeList compares a list, in any order, with the entries of a master.
func judgeList(c testCase, entries []string, a querytools.Answer) (verdict, string) {
	if len(a.Players) != c.players {
		return partly, fmt.Sprintf("%d games", len(a.Players))
	}
	want := slices.Clone(entries)
	for i := len(want); i < c.players; i++ {
		want = append(want, c.player(i))
	}
	var got []string
	for _, p := range a.Players {
		got = append(got, p.Name)
	}
	slices.Sort(want)
	slices.Sort(got)
	for i := range want {
		if !same(want[i], got[i]) {
			return partly, "texts"
		}
	}
	return whole, ""
}

// same reports whether a client showed a text as on the wire, or in UTF-8 if the text on
// the wire is not UTF-8.
func same(wire, printed string) bool {
	return printed == wire || !utf8.ValidString(wire) && printed == latin1(wire)
}
