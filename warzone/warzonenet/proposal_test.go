package warzonenet

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
	"github.com/lobbywire/lobbywire/warzone/internal/serving"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzproposal"
)

// A game opened through one protocol is visible through all.
func TestAllProtocolsShareGames(t *testing.T) {
	for _, opens := range protocols() {
		for _, lists := range protocols() {
			t.Run(opens.source.String()+" to "+lists.source.String(), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					n := newProtocolsNet(t)
					n.serve(opens, lobbywire.ConnLimits{})
					if lists.source != opens.source {
						n.serve(lists, lobbywire.ConnLimits{})
					}
					n.wantNames(lists)
					opens.host(t, n.from("198.51.100.7"), "Grüße")
					n.wantNames(lists, "Grüße")
					opens.host(t, n.from("2001:db8::7"), "Six")
					n.wantNames(lists, "Grüße", "Six")
				})
			})
		}
	}
}

// Only the protocol that opened a game changes it.
func TestOnlyTheSameProtocolChangesAGame(t *testing.T) {
	for _, first := range protocols() {
		for _, second := range proposals() {
			if first.source == second.source {
				continue
			}
			synctest.Test(t, func(t *testing.T) {
				n := newProtocolsNet(t)
				n.serve(first, lobbywire.ConnLimits{})
				n.serve(second, lobbywire.ConnLimits{})
				first.host(t, n.from("198.51.100.7"), "First")
				c := n.connect("198.51.100.7", second.addr)
				c.send(second.open(2100, "Second"))
				if b := c.answer(); !second.failed(b) {
					t.Errorf("%v, then %v: %q", first.source, second.source, b)
				}
				n.wantNames(first, "First")
			})
		}
	}
}

// Requests are answered in order however they are cut, and a game outlives its
// connection until it expires.
func TestProposalConversation(t *testing.T) {
	for _, p := range proposals() {
		life := 10 * time.Minute
		if p.source == warzonegames.SourceJSON {
			life = 2 * time.Minute
		}
		for _, atOnce := range []int{1, 7, 1 << 20} {
			synctest.Test(t, func(t *testing.T) {
				n := newProtocolsNet(t)
				n.serve(p, lobbywire.ConnLimits{})
				c := n.connect("198.51.100.7", p.addr)
				var all []byte
				for _, name := range []string{"One", "Two"} {
					for _, m := range []interface{ MarshalBinary() ([]byte, error) }{p.open(2100, name), p.list} {
						b, err := m.MarshalBinary()
						fatalIf(t, err)
						all = append(all, b...)
					}
				}
				for part := range slices.Chunk(all, atOnce) {
					_, err := c.Write(part)
					fatalIf(t, err)
				}
				synctest.Wait()
				got := string(c.answer())
				if i := strings.Index(got, "One"); i < 0 || !strings.Contains(got[i:], "Two") || strings.Count(got, "Two") != 1 {
					t.Errorf("%v, %d bytes at once: %q", p.source, atOnce, got)
				}
				c.Close()
				time.Sleep(life - time.Second)
				n.wantNames(p, "Two")
				time.Sleep(2 * time.Second)
				n.wantNames(p)
			})
		}
	}
}

// Bad content within a whole message is answered and the connection goes on. The
// connection ends if the start of the next message is unknown, or after too many
// bad messages.
func TestProposalSurvivesBadContent(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			c := n.connect("198.51.100.7", p.addr)
			for i, bad := range badRequests(p.source) {
				_, err := c.Write([]byte(bad))
				fatalIf(t, err)
				if b := c.answer(); !p.failed(b) || bytes.ContainsAny(b[:len(b)-1], "\x1b\x00") && p.source != warzonegames.SourceBinary {
					t.Errorf("%v, %q: %q", p.source, bad, b)
				}
				if i%3 == 0 {
					c.send(p.open(2100, "Still there"))
					if b := c.answer(); !p.opened(b) {
						t.Errorf("%v, after %q: %q", p.source, bad, b)
					}
				}
			}
			c.Close()

			c = n.connect("198.51.100.7", p.addr)
			bad := badRequests(p.source)[0]
			_, err := c.Write([]byte(strings.Repeat(bad, 3*maxMalformed)))
			fatalIf(t, err)
			single := len(c.end()) / maxMalformed
			if single < 5 || single > 300 {
				t.Errorf("%v: %d bytes for each of %d", p.source, single, maxMalformed)
			}
			n.wantNames(p, "Still there")
		})
	}
}

// badRequests are whole messages that are not valid requests.
func badRequests(s warzonegames.Source) []string {
	switch s {
	case warzonegames.SourceText:
		return []string{
			"\n", "OPENGAME\n", "OPENGAME\t0\tname\tmap\t4\n", "OPENGAME\t2100\tname\tmap\t99999999999999999999999\n",
			"OPENGAME\t2100\t\tmap\t4\n", "DONE\n", "\x1b[2J\x00\xff\n", "CLOSEGAME\t-1\n", "STARTGAME\t7\n", "LIST\t*\t*\n",
		}
	case warzonegames.SourceBinary:
		return []string{
			"\x02\x00", "\x00\x00", "\x07\x00", "\x02\x01\xff", "\x03\x02\x010", "\x04\x03\x0299", "\xff\x03abc",
			"\x01\x04\x01*\x01*", "\x02\x0c\x042100\x00\x03map\x014",
		}
	default:
		return []string{
			"{}", `{"lobbyquery":{"version":2,"query":{"command":"list"}}}`, `{"lobbyquery":7}`,
			`{"lobbyquery":{"version":1,"query":{"command":"list","filter":[{}` + strings.Repeat(",{}", maxFilter) + `]}}}`,
			`{"lobbyquery":{"version":1,"query":{"command":"add"}}}`,
			`{"lobbyquery":{"version":1,"query":{"command":"add","name":"a","players":-1}}}`,
			`{"lobbyquery":{"version":1,"query":{"command":"\u001b[2J"}}}`,
			`{"lobbyquery":{"version":1,"query":{"command":"heartbeat","id":"nobody's"}}}`,
			`{"lobbyquery":{"version":1,"query":{"command":"list-ack","games":[]}}}`,
			`{"lobbyquery":{"version":1,"query":{"command":"list",}}}`,
		}
	}
}

// Too long messages, and input that starts none, end the connection after an Error.
// Endless messages, and answers that the peer does not read, end it in time.
func TestProposalEndsConnections(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			for name, sends := range endless(p.source) {
				c := n.connect("198.51.100.7", p.addr)
				go c.Write(sends)
				if b := c.end(); !p.failed(b) {
					t.Errorf("%v, %s: %q", p.source, name, b)
				}
			}
			for _, tt := range []struct {
				name  string
				bytes []byte
				after time.Duration
			}{
				{"nothing", nil, serving.DefaultLimits().First},
				{"part of a message", start(p.source), serving.DefaultLimits().Frame},
			} {
				c, began := n.connect("198.51.100.7", p.addr), time.Now()
				_, err := c.Write(tt.bytes)
				fatalIf(t, err)
				b := c.end()
				if got := time.Since(began); len(b) > 0 || got != tt.after {
					t.Errorf("%v, %s: %q after %v, want the end after %v", p.source, tt.name, b, got, tt.after)
				}
			}
			c, began := n.connect("198.51.100.7", p.addr), time.Now()
			c.send(p.list)
			c.answer()
			c.end()
			if got := time.Since(began); got != serving.DefaultLimits().Idle {
				t.Errorf("%v: silent for %v, want %v", p.source, got, serving.DefaultLimits().Idle)
			}
		})
	}
}

// endless returns endless messages of the encodings without a length of frames.
func endless(s warzonegames.Source) map[string][]byte {
	switch s {
	case warzonegames.SourceText:
		return map[string][]byte{
			"a long line":    bytes.Repeat([]byte("OPENGAME\t1"), 1000),
			"endless digits": append([]byte("OPENGAME\t"), bytes.Repeat([]byte("9"), 10_000)...),
			"no text":        bytes.Repeat([]byte{0}, 10_000),
		}
	case warzonegames.SourceJSON:
		return map[string][]byte{
			"another protocol": []byte("LIST\t*\n"),
			"a line break":     []byte("{\"lobbyquery\n"),
			"a long message":   append([]byte(`{"lobbyquery":"`), bytes.Repeat([]byte("9"), 10_000)...),
			"white space":      bytes.Repeat([]byte(" "), 10_000),
			"depth":            bytes.Repeat([]byte(`{"a":`), 10_000),
		}
	}
	return nil
}

// start returns the start of a message.
func start(s warzonegames.Source) []byte {
	if s == warzonegames.SourceBinary {
		return []byte{1, 255}
	}
	return []byte(`{"LIST`)
}

func TestProposalPeerThatNeverReads(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			s := n.serve(p, lobbywire.ConnLimits{Write: time.Second})
			for i := range 64 {
				_, err := n.games.Add(warzonegames.Entry{
					Key: netip.AddrPortFrom(netip.AddrFrom4([4]byte{203, 0, byte(i), 1}), 2100), Source: warzonegames.SourceText, Game: gamestest.Named("A game"),
				})
				fatalIf(t, err)
			}
			c := n.connect("198.51.100.7", p.addr)
			b, err := p.list.MarshalBinary()
			fatalIf(t, err)
			go c.Write(bytes.Repeat(b, 100_000))
			time.Sleep(10 * time.Second)
			if got := connsOf(s).Open; got != 0 {
				t.Errorf("%v: %d connections", p.source, got)
			}
		})
	}
}

// connsOf returns the counters of a proposal's server.
func connsOf(s server) lobbywire.ConnStats {
	return s.(interface{ Stats() LobbyStats }).Stats().ConnStats
}

func TestProposalLimits(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.games.MaxPerAddress = 3
			s := n.serve(p, lobbywire.ConnLimits{MaxPerAddress: 2, MaxPerPrefix: 3})
			// Connections.
			c := n.connect("198.51.100.7", p.addr)
			n.connect("198.51.100.7", p.addr)
			if b := n.connect("198.51.100.7", p.addr).end(); len(b) > 0 {
				t.Errorf("got %q", b)
			}
			n.connect("198.51.100.8", p.addr)
			n.connect("198.51.100.9", p.addr).end()
			if got := connsOf(s); got.Open != 3 || got.Refused != 2 {
				t.Errorf("%v: %+v", p.source, got)
			}
			// Games. By JSON there is one of an address anyway.
			for i := range 5 {
				c.send(p.open(uint16(2100+i), "A game"))
				b := c.answer()
				if want := i < 3 || p.source == warzonegames.SourceJSON; p.opened(b) != want || p.failed(b) == want {
					t.Errorf("%v, game %d: %q", p.source, i, b)
				}
			}
		})
	}
}

// Only a request from the address that opened a game starts or closes it.
func TestOthersDoNotChangeAGame(t *testing.T) {
	for _, p := range proposals()[:2] {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			p.host(t, n.from("198.51.100.7"), "A game")
			for _, from := range []string{"198.51.100.8", "2001:db8::7"} {
				c := ProposalClient{Dial: n.from(from)}
				if p.source == warzonegames.SourceBinary {
					c.Encoding = wzproposal.Binary
				}
				for _, err := range []error{
					c.StartGame(t.Context(), p.addr.String(), wzproposal.StartGame{Port: 2100}),
					c.CloseGame(t.Context(), p.addr.String(), wzproposal.CloseGame{Port: 2100}),
				} {
					wantRefused(t, p.source.String()+" from "+from, err)
				}
			}
			if e, ok := n.games.Find(netip.MustParseAddrPort("198.51.100.7:2100")); !ok || e.Started {
				t.Errorf("%v: %+v, %v", p.source, e, ok)
			}
		})
	}
}

// The address of a game is that of the connection, without a zone and with IPv4
// unmapped.
func TestProposalAddresses(t *testing.T) {
	for _, p := range proposals() {
		for from, want := range map[string]string{
			"198.51.100.7": "198.51.100.7:2100", "::ffff:198.51.100.7": "198.51.100.7:2100",
			"2001:db8::7": "[2001:db8::7]:2100", "fe80::7%eth0": "[fe80::7]:2100",
		} {
			synctest.Test(t, func(t *testing.T) {
				n := newProtocolsNet(t)
				n.serve(p, lobbywire.ConnLimits{})
				for _, name := range []string{"A game", "Another"} {
					p.host(t, n.from(from), name)
					if e, ok := n.games.Find(netip.MustParseAddrPort(want)); !ok || e.Source != p.source || e.Game.Name != name {
						t.Errorf("%v from %s: %+v, %v", p.source, from, e, ok)
					}
				}
			})
		}
	}
}

// Lists are as long as an answer may be.
func TestProposalLongLists(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			for i := range 3000 {
				_, err := n.games.Add(warzonegames.Entry{
					Key:    netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), 2100),
					Source: warzonegames.SourceText,
					Game:   gamestest.Named(fmt.Sprintf("%04d %s", i, strings.Repeat("é", i%100))),
				})
				fatalIf(t, err)
			}
			names, err := p.names(t.Context(), n.from("198.51.100.7"))
			fatalIf(t, err)
			want := 1023
			if p.source == warzonegames.SourceJSON {
				want = 400 // of 64 KiB
			}
			if len(names) < want || len(names) > 1023 || !strings.HasPrefix(names[300], "0300 ") {
				t.Errorf("%v: %d names, the 300th %q", p.source, len(names), names[300])
			}
		})
	}
}

func TestProposalShutdown(t *testing.T) {
	for _, p := range proposals() {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			s := n.serve(p, lobbywire.ConnLimits{})
			p.host(t, n.from("198.51.100.7"), "A game")
			n.wantNames(p, "A game")
			idle := n.connect("198.51.100.7", p.addr)
			synctest.Wait()
			fatalIf(t, s.Shutdown(t.Context()))
			idle.end()
			if err := s.Serve(brokenListener{}); !errors.Is(err, lobbywire.ErrClosed) {
				t.Errorf("%v: Serve returned %v", p.source, err)
			}
			if _, ok := n.games.Find(netip.MustParseAddrPort("198.51.100.7:2100")); !ok {
				t.Errorf("%v: the game is not there", p.source)
			}
		})
	}
}

// A brokenListener accepts nothing.
type brokenListener struct{}

func (brokenListener) Accept() (net.Conn, error) { return nil, io.ErrClosedPipe }
func (brokenListener) Close() error              { return nil }
func (brokenListener) Addr() net.Addr            { return new(net.TCPAddr) }

// No input keeps a server from serving others: all golden files, whole, cut and
// joined, and random bytes.
func TestProposalServesWhateverIsSent(t *testing.T) {
	for _, p := range proposals() {
		corpus := golden(t, "../wzproposal", "../wzjson", "..")
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			random := rand.New(rand.NewPCG(1, 2))
			for i := range 2000 {
				b := corpus[random.IntN(len(corpus))]
				switch i % 4 {
				case 1:
					b = b[:random.IntN(len(b)+1)]
				case 2:
					b = slices.Concat(b, corpus[random.IntN(len(corpus))])
				case 3:
					b = make([]byte, 1+random.IntN(64))
					for i := range b {
						b[i] = byte(random.Uint32())
					}
				}
				c := n.connect("198.51.100.7", p.addr)
				go func() {
					c.Write(b)
					c.Conn.(interface{ CloseWrite() error }).CloseWrite()
				}()
				if len(c.end()) > 64<<10 {
					t.Errorf("%v: a long answer to %x", p.source, b)
				}
				c.Close()
			}
			if _, err := p.names(t.Context(), n.from("203.0.113.9")); err != nil {
				t.Error(err)
			}
		})
	}
}

// golden returns the golden files of codecs.
func golden(t testing.TB, dirs ...string) (all [][]byte) {
	t.Helper()
	for _, dir := range dirs {
		paths, err := filepath.Glob(filepath.Join(dir, "testdata/golden/*.hex"))
		fatalIf(t, err)
		for _, path := range paths {
			text, err := os.ReadFile(path)
			fatalIf(t, err)
			_, b, err := hexfile.Parse(string(text))
			fatalIf(t, err)
			all = append(all, b)
		}
	}
	if len(all) < 50 {
		t.Fatalf("%d messages", len(all))
	}
	return all
}

// Over real sockets, of both families.
func TestProposalsOverSockets(t *testing.T) {
	for _, addr := range []string{"127.0.0.1:0", "[::1]:0"} {
		for _, p := range proposals() {
			t.Run(p.source.String()+" "+addr, func(t *testing.T) {
				ln, err := net.Listen("tcp", addr)
				if err != nil {
					t.Skip(err)
				}
				s := p.serve(nil, lobbywire.ConnLimits{})
				ended := make(chan error, 1)
				go func() { ended <- s.Serve(ln) }()
				dial := func(ctx context.Context, network, _ string) (net.Conn, error) {
					return new(net.Dialer).DialContext(ctx, network, ln.Addr().String())
				}
				p.host(t, dial, "A game")
				if names, err := p.names(t.Context(), dial); err != nil || !slices.Equal(names, []string{"A game"}) {
					t.Errorf("%q, %v", names, err)
				}
				fatalIf(t, s.Shutdown(t.Context()))
				if err := <-ended; err != lobbywire.ErrClosed {
					t.Errorf("Serve returned %v", err)
				}
			})
		}
	}
}

// A filter other than * gets all games too.
func TestProposalLobbyFilters(t *testing.T) {
	for _, p := range proposals()[:2] {
		synctest.Test(t, func(t *testing.T) {
			n := newProtocolsNet(t)
			n.serve(p, lobbywire.ConnLimits{})
			p.host(t, n.from("198.51.100.7"), "A game")
			encoding := wzproposal.Text
			if p.source == warzonegames.SourceBinary {
				encoding = wzproposal.Binary
			}
			var lists []string
			for _, filter := range []string{wzproposal.AllGames, "Sk-Rush", "map=Sk-Rush"} {
				b, err := encoding.Append(nil, wzproposal.List{Filter: filter})
				fatalIf(t, err)
				c := n.connect("198.51.100.8", p.addr)
				_, err = c.Write(b)
				fatalIf(t, err)
				lists = append(lists, string(c.answer()))
			}
			if lists[0] != lists[1] || lists[0] != lists[2] || !strings.Contains(lists[0], "A game") {
				t.Errorf("%v: %q", p.source, lists)
			}
		})
	}
}
