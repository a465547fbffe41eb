package wzproposal_test

import (
	"fmt"
	"net/netip"
	"testing"

	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// manyGames returns a list of n games.
func manyGames(n int) wzproposal.GameList {
	m := wzproposal.GameList{Games: make([]wzproposal.Game, n)}
	for i := range m.Games {
		m.Games[i] = bananaGame()
		m.Games[i].IP = netip.AddrFrom4([4]byte{192, 0, 2, byte(i)})
		m.Games[i].Name = fmt.Sprintf("Game %02d of many", i)
	}
	return m
}

// Results of benchmarks go here, so that the work is not optimised away.
var (
	sinkRequest  wzproposal.Request
	sinkOpenGame wzproposal.OpenGame
	sinkStart    wzproposal.StartGame
	sinkFrame    wzproposal.Frame
	sinkList     wzproposal.GameList
	sinkBytes    []byte
)

// TestAllocationsStayInBudget holds the promises about allocations.
func TestAllocationsStayInBudget(t *testing.T) {
	list := manyGames(100)
	for _, e := range encodings {
		o := wzproposal.Options{Encoding: e}
		answer := mustAppend(t, e, list)
		buf := make([]byte, 0, len(answer))
		open, start := mustAppend(t, e, theGame()), mustAppend(t, e, wzproposal.StartGame{Port: 9999})
		for _, tt := range []struct {
			name   string
			budget float64
			run    func()
		}{
			{"parse request with texts", 2, func() { sinkRequest, _ = o.ParseRequest(open) }},
			{"parse OpenGame", 1, func() { sinkOpenGame, _ = o.ParseOpenGame(open) }},
			{"parse StartGame", 0, func() { sinkStart, _ = o.ParseStartGame(start) }},
			{"parse list", 2, func() { sinkList, _ = o.ParseGameList(answer) }},
			{"parse frame", 2, func() { sinkFrame, _ = o.ParseFrame(open) }},
			{"cut a frame", 0, func() { sinkBytes, _, _ = (&wzproposal.Framer{Options: o}).Next(open) }},
			{"ask for more", 0, func() { sinkRequest, _, _ = (&wzproposal.Framer{Options: o}).NextRequest(open[:5]) }},
			{"append OpenGame", 0, func() { sinkBytes, _ = e.Append(buf, theGame()) }},
			{"append list", 0, func() { sinkBytes, _ = e.Append(buf, list) }},
			{"append OpenGame as text", 0, func() { sinkBytes, _ = theGame().AppendBinary(buf) }},
		} {
			if got := testing.AllocsPerRun(100, tt.run); got > tt.budget {
				t.Errorf("%s, %s: %v allocations, budget %v", e, tt.name, got, tt.budget)
			}
		}
	}
}
