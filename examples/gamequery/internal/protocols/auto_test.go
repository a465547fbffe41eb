package protocols

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"net"
	"net/netip"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/tap"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/targets"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
)

// hostileAnswers return answer number i of a hostile server that answers every request.
var hostileAnswers = map[string]func(request []byte, i int) []byte{
	"echoes": func(request []byte, _ int) []byte { return request },
	"huge": func(request []byte, _ int) []byte {
		return append(bytes.Clone(request[:min(5, len(request))]), make([]byte, 65_000)...)
	},
	"challenges of all protocols": func(request []byte, i int) []byte {
		switch i % 3 {
		case 0:
			return fmt.Appendf(nil, "\x00%04d", i) // sqp
		case 1:
			return fmt.Appendf(idOf(request), "%d\x00", 1_000_000+i) // gamespy2
		}
		return []byte(`\final\` + fmt.Sprintf(`\queryid\%d.1`, i))
	},
	"parts of an answer in sqp without an end": func(_ []byte, i int) []byte {
		if i == 0 {
			return []byte("\x00ABCD") // a challenge
		}
		return []byte{1, 'A', 'B', 'C', 'D', 0, 1, byte(i % 255), 255, 0, 4, 0, 0, 0, 1}
	},
	"parts of an answer in gamespy2 without an end": func(request []byte, i int) []byte {
		if len(request) < 12 {
			return fmt.Appendf(bytes.Replace(idOf(request), []byte{0}, []byte{9}, 1), "%d\x00", 1_000_000)
		}
		return fmt.Appendf(idOf(request), "splitnum\x00%c\x00key%d\x00value\x00", i%127, i)
	},
	"parts of a legacy answer without an end": func(_ []byte, i int) []byte {
		return fmt.Appendf(nil, `\key%d\value\queryid\7.%d`, i, 2+i)
	},
	"cut answers": func(request []byte, i int) []byte { return request[:i%len(request)] },
	"nothing":     func([]byte, int) []byte { return []byte{} },
	"any protocol": func(_ []byte, i int) []byte {
		return binary.BigEndian.AppendUint64([]byte{byte(i)}, uint64(i)*0x9e3779b97f4a7c15)
	},
}

// idOf returns the start of an answer in gamespy2, with the id of a request.
func idOf(request []byte) []byte {
	if len(request) < 7 {
		return []byte{0, 1, 2, 3, 4}
	}
	return append([]byte{0}, request[3:7]...)
}

// A server of each protocol is found, and the command names its form of query.
func TestAutoFindsTheProtocol(t *testing.T) {
	type server interface {
		SetView(v lobbywire.View) (changed []string)
		Serve(pc net.PacketConn) error
	}
	for _, test := range []struct {
		server server
		found  string
	}{
		{new(sqpnet.Server), "gamequery query sqp 192.0.2.1:5000"},
		{new(gamespy2net.Server), "gamequery query gamespy2 -ask plain 192.0.2.1:5000"},
		{&gamespy2net.Server{Challenge: gamespy2net.ChallengeRequired},
			"gamequery query gamespy2 -ask challenge 192.0.2.1:5000"},
		{new(gameagentnet.Server), "gamequery query gameagent -ask status 192.0.2.1:5000"},
	} {
		synctest.Test(t, func(t *testing.T) {
			network := new(nettest.Network)
			pc, err := network.Listen(netip.MustParseAddrPort("192.0.2.1:5000"))
			if err != nil {
				t.Fatal(err)
			}
			test.server.SetView(lobbywire.View{Name: "Duel"})
			var serving sync.WaitGroup
			serving.Go(func() { test.server.Serve(pc) })
			a := Settings{Timeout: time.Second, Sockets: tap.Sockets{Dial: network.Dial, Listen: network.ListenAny}}
			got, found, err := AskAny(t.Context(), targets.Place{Host: "192.0.2.1", Port: 5000}, a)
			pc.Close()
			serving.Wait()
			if err != nil || found != test.found || got.View.Name != "Duel" {
				t.Errorf("%q, %+v, %v, want %q", found, got.View, err, test.found)
			}
		})
	}
}

// Whatever a server answers, at once or slowly, and for how long, a query in an unknown protocol
// ends within the time of its six forms, sends few datagrams, and keeps little memory.
func TestAutoIsBoundedAtHostileServers(t *testing.T) {
	const timeout, forms = time.Second, 6
	for name, answer := range hostileAnswers {
		for _, pause := range []time.Duration{0, time.Millisecond, timeout - time.Millisecond} {
			t.Run(fmt.Sprint(name, " each ", pause), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					network := new(nettest.Network)
					at := netip.MustParseAddrPort("192.0.2.1:5000")
					server, err := network.Listen(at)
					if err != nil {
						t.Fatal(err)
					}
					requests := 0
					var sending sync.WaitGroup
					sending.Go(func() {
						b := make([]byte, 2048)
						for {
							n, from, err := server.ReadFrom(b)
							if err != nil {
								return
							}
							requests++
							request := bytes.Clone(b[:n])
							sending.Go(func() {
								for i := range suite.Pick(100, 500) {
									time.Sleep(pause)
									if _, err := server.WriteTo(answer(request, i), from); err != nil {
										return
									}
								}
							})
						}
					})
					a := Settings{Timeout: timeout, Sockets: tap.Sockets{Dial: network.Dial, Listen: network.ListenAny}}
					start, before := time.Now(), suite.Heap()
					got, found, err := AskAny(t.Context(), targets.Place{Host: "192.0.2.1", Port: 5000}, a)
					took, grown := time.Since(start), suite.Heap()-before
					server.Close()
					sending.Wait()
					t.Logf("%v, %d requests, %d KiB: %v %q", took, requests, grown>>10, err, found)
					runtime.KeepAlive(got)
					if took > forms*(2*timeout+autoPace) || requests > 2*forms || grown > 1<<20 {
						t.Errorf("%v, %d requests, %d bytes", took, requests, grown)
					}
				})
			})
		}
	}
}
