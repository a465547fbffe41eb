package warzonenet

import (
	"bytes"
	"context"
	"encoding"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A caller is a client of a proposal, and possible answers.
type caller struct {
	source warzonegames.Source
	list   func(ctx context.Context, dial dialFunc) (int, error)
	open   func(ctx context.Context, dial dialFunc) error

	games   func(n int) encoding.BinaryMarshaler
	done    encoding.BinaryMarshaler
	failure func(text string) encoding.BinaryMarshaler
	unknown raw
	tooLong [2]raw // starts of lists
}

func callers() []caller {
	addr := scriptedAddr.String()
	return []caller{
		proposalCaller(warzonegames.SourceText, wzproposal.Text, raw("SORRY\n"), [2]raw{raw("COUNT\t1024\n"), bytes.Repeat(raw("COUNT\t1"), 1000)}),
		proposalCaller(warzonegames.SourceBinary, wzproposal.Binary, raw("\x63\x00"), [2]raw{raw("\x05\x05\x041024"), raw("\x05\x0b\x0a4294967295")}),
		{
			source: warzonegames.SourceJSON,
			list: func(ctx context.Context, dial dialFunc) (int, error) {
				l, err := (&JSONClient{Dial: dial}).List(ctx, addr)
				return len(l.Games), err
			},
			open: func(ctx context.Context, dial dialFunc) error {
				_, err := (&JSONClient{Dial: dial}).Add(ctx, addr, wzjson.Add{Name: "A game"})
				return err
			},
			games: func(n int) encoding.BinaryMarshaler {
				return wzjson.ListAck{Games: many(n, wzjson.Game{Name: "A game"})}
			},
			done:    wzjson.AddAck{ID: "secret"},
			failure: func(text string) encoding.BinaryMarshaler { return wzjson.Error{Message: text} },
			unknown: raw(`{"lobbyquery":{"version":1,"query":{"command":"sorry"}}}`),
			tooLong: [2]raw{bytes.Repeat(raw(`{"lobbyquery":`), 10_000), bytes.Repeat(raw(" "), 100_000)},
		},
	}
}

// proposalCaller is a client of the text or the binary proposal.
func proposalCaller(source warzonegames.Source, e wzproposal.Encoding, unknown raw, tooLong [2]raw) caller {
	addr := scriptedAddr.String()
	return caller{
		source: source,
		list: func(ctx context.Context, dial dialFunc) (int, error) {
			l, err := (&ProposalClient{Encoding: e, Dial: dial}).List(ctx, addr)
			return len(l.Games), err
		},
		open: func(ctx context.Context, dial dialFunc) error {
			return (&ProposalClient{Encoding: e, Dial: dial}).OpenGame(ctx, addr, wzproposal.OpenGame{Port: 2100, Name: "A game"})
		},
		games: func(n int) encoding.BinaryMarshaler {
			return encoded{e, wzproposal.GameList{Games: many(n, wzproposal.Game{
				IP: scriptedAddr.Addr(), Port: 2100, Name: "A game", Status: wzproposal.StatusOpen,
			})}}
		},
		done:    encoded{e, wzproposal.Done{}},
		failure: func(text string) encoding.BinaryMarshaler { return encoded{e, wzproposal.Error{Text: text}} },
		unknown: unknown,
		tooLong: tooLong,
	}
}

// many returns n times g.
func many[G any](n int, g G) []G {
	all := make([]G, n)
	for i := range all {
		all[i] = g
	}
	return all
}

func TestProposalClients(t *testing.T) {
	for _, c := range callers() {
		games, err := c.games(30).MarshalBinary()
		fatalIf(t, err)
		done, err := c.done.MarshalBinary()
		fatalIf(t, err)
		for _, tt := range []struct {
			name  string
			lobby func(c *scriptedConn)
			list  error // nil if the list is had
			open  error
			took  time.Duration // of each
		}{
			{"a list", keeping(games), nil, errNoAnswer, 0},
			{"byte by byte", func(c *scriptedConn) {
				for _, b := range games {
					c.send(raw{b})
				}
			}, nil, errNoAnswer, 0},
			{"success", keeping(done), errNoAnswer, nil, 0},
			{"an Error", func(l *scriptedConn) {
				l.send(c.failure("no"))
				silent(l)
			}, &LobbyError{"no"}, &LobbyError{"no"}, 0},
			{"something unknown", keeping(c.unknown), errNoAnswer, errNoAnswer, 0},
			{"nothing", silent, lobbywire.ErrTimeout, lobbywire.ErrTimeout, 5 * time.Second},
			{"the end", answering(nil), io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, 0},
			{"the end within", answering(games[:4]), io.ErrUnexpectedEOF, io.ErrUnexpectedEOF, 0},
			{"silence within", keeping(games[:4]), lobbywire.ErrTimeout, lobbywire.ErrTimeout, 5 * time.Second},
		} {
			t.Run(c.source.String()+" "+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					lobby := newScriptedLobby(t)
					lobby.serveRequests(tt.lobby)
					start := time.Now()
					n, err := c.list(t.Context(), lobby.network.Dial)
					if !sameError(err, tt.list) || tt.list == nil && n != 30 {
						t.Errorf("list: %d games, %v, want %v", n, err, tt.list)
					}
					if got := time.Since(start); tt.list != nil && got != tt.took {
						t.Errorf("list: took %v, want %v", got, tt.took)
					}
					start = time.Now()
					if err := c.open(t.Context(), lobby.network.Dial); !sameError(err, tt.open) {
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

// sameError compares errors. An error of the codec about a wrong answer is as good
// as errNoAnswer.
func sameError(got, want error) bool {
	var refused, wanted *LobbyError
	switch {
	case errors.As(want, &wanted):
		return errors.As(got, &refused) && *refused == *wanted
	case want == errNoAnswer && errors.Is(got, lobbywire.ErrInvalid):
		return true
	}
	return errors.Is(got, want)
}

// A lobby cannot make a client use more memory or time than documented.
func TestProposalClientsAreBounded(t *testing.T) {
	for _, c := range callers() {
		games, err := c.games(100).MarshalBinary()
		fatalIf(t, err)
		trickling := func(l *scriptedConn) {
			for part := range slices.Chunk(games, 20) {
				if _, err := l.Write(part); err != nil {
					return
				}
				time.Sleep(time.Second)
			}
		}
		trickleTime := 50 * time.Second
		if c.source == warzonegames.SourceJSON {
			trickleTime = 5 * time.Second // it is one frame
		}
		for _, tt := range []struct {
			name  string
			lobby func(c *scriptedConn)
			want  error
			took  time.Duration
		}{
			{"too long", keeping(c.tooLong[0]), lobbywire.ErrTooLarge, 0},
			{"longer still", keeping(c.tooLong[1]), lobbywire.ErrTooLarge, 0},
			{"a list that trickles", trickling, lobbywire.ErrTimeout, trickleTime},
		} {
			t.Run(c.source.String()+" "+tt.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					lobby := newScriptedLobby(t)
					lobby.serve(tt.lobby)
					began := time.Now()
					_, err := c.list(t.Context(), lobby.network.Dial)
					if got := time.Since(began); !errors.Is(err, tt.want) || got != tt.took {
						t.Errorf("%v after %v, want %v after %v", err, got, tt.want, tt.took)
					}
				})
			})
		}
	}
}

// A client returns in time, whatever the lobby answers.
func TestProposalClientsTakeAnything(t *testing.T) {
	corpus := golden(t, "../wzproposal", "../wzjson", "..")
	for _, c := range callers() {
		synctest.Test(t, func(t *testing.T) {
			lobby := newScriptedLobby(t)
			random := rand.New(rand.NewPCG(5, 6))
			lobby.serve(func(c *scriptedConn) {
				b := corpus[random.IntN(len(corpus))]
				switch random.IntN(4) {
				case 0:
					b = b[:random.IntN(len(b)+1)]
				case 1:
					b = slices.Concat(b, corpus[random.IntN(len(corpus))])
				case 2:
					b = make([]byte, random.IntN(64))
					for i := range b {
						b[i] = byte(random.Uint32())
					}
				}
				c.Write(b)
				if random.IntN(2) == 0 {
					silent(c)
				}
			})
			succeeded := 0
			for range 1000 {
				began := time.Now()
				_, listErr := c.list(t.Context(), lobby.network.Dial)
				openErr := c.open(t.Context(), lobby.network.Dial)
				if got := time.Since(began); got > 20*time.Second {
					t.Errorf("%v: took %v", c.source, got)
				}
				if listErr == nil || openErr == nil {
					succeeded++
				}
			}
			if succeeded == 0 || succeeded > 500 {
				t.Errorf("%v: %d of 1000 succeeded", c.source, succeeded)
			}
		})
	}
}

func TestProposalClientsWithoutALobby(t *testing.T) {
	for _, c := range callers() {
		synctest.Test(t, func(t *testing.T) {
			lobby := newScriptedLobby(t)
			lobby.serve(silent)
			why := errors.New("why")
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(time.Second, func() { cancel(why) })
			if err := c.open(ctx, lobby.network.Dial); err != why {
				t.Errorf("%v: %v", c.source, err)
			}
			if _, err := c.list(ctx, lobby.network.Dial); err != why {
				t.Errorf("%v: %v", c.source, err)
			}
			lobby.listener.Close()
			if _, err := c.list(t.Context(), lobby.network.Dial); !errors.Is(err, syscall.ECONNREFUSED) {
				t.Errorf("%v: %v", c.source, err)
			}
		})
	}
}

// The text of a lobby cannot control a terminal.
func TestLobbyErrorIsPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "warzonenet: the lobby refuses",
		"No room.":                   `warzonenet: the lobby refuses: "No room."`,
		"\x1b[2J\u009b\n\u202eä\xff": `warzonenet: the lobby refuses: " [2J  \u202eä�"`,
	} {
		if got := (&LobbyError{text}).Error(); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := (&LobbyError{strings.Repeat("ä", 10_000)}).Error(); len(got) > 300 {
		t.Errorf("%d bytes", len(got))
	}
}

// A lobby gets one request in ListEvery for each list, and each caller may change
// its own result.
func TestProposalClientsShareLists(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newProtocolsNet(t)
		protocols := proposals()
		lobbies := make([]server, len(protocols))
		for i, protocol := range protocols {
			lobbies[i] = n.serve(protocol, lobbywire.ConnLimits{})
		}
		protocols[2].host(t, n.from("198.51.100.7"), "A game")
		dial := n.from("203.0.113.1")
		text, json := ProposalClient{Dial: dial}, JSONClient{Dial: dial}
		bin := ProposalClient{Encoding: wzproposal.Binary, Dial: dial}
		other := "Another game"
		for range 3 {
			for range 10 {
				textGames, err := text.List(t.Context(), textAddr.String())
				fatalIf(t, err)
				binaryGames, err := bin.List(t.Context(), binaryAddr.String())
				fatalIf(t, err)
				jsonGames, err := json.List(t.Context(), jsonAddr.String())
				fatalIf(t, err)
				if textGames.Games[0].Name+binaryGames.Games[0].Name+jsonGames.Games[0].Name != "A gameA gameA game" {
					t.Fatal(textGames, binaryGames, jsonGames)
				}
				textGames.Games[0].Name, binaryGames.Games[0].Name, jsonGames.Games[0].Name = "", "", ""
			}
			for range 10 {
				none, err := json.List(t.Context(), jsonAddr.String(), wzjson.Fields{Name: &other})
				fatalIf(t, err)
				if len(none.Games) != 0 {
					t.Fatal(none)
				}
			}
			time.Sleep(2 * time.Second)
		}
		for i, want := range []uint64{3, 3, 6} {
			if got := lobbies[i].(interface{ Stats() LobbyStats }).Stats().Lists; got != want {
				t.Errorf("%v: %d lists, want %d", protocols[i].source, got, want)
			}
		}
	})
}

// A request that need not be answered succeeds without an answer.
func TestJSONClientTakesSilenceForConsent(t *testing.T) {
	ack := func(command string) raw { return raw(encodedJSON(wzjson.Ack{Command: command})) }
	for _, tt := range []struct {
		name  string
		lobby func(c *scriptedConn)
		want  error
		took  time.Duration
	}{
		{"silence", silent, nil, time.Second},
		{"the end", answering(nil), nil, 0},
		{"an answer", keeping(ack(wzjson.CommandHeartbeatAck)), nil, 0},
		{"the answer to something else", keeping(ack(wzjson.CommandGoodbyeAck)), errNoAnswer, 0},
		{"half an answer", keeping(raw("{")), lobbywire.ErrTimeout, 5 * time.Second},
		{"half an answer and the end", answering(raw("{")), io.ErrUnexpectedEOF, 0},
		{"an Error", keeping(encodedJSON(wzjson.Error{Message: "no"})), &LobbyError{"no"}, 0},
		{"no JSON", keeping(raw("what?")), lobbywire.ErrInvalid, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				lobby := newScriptedLobby(t)
				lobby.serveRequests(tt.lobby)
				c := JSONClient{Dial: lobby.network.Dial}
				start := time.Now()
				err := c.Heartbeat(t.Context(), scriptedAddr.String(), "secret")
				if got := time.Since(start); !sameError(err, tt.want) || got != tt.took {
					t.Errorf("%v after %v, want %v after %v", err, got, tt.want, tt.took)
				}
			})
		})
	}
}

func TestProposalClientsRefuseWhatCannotBeSent(t *testing.T) {
	dial := func(context.Context, string, string) (c net.Conn, err error) { panic("dialled") }
	for name, err := range map[string]error{
		"text":         (&ProposalClient{Dial: dial}).OpenGame(t.Context(), "", wzproposal.OpenGame{Port: 1, Name: "a\tb"}),
		"binary":       (&ProposalClient{Encoding: wzproposal.Binary, Dial: dial}).CloseGame(t.Context(), "", wzproposal.CloseGame{}),
		"JSON":         (&JSONClient{Dial: dial}).Goodbye(t.Context(), "", ""),
		"a text host":  new(ProposalHost).Set(wzproposal.OpenGame{}),
		"a JSON host":  new(JSONHost).Set(wzjson.Add{MaxPlayers: -1}),
		"a JSON list":  func() error { _, err := (&JSONClient{Dial: dial}).List(t.Context(), "", badFields()); return err }(),
		"a binary one": (&ProposalHost{Encoding: wzproposal.Binary}).Set(wzproposal.OpenGame{Port: 1, Name: strings.Repeat("a", 255)}),
	} {
		var e *lobbywire.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func badFields() wzjson.Fields {
	name := "\xff"
	return wzjson.Fields{Name: &name}
}

// All fields in lists, for games of all protocols.
func TestProposalRows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := newProtocolsNet(t)
		for _, p := range proposals() {
			n.serve(p, lobbywire.ConnLimits{})
		}
		hosted := gamestest.Named("Evil\x1b[2J\nname \xe4" + strings.Repeat("ö", 20))
		long := gamestest.Named(strings.Repeat("健", 100))
		long.MapName, long.MaxPlayers = "\t"+strings.Repeat("é", 100), 1<<31
		for i, e := range []warzonegames.Entry{
			{Source: warzonegames.SourceLobby, Game: hosted},
			{Source: warzonegames.SourceText, Game: long, Started: true},
			{Source: warzonegames.SourceJSON, Game: long, Tech: "T1\x00" + strings.Repeat("x", 100)},
		} {
			e.Key = netip.AddrPortFrom(netip.MustParseAddr(fmt.Sprintf("2001:db8::%d", i+1)), uint16(2100+i))
			_, err := n.games.Add(e)
			fatalIf(t, err)
		}
		name := "Evil [2J name �" + strings.Repeat("ö", 20)
		clipped, clippedMap := strings.Repeat("健", 41), " "+strings.Repeat("é", 31)
		dial := n.from("203.0.113.1")
		want := []wzproposal.Game{
			{IP: netip.MustParseAddr("2001:db8::1"), Port: 2100, Name: name, Map: "Sk-Rush", MaxPlayers: 4, Status: wzproposal.StatusOpen},
			{IP: netip.MustParseAddr("2001:db8::2"), Port: 2101, Name: clipped, Map: clippedMap, MaxPlayers: 1 << 31, Status: wzproposal.StatusStarted},
			{IP: netip.MustParseAddr("2001:db8::3"), Port: 2102, Name: clipped, Map: clippedMap, MaxPlayers: 1 << 31, Status: wzproposal.StatusOpen},
		}
		for addr, e := range map[netip.AddrPort]wzproposal.Encoding{textAddr: wzproposal.Text, binaryAddr: wzproposal.Binary} {
			l, err := (&ProposalClient{Encoding: e, Dial: dial}).List(t.Context(), addr.String())
			fatalIf(t, err)
			if diff := cmp.Diff(want, l.Games, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", e, diff)
			}
		}
		l, err := (&JSONClient{Dial: dial}).List(t.Context(), jsonAddr.String())
		fatalIf(t, err)
		wantJSON := []wzjson.Game{
			{Host: want[0].IP, Port: 2100, Name: name, Map: "Sk-Rush", MaxPlayers: 4},
			{Host: want[2].IP, Port: 2102, Name: clipped, Map: clippedMap, Tech: wzjson.Tech("T1 " + strings.Repeat("x", 13))},
		}
		if diff := cmp.Diff(wantJSON, l.Games, cmpopts.EquateComparable(netip.Addr{})); diff != "" {
			t.Errorf("JSON (-want +got):\n%s", diff)
		}
	})
}
