package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strings"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman/bombermannet"
	"github.com/lobbywire/lobbywire/gameagent/gameagentnet"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// ourBrowsers are the rows of our clients at masters of other projects.
func ourBrowsers() []row {
	const (
		twelve     = "The server: it lists 12 games at most."
		shortName  = "The protocol: a name has up to 63 bytes. The host cuts it."
		padded     = "The server: it pads a name with spaces to 64 bytes, and cuts longer ones."
		severalPer = "The protocol: a list does not contain its number of datagrams, so the client does not notice " +
			"a lost one."
	)
	addresses := named("Latin-1", "UTF-8", "90 bytes") // lists without names
	games := func(server string, start func(c testCase) []byte, o warzone.Options, reasons ...reason) row {
		return row{
			client: "warzonenet", server: server, query: ourLobbyList(o), shows: shows{list: true}, skips: lossy,
			reasons: reasons,
			start: func(_ context.Context, c testCase) (running, error) {
				reply := start(c)
				return scriptLists(func(r *bufio.Reader, conn net.Conn) error {
					if command, err := r.ReadString(0); err != nil || command != "list\x00" {
						return fmt.Errorf("command %q: %w", command, err)
					}
					_, err := conn.Write(reply)
					return err
				})
			},
		}
	}
	return []row{
		{
			client: "gameagentnet", server: "Serious Engine 1, native", start: originalMaster, query: ourAddresses(),
			shows: shows{list: true},
			skips: addresses, reasons: []reason{{lossy, severalPer}},
		},
		{
			client: "gamespy1net", server: "333networks", start: legacyListMaster, query: ourLegacyAddresses(),
			shows: shows{list: true},
			skips: either(addresses, lossy),
		},
		{
			client: "bombermannet", server: "Bomberman", start: documentedMaster, query: ourManagementList(),
			shows: shows{list: true},
			skips: either(named("Latin-1"), lossy),
		},
		games("Warzone 2100 of 2009", officialLobby(warzoneClients()[1]), warzone.Options{Layout: warzone.Layout21},
			reason{named("90 bytes"), shortName}),
		games("Warzone 2100 2.3", officialLobby(warzoneClients()[3]), warzone.Options{}, reason{moreThan(12), twelve},
			reason{named("90 bytes"), shortName}),
		games("Warzone 2100 in PHP", phpLobby, warzone.Options{}, reason{named("90 bytes"), padded}),
		games("Warzone 2100 4.0 to 4.6", batchLobby, warzone.Options{}, reason{named("90 bytes"), shortName}),
	}
}

// scriptLists runs a server that has one conversation on each connection, and then
// closes it.
func scriptLists(talk func(r *bufio.Reader, conn net.Conn) error) (running, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return running{}, err
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			if err := talk(bufio.NewReader(conn), conn); err != nil {
				fmt.Fprintln(conn, err) // which the client does not expect
			}
			conn.Close()
		}
	}()
	return running{addr: l.Addr().String(), stop: func() {
		l.Close()
		<-ended
	}}, nil
}

// gameAt is the address of a game in a list of addresses.
func gameAt(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 51, 100, byte(i)}), uint16(25600+i))
}

// withGames adds the addresses of the games to a server.
func withGames(r running, c testCase) running {
	for i := range c.players {
		r.entries = append(r.entries, gameAt(i).String())
	}
	return r
}

// originalMaster is the master of Serious Engine 1 in Python: up to 170 games of 6 bytes
// in each datagram, with little-endian ports.
func originalMaster(ctx context.Context, c testCase) (running, error) {
	packets := []string{"s"}
	for i := range c.players {
		last := len(packets) - 1
		if len(packets[last])+6 > 1024 {
			packets, last = append(packets, "s"), last+1
		}
		ip := gameAt(i).Addr().As4()
		packets[last] += string(binary.LittleEndian.AppendUint16(ip[:], gameAt(i).Port()))
	}
	r, err := onSocket(func(testCase) (packetServer, error) {
		return script(func(req string) []string {
			if !strings.HasPrefix(req, "e") {
				return nil
			}
			return packets
		}), nil
	})(ctx, c)
	return withGames(r, c), err
}

// legacyListMaster is Masterserver-Qt5 of 333networks: a greeting, two requests in a row
// or apart, and a list of addresses for queries.
func legacyListMaster(_ context.Context, c testCase) (running, error) {
	const secure = "QWERTY"
	var list []byte
	for i := range c.players {
		ip := gameAt(i).Addr().As4()
		list = binary.BigEndian.AppendUint16(append(list, ip[:]...), gameAt(i).Port()+1)
	}
	list = append(list, `\final\`...)
	r, err := scriptLists(func(r *bufio.Reader, conn net.Conn) error {
		if _, err := io.WriteString(conn, `\basic\\secure\`+secure+`\final\`); err != nil {
			return err
		}
		var request strings.Builder
		for !strings.Contains(request.String(), `\list\`) {
			text, err := r.ReadString('\\')
			if err != nil {
				return err
			}
			request.WriteString(text)
		}
		if !strings.Contains(request.String(),
			`\validate\`+gamespy1.Validate(secure, gamespy1.SeriousSamKey)+`\`) {
			return errors.New(`\error\`)
		}
		_, err := conn.Write(list)
		return err
	})
	return withGames(r, c), err
}

// documentedMaster is a management server with answers as the specification shows them:
// some numbers are texts.
func documentedMaster(_ context.Context, c testCase) (running, error) {
	servers := []string{}
	for i := range c.players {
		name, err := json.Marshal(c.player(i))
		if err != nil {
			return running{}, err
		}
		servers = append(servers, fmt.Sprintf(`{"name":%s,"address":"192.168.0.1","port":%d,`+
			`"players":{"current":"%d","max":4},"isLobbyOpen":true,"gameplayMode":1}`, name, 1024+i, i%5))
	}
	answer := `{"command":"msRQueryGameServers","content":{"servers":[` + strings.Join(servers, ",") + `]}}`
	return scriptLists(func(r *bufio.Reader, conn net.Conn) error {
		if frame, err := r.ReadString('\n'); err != nil || frame != "33"+`{"command":"msQueryGameServers"}`+"\n" {
			return fmt.Errorf("frame %q: %w", frame, err)
		}
		_, err := fmt.Fprintf(conn, "%d%s\n", len(answer)+1, answer)
		return err
	})
}

// officialLobby is the official lobby of a version: a number of games, and the games. It
// lists as many games as the browsers of the version show.
func officialLobby(w warzoneClient) func(c testCase) []byte {
	return func(c testCase) []byte {
		n := c.players
		if w.clamps {
			n = min(n, w.maxGames)
		}
		return appendGames(nil, w, c, n)
	}
}

// appendGames appends a number of games and the first n games of a case.
func appendGames(b []byte, w warzoneClient, c testCase, n int) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(n))
	for i := range n {
		b = append(b, w.game(uint32(i+1), c.player(i))...)
	}
	return b
}

// The answer of a lobby that has a text for its clients.
const lobbyStatus = "\x00\x00\x00\xc8\x00\x00\x00\x07Welcome"

// phpLobby is a lobby in PHP: games of version 3, filled up with blanks, and a status.
func phpLobby(c testCase) []byte {
	w := warzoneClients()[4]
	b := binary.BigEndian.AppendUint32(nil, uint32(c.players))
	for i := range c.players {
		game := w.game(uint32(i+1), "")
		copy(game[4:68], fmt.Sprintf("%-64s", c.player(i)))
		b = append(b, game...)
	}
	return append(b, lobbyStatus...)
}

// batchLobby is the lobby of 4.x: up to 11 games for old clients, a status, and all
// games in a second batch that replaces the first.
func batchLobby(c testCase) []byte {
	w := warzoneClients()[5]
	b := append(appendGames(nil, w, c, min(c.players, 11)), lobbyStatus...)
	return appendGames(binary.BigEndian.AppendUint32(b, 1), w, c, c.players)
}

// ourList queries with a function that returns the names of games, or their addresses.
func ourList(list func(ctx context.Context, addr string) ([]string, error)) func(ctx context.Context,
	addrs ...string) []querytools.Result {
	return querytools.Script("list", func(ctx context.Context, addr string) (querytools.Answer, error) {
		names, err := list(ctx, addr)
		return ofNames(names), err
	}).Query
}

func ourAddresses() func(ctx context.Context, addrs ...string) []querytools.Result {
	var client gameagentnet.Client
	return ourList(func(ctx context.Context, addr string) ([]string, error) {
		l, err := client.List(ctx, addr)
		return addressesIn(l.Views()), err
	})
}

func ourLegacyAddresses() func(ctx context.Context, addrs ...string) []querytools.Result {
	var client gamespy1net.Client
	return ourList(func(ctx context.Context, addr string) ([]string, error) {
		l, err := client.List(ctx, addr)
		return addressesIn(l.Views()), err
	})
}

func addressesIn(views []lobbywire.View) (list []string) {
	for _, v := range views {
		list = append(list, v.Address(""))
	}
	return list
}

func ourManagementList() func(ctx context.Context, addrs ...string) []querytools.Result {
	var client bombermannet.Client
	return ourList(func(ctx context.Context, addr string) (names []string, err error) {
		l, err := client.List(ctx, addr)
		for _, s := range l.Servers {
			names = append(names, s.Name)
		}
		return names, err
	})
}

func ourLobbyList(o warzone.Options) func(ctx context.Context, addrs ...string) []querytools.Result {
	client := warzonenet.Client{Options: o}
	return ourList(func(ctx context.Context, addr string) (names []string, err error) {
		l, err := client.List(ctx, addr)
		for _, game := range l.Games {
			names = append(names, game.Name)
		}
		return names, err
	})
}
