package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/internal/hexfile"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
	"github.com/lobbywire/lobbywire/sqp/sqpnet"
	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// recordings is the only case of rows whose bytes were recorded.
func recordings() []testCase { return []testCase{{name: "recorded"}} }

// recorded are the rows of programs of other projects that were recorded. Their bytes
// are golden files.
func recorded() []row {
	lobby := func(server, file string, o warzone.Options, names ...string) row {
		return row{client: "warzonenet", server: server, start: onConnections(file, '\x00'), query: ourLobbyList(o),
			shows: shows{exactly: ofNames(names)}}
	}
	host := func(client, file string, layout warzone.Layout, o warzone.Options, names ...string) row {
		return row{client: client, server: "warzonenet", start: hostedAt(layout, file), query: ourLobbyList(o),
			shows: shows{exactly: ofNames(names)}}
	}
	spy := func(server, file string, want querytools.Answer) row {
		return row{client: "gamespy2net", server: server, start: inDatagrams(gameSpyAnswer(file)),
			query: ofViews(new(gamespy2net.Client)), shows: shows{exactly: want}}
	}
	return []row{
		{
			client: "sqpnet", server: "Unreal Engine 4, from the specification", start: inDatagrams(sqpAnswer),
			query: ofViews(new(sqpnet.Client)),
			shows: shows{exactly: querytools.Answer{Name: "UE4 Dedicated Server", Map: "Highrise", MaxPlayers: 16}},
		},
		spy("Battlefield 2, the first packet of an answer", "document_sample",
			querytools.Answer{Name: "DPF Testserver", Map: "Strike At Karkand"}),
		spy("Unreal Tournament 3, empty values (twin)", "v3_empty_values", reef("Ann", "", "")),
		spy("Crysis Wars, blanks (twin)", "v3_blanks", reef("Ann", "<connecting>")),
		spy("Just Cause 2, no last packet (twin)", "v3_jc2mp", reef("Ann")),
		{
			client: "gameagentnet", server: "master of Serious Engine 1", start: inDatagrams(masterAnswer),
			query: ourAddresses(),
			shows: shows{exactly: ofNames([]string{"127.0.0.1:25600", "127.0.0.2:25700"})},
		},
		lobby("official Warzone lobby of 2009", "warzone/testdata/golden/record_list.hex",
			warzone.Options{Layout: warzone.Layout21}, "Test v1 game"),
		lobby("Warzone lobby in PHP", "warzone/testdata/golden/php_list.hex", warzone.Options{}, "Grüße from Go"),
		{
			client: "bombermannet", server: "Bomberman management server in Java", query: ourManagementList(),
			start: onConnections("bomberman/testdata/golden/java_ms_on_connect.hex", '\n'),
			shows: shows{exactly: ofNames([]string{"1"})},
			reasons: []reason{{func(testCase) bool { return true },
				"The server: its list is a message without a command, and it ignores queries."}},
		},
		host("host of Warzone 2100 4.3.3", "warzone/testdata/golden/host_register.hex", warzone.LayoutVersioned,
			warzone.Options{}, "Grüße from Go"),
		host("host of Warzone 2100 of 2009", "warzone/testdata/golden/record_add.hex", warzone.Layout21,
			warzone.Options{Layout: warzone.Layout21}, "Test v1 game"),
	}
}

// reef returns the server of the twins.
func reef(players ...string) querytools.Answer {
	a := ofNames(players)
	a.Name = "Reef"
	return a
}

// golden returns the bytes of a golden file of the repository.
func golden(file string) ([]byte, error) {
	for _, root := range []string{"..", "../.."} { // programs and tests run in different folders
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		_, b, err := hexfile.Parse(string(text))
		return b, err
	}
	return nil, fmt.Errorf("no file %s; run in the folder examples", file)
}

// goldens returns the bytes of golden files.
func goldens(files ...string) ([][]byte, error) {
	var all [][]byte
	for _, file := range files {
		b, err := golden(file)
		if err != nil {
			return nil, err
		}
		all = append(all, b)
	}
	return all, nil
}

// inDatagrams runs a server on a socket.
func inDatagrams(newAnswer func() (func(req string) []string, error)) func(ctx context.Context, c testCase) (running,
	error) {
	return onSocket(func(testCase) (packetServer, error) {
		answer, err := newAnswer()
		return script(answer), err
	})
}

// sqpAnswer answers with recorded messages, and with the token of a query.
func sqpAnswer() (func(req string) []string, error) {
	messages, err := goldens("sqp/testdata/golden/challenge_response.hex", "sqp/testdata/golden/answer_info.hex")
	return func(req string) []string {
		if len(req) == 5 {
			return []string{string(messages[0])}
		}
		return []string{"\x01" + req[1:5] + string(messages[1][5:])}
	}, err
}

// gameSpyAnswer answers with a recorded packet, and with the ID of a request. There are
// no challenges.
func gameSpyAnswer(file string) func() (func(req string) []string, error) {
	return func() (func(req string) []string, error) {
		messages, err := goldens("gamespy2/testdata/golden/" + file + ".hex")
		return func(req string) []string {
			if req[2] == 9 {
				return []string{"\x09" + req[3:7] + "0\x00"}
			}
			return []string{"\x00" + req[3:7] + string(messages[0][5:])}
		}, err
	}
}

func masterAnswer() (func(req string) []string, error) {
	messages, err := goldens("gameagent/testdata/golden/server_list_two.hex")
	return func(string) []string { return []string{string(messages[0])} }, err
}

// onConnections sends recorded bytes on each connection, after a request that has an
// end, and closes it.
func onConnections(file string, end byte) func(ctx context.Context, c testCase) (running, error) {
	return func(context.Context, testCase) (running, error) {
		b, err := golden(file)
		if err != nil {
			return running{}, err
		}
		return scriptLists(func(r *bufio.Reader, conn net.Conn) error {
			if _, err := r.ReadString(end); err != nil {
				return err
			}
			_, err := conn.Write(b)
			return err
		})
	}
}

// hostedAt runs a lobby of ours and a host that sends recorded bytes.
func hostedAt(layout warzone.Layout, file string) func(ctx context.Context, c testCase) (running, error) {
	return func(ctx context.Context, c testCase) (running, error) {
		b, err := golden(file)
		if err != nil {
			return running{}, err
		}
		games := new(warzonegames.Games)
		l := &warzonenet.Lobby{Games: games, Layout: layout, NoVerify: true}
		c.players, c.player = 1, ascii
		send := func(conn net.Conn, _ string) error {
			_, err := conn.Write(b)
			return err
		}
		return startLists(ctx, c, l, l.Serve, send, func() int { return games.Stats().Listed })
	}
}
