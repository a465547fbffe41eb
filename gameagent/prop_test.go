package gameagent_test

import (
	"errors"
	"net/netip"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
	"github.com/lobbywire/lobbywire/internal/test/suite"
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

// checkStrict checks that both parsers return the same value if the strict one
// accepts b, and that the strict parser obeys the law of truncation.
func checkStrict[T any](t testing.TB, b []byte, name string, strict, tolerant func(b []byte) (T, error)) {
	t.Helper()
	v, err := strict(b)
	w, tolerantErr := tolerant(b)
	if err == nil {
		if tolerantErr != nil {
			t.Fatalf("%s %x: strict takes it, tolerant fails: %v", name, b, tolerantErr)
		}
		if diff := codectest.Diff(w, v, compare); diff != "" {
			t.Fatalf("%s %x (-tolerant +strict):\n%s", name, b, diff)
		}
	}
	if len(b) == 0 || err != nil && kindOf(err) != lobbywire.ErrTruncated {
		return
	}
	if _, before := strict(b[:len(b)-1]); before != nil && kindOf(before) != lobbywire.ErrTruncated {
		t.Fatalf("%s %x can be or become valid strictly, but without its last byte: %v", name, b, before)
	}
}

// kindOf returns the kind of an error.
func kindOf(err error) error {
	kind := err.(*lobbywire.Error).Err
	if wrapped := errors.Unwrap(kind); wrapped != nil {
		return wrapped
	}
	return kind
}

// checkAllStrict runs checkStrict for every parser with options.
func checkAllStrict(t testing.TB, b []byte) {
	t.Helper()
	o := gameagent.Options{Strict: true}
	checkStrict(t, b, "Join", o.ParseJoin, gameagent.ParseJoin)
	checkStrict(t, b, "Challenge", o.ParseChallenge, gameagent.ParseChallenge)
	checkStrict(t, b, "Heartbeat", o.ParseHeartbeat, gameagent.ParseHeartbeat)
	checkStrict(t, b, "ServerList", o.ParseServerList, gameagent.ParseServerList)
	checkStrict(t, b, "Status", o.ParseStatus, gameagent.ParseStatus)
	checkStrict(t, b, "Players", o.ParsePlayers, gameagent.ParsePlayers)
	part := o
	part.Part = true
	checkStrict(t, b, "part of Players", part.ParsePlayers, partial.ParsePlayers)
	checkStrict(t, b, "ToMaster", o.ParseToMaster, gameagent.ParseToMaster)
	checkStrict(t, b, "ToServer", o.ParseToServer, gameagent.ParseToServer)
	checkStrict(t, b, "FromServer", o.ParseFromServer, gameagent.ParseFromServer)
}

func TestStrictGolden(t *testing.T) {
	for _, f := range golden.Load(t) {
		for n := range min(len(f.Data), suite.Pick(100, 400)) + 1 {
			checkAllStrict(t, f.Data[:n])
		}
	}
}

// optionsFor returns the Options for parsing the encoding of m.
//
//wire:test
func optionsFor(m any) gameagent.Options {
	players, _ := m.(gameagent.Players)
	return gameagent.Options{Part: players.NotFirst || players.NotLast}
}
