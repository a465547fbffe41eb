package gameagent_test

import (
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// compare compares messages with addresses.
//
//wire:test
var compare = cmp.Options{cmpopts.EquateComparable(netip.AddrPort{})}

// cutSize is the size at which a Status may be cut.
const cutSize = 255

// sent returns a message with the mark of a Status that has the size of one that is cut.
//
//wire:test
func sent(m any, size int) any {
	if m, ok := m.(gameagent.Status); ok {
		m.Cut = m.Cut || size == cutSize
		return m
	}
	return m
}

// loose reports whether a message lacks a number of players, which the engine always
// sends.
//
//wire:test
func loose(m any) bool {
	switch m := m.(type) {
	case gameagent.Status:
		return m.Players == nil || m.MaxPlayers == nil
	case gameagent.Heartbeat:
		return m.Players == nil || m.MaxPlayers == nil
	}
	return false
}

// unknowns are datagrams to a master that only ParseToMaster accepts.
var unknowns = codectest.Codec[gameagent.Unknown]{
	Parse: func(b []byte) (gameagent.Unknown, error) {
		m, err := gameagent.ParseToMaster(b)
		u, _ := m.(gameagent.Unknown)
		return u, err
	},
	Explain:   gameagent.ExplainToMaster,
	Canonical: true,
}

var playersPartCodec = codectest.Codec[gameagent.Players]{
	Parse:   partial.ParsePlayers,
	Strict:  gameagent.Options{Strict: true, Part: true}.ParsePlayers,
	Explain: func(b []byte) lobbywire.Explanation { return gameagent.ExplainWith[gameagent.Players](partial, b) },
}

// specialLaw returns the law of a golden file that needs more than its message.
//
//wire:test
func specialLaw(t testing.TB, f golden.File) codectest.Law {
	switch f.Message() {
	case "Unknown":
		return unknowns
	case "ToMaster":
		return toMasterCodec
	case "Players":
		if f.Header["Part"] != "" {
			return playersPartCodec
		}
	}
	return nil
}

// optionsFor returns the Options for parsing the encoding of m.
//
//wire:test
func optionsFor(m any) gameagent.Options {
	players, _ := m.(gameagent.Players)
	return gameagent.Options{Part: players.NotFirst || players.NotLast}
}
