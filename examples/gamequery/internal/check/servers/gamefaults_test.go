package servers

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/check/checktest"
)

// A toyGame is the lobby of a game server of Bomberman, with faults.
type toyGame struct {
	mu      sync.Mutex
	players []*toyPlayer

	sameNames, forgets, keeps, takesAll, noLeader, closes, takesAnswers, onePiece, silentAfterAction bool

	busy chan bool // of one connection at a time, nil if there may be several
}

type toyPlayer struct {
	name string
	w    io.Writer
}

// converse serves a connection.
func (g *toyGame) converse(_ string, r io.Reader, w io.Writer) error {
	if g.busy != nil {
		g.busy <- true
		defer func() { <-g.busy }()
	}
	var own *toyPlayer
	defer func() {
		if own != nil && !g.keeps {
			g.remove(own)
		}
	}()
	in := bufio.NewReader(r)
	var stream []byte
	for {
		piece := make([]byte, 1<<10)
		n, err := in.Read(piece)
		if err != nil {
			return err
		}
		if g.onePiece {
			stream = nil
		}
		stream = append(stream, piece[:n]...)
		for {
			object, rest, err := bomberman.NextFrame(stream, bomberman.MaxPayload)
			if err != nil {
				break
			}
			stream = rest
			m, err := bomberman.ParseMessage(object)
			if err != nil && g.closes {
				return err
			}
			switch m := m.(type) {
			case bomberman.RegisterPlayer:
				if own == nil {
					own = g.add(m.Name, w)
				}
			case bomberman.PlayerAction:
				if g.silentAfterAction {
					return nil
				}
			case bomberman.RegisterPlayerResponse:
				if g.takesAnswers {
					return nil
				}
			case bomberman.Unknown:
				if g.closes {
					return nil
				}
			}
		}
	}
}

// add admits a player, and returns nil if the name is rejected.
func (g *toyGame) add(name string, w io.Writer) *toyPlayer {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !bomberman.ValidName(name) && !g.takesAll {
		_, _ = w.Write(check.Frames(bomberman.RegisterPlayerResponse{Rejected: true}))
		return nil
	}
	adapted := name
	for n := 1; !g.sameNames && slices.ContainsFunc(g.players, func(p *toyPlayer) bool { return p.name == adapted }); n++ {
		adapted = fmt.Sprint(name, n)
	}
	p := &toyPlayer{adapted, w}
	g.players = append(g.players, p)
	text := fmt.Sprintf(`{"command":"gsRRegisterPlayer","content":{"rejected":false,"adaptedName":%q}}`, adapted)
	_, _ = w.Write(check.Framed(text))
	g.tell(p)
	return p
}

// tell sends the list of players to all.
func (g *toyGame) tell(newest *toyPlayer) {
	var m bomberman.PlayersUpdated
	for i, p := range g.players {
		if bomberman.ValidName(p.name) {
			m.Players = append(m.Players, bomberman.LobbyPlayer{Name: p.name, IsLeader: i == 0 && !g.noLeader})
		}
	}
	for _, p := range g.players {
		if p == newest || !g.forgets {
			go func() { _, _ = p.w.Write(check.Frames(m)) }() // a client may not read
		}
	}
}

func (g *toyGame) remove(p *toyPlayer) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.players = slices.DeleteFunc(g.players, func(other *toyPlayer) bool { return other == p })
	g.tell(nil)
}

// checkGame runs the cases against a toy.
func checkGame(t *testing.T, game func() *toyGame, change func(sent, answers []byte) []byte, ids ...string,
) (r check.Report) {
	synctest.Test(t, func(t *testing.T) {
		g := game()
		talker := &checktest.Talker{Converse: g.converse}
		if change != nil {
			talker.Converse = func(from string, r io.Reader, w io.Writer) error {
				return g.converse(from, r, rewriting{w, change})
			}
		}
		r = bombermanGameSuite().Run(t.Context(), talker, check.Options{Robust: true, Match: ids})
		<-time.After(time.Hour) // until toys have ended
	})
	return r
}

// A rewriting changes what is written.
type rewriting struct {
	io.Writer
	change func(sent, answers []byte) []byte
}

func (r rewriting) Write(b []byte) (int, error) {
	_, err := r.Writer.Write(r.change(nil, b))
	return len(b), err
}

// gameFaults are faults of game servers of Bomberman.
func gameFaults() (all []checktest.Fault) {
	for _, tt := range []struct {
		name, found string
		game        func() *toyGame
		change      func(sent, answers []byte) []byte
	}{
		{"is silent", "bombermangame/1.1", nil, func([]byte, []byte) []byte { return nil }},
		{"gives two players one name", "bombermangame/1.2", func() *toyGame { return &toyGame{sameNames: true} }, nil},
		{"tells only those who come", "bombermangame/1.3", func() *toyGame { return &toyGame{forgets: true} }, nil},
		{"keeps players who have left", "bombermangame/1.4", func() *toyGame { return &toyGame{keeps: true} }, nil},
		{"takes any name", "bombermangame/1.5", func() *toyGame { return &toyGame{takesAll: true} }, nil},
		{"takes the empty name", "bombermangame/1.6", func() *toyGame { return &toyGame{takesAll: true} }, nil},
		{"has no leader", "bombermangame/1.7", func() *toyGame { return &toyGame{noLeader: true} }, nil},
		{"needs a frame in one packet", "bombermangame/2.1", func() *toyGame { return &toyGame{onePiece: true} }, nil},
		{"serves one connection at a time", "bombermangame/2.2",
			func() *toyGame { return &toyGame{busy: make(chan bool, 1)} }, nil},
		{"closes after what it does not know", "bombermangame/3.1", func() *toyGame { return &toyGame{closes: true} }, nil},
		{"closes after broken JSON", "bombermangame/3.2", func() *toyGame { return &toyGame{closes: true} }, nil},
		{"closes after a message of a round", "bombermangame/3.3",
			func() *toyGame { return &toyGame{silentAfterAction: true} }, nil},
		{"closes after a message of servers", "bombermangame/3.4",
			func() *toyGame { return &toyGame{takesAnswers: true} }, nil},
		{"counts frames one short", "bombermangame/2.3", nil, func(_, b []byte) []byte {
			at := bytes.IndexByte(b, '{')
			n, _ := strconv.Atoi(string(b[:at])) // our own frame
			return append(strconv.AppendInt(nil, int64(n-1), 10), b[at:]...)
		}},
		{"dies of broken frames", "bombermangame/5.1", nil, func(_, b []byte) []byte {
			return []byte(strings.ReplaceAll(string(b), "adaptedName", "name"))
		}},
	} {
		all = append(all, checktest.Fault{Name: tt.name, Case: tt.found, Run: func(t *testing.T, ids ...string) check.Report {
			game := tt.game
			if game == nil {
				game = rightGame
			}
			return checkGame(t, game, tt.change, ids...)
		}})
	}
	return all
}

func rightGame() *toyGame { return new(toyGame) }

// The right toy passes all cases.
func TestToyGamePasses(t *testing.T) { checktest.Passes(t, checkGame(t, rightGame, nil)) }
