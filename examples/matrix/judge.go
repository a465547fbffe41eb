package main

import (
	"fmt"
	"unicode/utf8"

	"github.com/lobbywire/lobbywire/gamespy2"
	"github.com/lobbywire/lobbywire/internal/querytools"
)

// A verdict is how much of a server a tool has read.
type verdict int

const (
	not    verdict = iota // nothing, or a wrong server
	partly                // the server, and not all of the players or texts
	whole
)

func (v verdict) String() string { return [...]string{"not", "partly", "whole"}[v] }

// judge returns how much of a case's server an answer has, and what it lacks.
func judge(r row, c testCase, a querytools.Answer) (verdict, string) {
	if !r.noMap && a.Map != mapName || a.MaxPlayers != maxPlayers {
		return not, fmt.Sprintf("map %q, %d players at most", a.Map, a.MaxPlayers)
	}
	if len(a.Players) != c.players {
		return partly, fmt.Sprintf("%d players", len(a.Players))
	}
	if !same(c.title, a.Name) {
		return partly, "texts"
	}
	for i, p := range a.Players {
		if !same(c.player(i), p.Name) {
			return partly, "texts"
		}
		if r.scores != "" && (p.Fields[r.scores] != fmt.Sprint(score(i)) || p.Fields["ping"] != fmt.Sprint(ping(i))) {
			return partly, "numbers"
		}
	}
	return whole, ""
}

// same reports whether a tool has printed a text as it is on the wire or, if it is
// not UTF-8, in UTF-8.
func same(wire, printed string) bool {
	return printed == wire || !utf8.ValidString(wire) && printed == gamespy2.Latin1(wire)
}
