package proposalnet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// list fetches the list of the scripted lobby.
func (n *lobbyNet) list(f wireForm) (Listing, error) {
	return (&Client{Proposal: f.Proposal, Dial: n.network.Dial}).List(n.t.Context(), scriptedAddr.String())
}

// command sends a command to the scripted lobby.
func (n *lobbyNet) scripted(f wireForm, v verb) error {
	c := Client{Proposal: f.Proposal, Dial: n.network.Dial}
	_, _, err := c.send(n.t.Context(), scriptedAddr.String(),
		command{verb: v, id: "secret", game: Game{Port: 2100, Name: "A game"}})
	return err
}

func TestClientListsAndOpensOrFails(t *testing.T) {
	for _, f := range wireForms() {
		games := f.games(30)
		for _, tt := range []struct {
			name  string
			lobby func(c net.Conn)
			list  error // nil if there is a list
			open  error
			took  time.Duration // each
		}{
			{"a list", keeping(games), nil, errNoAnswer, 0},
			{"byte by byte", func(c net.Conn) {
				for _, b := range games {
					c.Write([]byte{b})
				}
			}, nil, errNoAnswer, 0},
			{"success", keeping(f.opened), errNoAnswer, nil, 0},
			{"an Error", keeping(f.failure("no")), &LobbyError{"no"}, &LobbyError{"no"}, 0},
			{"something unknown", keeping(f.unknown), errNoAnswer, errNoAnswer, 0},
			{"nothing", silent, lobbywire.ErrTimeout, lobbywire.ErrTimeout, 5 * time.Second},
			{"the end", answering(nil), io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, 0},
			{"the end within", answering(games[:4]), io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, 0},
			{"silence within", keeping(games[:4]), lobbywire.ErrTruncated, lobbywire.ErrTruncated, 5 * time.Second},
		} {
			t.Run(f.String()+" "+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := newLobbyNet(t)
					n.script(tt.lobby)
					start := time.Now()
					l, err := n.list(f)
					if !sameError(err, tt.list) || tt.list == nil && len(l.Games) != 30 {
						t.Errorf("list: %d games, %v, want %v", len(l.Games), err, tt.list)
					}
					if got := time.Since(start); tt.list != nil && got != tt.took {
						t.Errorf("list: took %v, want %v", got, tt.took)
					}
					start = time.Now()
					if err := n.scripted(f, verbOpen); !sameError(err, tt.open) {
						t.Errorf("open: %v, want %v", err, tt.open)
					}
					if got := time.Since(start); got != tt.took {
						t.Errorf("open: took %v, want %v", got, tt.took)
					}
				})
			})
		}
	}
}

// A game that cannot be read hides no other one and is counted, and what arrived of a list that
// ends too early, or goes on after its end, is Partial.
func TestClientListsWhatCanBeRead(t *testing.T) {
	const row, bad = "192.0.2.1\t2100\tA\tRush\t4\topen\n", "localhost\t2100\tA\tRush\t4\topen\n"
	object := func(games string) string {
		return `{"lobbyquery":{"version":1,"query":{"command":"list-ack",` + games + `}}}`
	}
	for _, tt := range []struct {
		p              Proposal
		sent           string
		games, skipped int
		partial        bool
		err            error
	}{
		{Text, "COUNT\t3\n" + bad + row + "\n", 1, 2, false, nil},
		{Text, "COUNT\t1\n" + bad, 0, 0, false, lobbywire.ErrUnreadable},
		{Text, "COUNT\t1\n" + row + row, 1, 0, true, nil},
		{Text, "COUNT\t0\n" + row, 0, 0, true, nil},
		{Text, "COUNT\t1\n" + row + "\r\n", 1, 0, false, nil},
		{Text, "COUNT\t3\n" + bad + row + row[:9], 1, 1, true, nil},
		{Text, "COUNT\t3\n" + row[:9], 0, 0, false, lobbywire.ErrTruncated},
		{Binary, "\x05\x02\x012\x06\x00" + string(binaryGame(t)), 1, 1, false, nil},
		{Binary, "\x05\x02\x011" + string(binaryGame(t)) + string(binaryGame(t)), 1, 0, true, nil},
		{Binary, "\x05\x02\x012" + string(binaryGame(t)), 1, 0, true, nil},
		{JSON, object(`"games":[{"port":"1"},{"port":1}]`), 1, 1, false, nil},
		{JSON, object(`"games":[null]`), 0, 0, false, lobbywire.ErrUnreadable},
		{JSON, object(`"games":null`), 0, 0, false, nil},
		{JSON, object(`"games":[]`) + object(`"games":[]`), 0, 0, true, nil},
		{JSON, object(`"games":[]`)[:60], 0, 0, false, lobbywire.ErrTruncated},
	} {
		for name, lobby := range map[string]func(net.Conn){
			"and hangs up": answering(raw(tt.sent)), "and is silent": keeping(raw(tt.sent)),
		} {
			synctest.Test(t, func(t *testing.T) {
				n := newLobbyNet(t)
				n.script(lobby)
				c := Client{Proposal: tt.p, Dial: n.network.Dial}
				r := c.ListViews(t.Context(), scriptedAddr.String())
				isEnd := tt.err == lobbywire.ErrTruncated && errors.Is(r.Err, io.ErrUnexpectedEOF)
				if len(r.Servers) != tt.games || r.Skipped != tt.skipped || r.Partial != tt.partial ||
					!errors.Is(r.Err, tt.err) && !isEnd {
					t.Errorf("%v %q %s: %d games, %d skipped, partial %v, %v", tt.p, tt.sent, name, len(r.Servers),
						r.Skipped, r.Partial, r.Err)
				}
			})
		}
	}
}

// binaryGame returns a game of the binary proposal.
func binaryGame(t *testing.T) raw {
	t.Helper()
	b, err := wzproposal.Binary.Append(nil, wzproposal.Game{
		IP: scriptedAddr.Addr(), Port: 2100, Status: wzproposal.StatusOpen,
	})
	fatalIf(t, err)
	return b
}

// sameError compares errors. An error of the codec about a wrong answer is as good as
// errNoAnswer.
func sameError(got, want error) bool {
	var refused, wanted *LobbyError
	switch {
	case errors.As(want, &wanted):
		return errors.As(got, &refused) && *refused == *wanted
	case want == errNoAnswer && !errors.Is(got, lobbywire.ErrUnreadable):
		return false
	case want == errNoAnswer && errors.Is(got, lobbywire.ErrInvalid):
		return true
	}
	return errors.Is(got, want)
}

// A lobby cannot make a client use more memory or time than documented.
func TestClientIsBounded(t *testing.T) {
	for _, f := range wireForms() {
		trickling := func(c net.Conn) {
			for part := range slices.Chunk(f.games(100), 20) {
				if _, err := c.Write(part); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}
		for _, tt := range []struct {
			name  string
			lobby func(c net.Conn)
			want  error
			took  time.Duration
		}{
			{"too long", keeping(f.tooLong[0]), lobbywire.ErrTooLarge, 0},
			{"longer still", keeping(f.tooLong[1]), lobbywire.ErrTooLarge, 0},
			{"a list that trickles", trickling, lobbywire.ErrTruncated, 5 * time.Second},
		} {
			t.Run(f.String()+" "+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := newLobbyNet(t)
					n.script(tt.lobby)
					began := time.Now()
					l, err := n.list(f)
					if len(l.Games) > 0 && l.Partial {
						err = lobbywire.ErrTruncated // the games that arrived in time
					}
					if got := time.Since(began); !errors.Is(err, tt.want) || got != tt.took {
						t.Errorf("%v after %v, want %v after %v", err, got, tt.want, tt.took)
					}
				})
			})
		}
	}
}

// The text of a lobby cannot control a terminal.
func TestLobbyErrorIsPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "proposalnet: the lobby refuses",
		"No room.":                `proposalnet: the lobby refuses: "No room."`,
		"\x1b[2J\u009b\n\u202eä":  `proposalnet: the lobby refuses: " [2J  \u202eä"`,
		"\x1b[2J\x9b\x81\xe4\xff": `proposalnet: the lobby refuses: " [2J› äÿ"`,
	} {
		if got := (&LobbyError{text}).Error(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := (&LobbyError{strings.Repeat("ä", 10_000)}).Error(); len(got) > 300 {
		t.Errorf("%d bytes", len(got))
	}
}

// A lobby gets a request every two seconds, with any filters. Callers cannot change each
// other's listings, including unknown members.
func TestClientAsksEveryTwoSeconds(t *testing.T) {
	for _, f := range wireForms() {
		filters := [][]wzjson.Fields{nil}
		if f.Proposal == JSON {
			f.games = func(int) raw { return object(`"command":"list-ack","games":[{"name":"A game","x":[1]}]`) }
			filters = append(filters, []wzjson.Fields{{Name: new("A game")}}, []wzjson.Fields{{Map: new("Rush")}})
		}
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			requests := 0
			n.script(func(c net.Conn) {
				requests++
				c.Write(f.games(1))
			})
			c := Client{Proposal: f.Proposal, Dial: n.network.Dial}
			start := time.Now()
			for i, filter := range filters {
				for range 3 {
					l, err := c.List(t.Context(), scriptedAddr.String(), filter...)
					fatalIf(t, err)
					if took := time.Since(start); took != time.Duration(i)*2*time.Second || requests != i+1 {
						t.Errorf("%v, filter %d: %d requests after %v", f, i, requests, took)
					}
					if len(l.Games) != 1 || l.Games[0].Name != "A game" || f.Proposal == JSON &&
						string(l.Games[0].Extra["x"]) != "[1]" {
						t.Fatalf("%v, filter %d: listed %+v", f, i, l.Games)
					}
					if f.Proposal == JSON {
						l.Games[0].Extra["x"][1] = '9'
					}
					clear(l.Games[0].Extra)
					l.Games[0] = Game{}
				}
			}
		})
	}
}

// A command that need not be answered succeeds without an answer.
func TestSilenceIsConsent(t *testing.T) {
	f := ofJSON()
	for _, tt := range []struct {
		name  string
		lobby func(c net.Conn)
		want  error
		took  time.Duration
	}{
		{"silence", silent, nil, time.Second},
		{"the end", answering(nil), nil, 0},
		{"an answer", keeping(object(`"command":"heartbeat-ack"`)), nil, 0},
		{"the answer to something else", keeping(object(`"command":"goodbye-ack"`)), errNoAnswer, 0},
		{"half an answer", keeping(raw("{")), lobbywire.ErrTruncated, 5 * time.Second},
		{"half an answer and the end", answering(raw("{")), io.ErrUnexpectedEOF, 0},
		{"an Error", keeping(f.failure("no")), &LobbyError{"no"}, 0},
		{"no JSON", keeping(raw("what?")), lobbywire.ErrInvalid, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				n := newLobbyNet(t)
				n.script(tt.lobby)
				start := time.Now()
				err := n.scripted(f, verbKeep)
				if got := time.Since(start); !sameError(err, tt.want) || got != tt.took {
					t.Errorf("%v after %v, want %v after %v", err, got, tt.want, tt.took)
				}
			})
		})
	}
}

func TestRefusesWhatCannotBeSent(t *testing.T) {
	dial := func(context.Context, string, string) (net.Conn, error) { panic("dialled") }
	list := func(p Proposal, filter wzjson.Fields) error {
		_, err := (&Client{Proposal: p, Dial: dial}).List(t.Context(), "", filter)
		return err
	}
	for name, err := range map[string]error{
		"a text":                    new(Host).Set(Game{Port: 1, Name: "a\tb"}),
		"no port":                   new(Host).Set(Game{Name: "A game"}),
		"a status":                  new(Host).Set(Game{Port: 1, Status: "over"}),
		"a long name in binary":     (&Host{Proposal: Binary}).Set(Game{Port: 1, Name: strings.Repeat("a", 255)}),
		"many players in JSON":      (&Host{Proposal: JSON}).Set(Game{MaxPlayers: 1 << 31}),
		"a filter in text":          list(Text, wzjson.Fields{Name: new("A game")}),
		"a filter that is no UTF-8": list(JSON, wzjson.Fields{Name: new("\xff")}),
	} {
		if e := (*lobbywire.Error)(nil); !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestListingHasTheViewsOfItsGames(t *testing.T) {
	for _, tt := range []struct {
		game Game
		want lobbywire.View
	}{
		{
			Game{Host: scriptedAddr.Addr(), Port: 2101, Name: "Duel", Map: "Rush", MaxPlayers: 2,
				Status: wzproposal.StatusOpen},
			lobbywire.View{
				Name: "Duel", Game: "warzone2100", Map: "Rush", Host: "192.0.2.53", Port: 2101, Max: new(2),
				Rules: []lobbywire.Rule{{Key: "status", Value: "open"}},
			},
		},
		{
			Game{Port: 2100, Name: "Duel", Tech: wzjson.TechT1,
				Extra: map[string]json.RawMessage{"x": json.RawMessage("1")}},
			lobbywire.View{
				Name: "Duel", Game: "warzone2100", Port: 2100,
				Rules: []lobbywire.Rule{{Key: "tech", Value: "T1"}, {Key: "x", Value: "1"}},
			},
		},
	} {
		if diff := cmp.Diff([]lobbywire.View{tt.want}, Listing{Games: []Game{tt.game}}.Views()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestListViewsNamesItsProtocol(t *testing.T) {
	for i, f := range wireForms() {
		synctest.Test(t, func(t *testing.T) {
			n := newLobbyNet(t)
			n.script(keeping(f.games(2)))
			c := Client{Proposal: f.Proposal, Dial: n.network.Dial}
			got := c.ListViews(t.Context(), scriptedAddr.String())
			if want := []string{"wztext", "wzbinary", "wzjson"}[i]; got.Err != nil || got.Protocol != want ||
				got.Master != scriptedAddr.String() ||
				len(got.Servers) != 2 || got.Servers[1].View.Name != "A game" ||
				got.Servers[1].Entry.(Game).Name != "A game" {
				t.Errorf("%v: %+v", f, got)
			}
		})
	}
}

// A list keeps the texts of its games, not the message that had them.
func TestPaddedListIsSmall(t *testing.T) {
	const lists, limit = 50, 4 << 10
	padded := map[Proposal]raw{
		Text: fmt.Appendf(nil, "COUNT\t1\n192.0.2.1\t%s2100\tA\tRush\t4\topen\n", strings.Repeat("0", 4000)),
		JSON: fmt.Appendf(nil,
			`{"lobbyquery":{"version":1,%s"query":{"command":"list-ack","games":[{"name":"A","map":"Rush",`+
				`"tech":"T1"}]}}}`,
			strings.Repeat(" ", wzjson.MaxFrame-1000)),
	}
	for proposal, list := range padded {
		kept := make([][]Game, lists)
		before := suite.Heap()
		for i := range kept {
			a, _, err := proposal.dialect().answers(verbList)(list)
			fatalIf(t, err)
			kept[i] = a.games
		}
		each := (suite.Heap() - before) / lists
		if g := kept[0]; len(g) != 1 || g[0].Name != "A" || g[0].Map != "Rush" || each > limit {
			t.Errorf("%v: got %+v, %d bytes each, want at most %d", proposal, g, each, limit)
		}
		runtime.KeepAlive(kept)
	}
}
