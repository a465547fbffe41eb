package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/querytools"
)

// The browsers and hosts here stand for programs that cannot be installed, or that are
// not query tools. They send the bytes that the programs send.

// patience is how long they wait for an answer.
const patience = 10 * time.Second

// browser returns a client that reads a list over a connection. It returns the names
// of the games, or their addresses.
func browser(network string, list func(conn net.Conn) ([]string, error)) func(ctx context.Context,
	addrs ...string) []querytools.Result {
	return querytools.Script("browser", func(ctx context.Context, addr string) (querytools.Answer, error) {
		var d net.Dialer
		conn, err := d.DialContext(ctx, network, addr)
		if err != nil {
			return querytools.Answer{}, err
		}
		defer conn.Close()
		if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
			return querytools.Answer{}, err
		}
		names, err := list(conn)
		return ofNames(names), err
	}).Query
}

func ofNames(names []string) querytools.Answer {
	var a querytools.Answer
	for _, name := range names {
		a.Players = append(a.Players, querytools.Player{Name: name})
	}
	return a
}

// engineList is the list in Serious Sam, with native queries: one byte requests it, and
// it ends with silence.
func engineList(conn net.Conn) ([]string, error) {
	packets, err := conversation{conn}.ask("e", time.Second, nil)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, b := range packets {
		if b[0] != 's' {
			return nil, fmt.Errorf("packet %q", b)
		}
		for b = b[1:]; len(b) >= 6; b = b[6:] {
			game := netip.AddrPortFrom(netip.AddrFrom4([4]byte(b)), binary.LittleEndian.Uint16(b[4:]))
			names = append(names, game.String())
		}
	}
	return names, nil
}

// engineHost registers a native server. A challenge comes back in a heartbeat.
func engineHost(conn net.Conn, name string) error {
	packets, err := conversation{conn}.ask("q", patience, one)
	if err != nil {
		return err
	}
	if len(packets[0]) != 5 || packets[0][0] != 1 {
		return fmt.Errorf("packet %q", packets[0])
	}
	_, err = fmt.Fprintf(conn,
		"0;challenge;%d;players;1;maxplayers;8;level;%s;gametype;Fragmatch;version;1.10;product;serioussamse",
		int32(binary.LittleEndian.Uint32(packets[0][1:])), mapName)
	return err
}

// seriousSamList is the list in Serious Sam as it ships. It takes the challenge from a
// fixed place in the greeting.
func seriousSamList(conn net.Conn) ([]string, error) {
	greeting := make([]byte, 21)
	if _, err := io.ReadFull(conn, greeting); err != nil {
		return nil, err
	}
	key := gamespy1.Validate(string(greeting[15:]), gamespy1.SeriousSamKey)
	_, err := fmt.Fprintf(conn,
		`\gamename\serioussamse\enctype\0\validate\%s\final\`+
			`\queryid\1.1\list\cmp\gamename\serioussamse\gamever\1.05\final\`, key)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(conn)
	if err != nil {
		return nil, err
	}
	list, ok := bytes.CutSuffix(b, []byte(`\final\`))
	if !ok || len(list)%6 != 0 {
		return nil, fmt.Errorf("list %q", b)
	}
	var names []string
	for ; len(list) > 0; list = list[6:] {
		query := netip.AddrPortFrom(netip.AddrFrom4([4]byte(list)), binary.BigEndian.Uint16(list[4:]))
		names = append(names, query.String())
	}
	return names, nil
}

// seriousSamHost registers a server as it ships, and answers the master's query. It
// does not answer its challenge.
func seriousSamHost(conn net.Conn, name string) error {
	_, port, err := net.SplitHostPort(conn.LocalAddr().String())
	if err != nil {
		return err
	}
	request := `\heartbeat\` + port + `\gamename\serioussamse`
	packets, err := conversation{conn}.ask(request, patience, func(packets [][]byte) bool {
		return bytes.Contains(packets[len(packets)-1], []byte(`\status\`))
	})
	if err != nil {
		return err
	}
	if !bytes.Contains(packets[len(packets)-1], []byte(`\status\`)) {
		return errors.New("no query")
	}
	_, err = fmt.Fprintf(conn,
		`\gamename\serioussamse\gamever\1.10\hostname\%s\hostport\25600\mapname\%s`+
			`\gametype\Fragmatch\numplayers\0\maxplayers\8\final\\queryid\333.1`, name, mapName)
	return err
}

// The game of GameSpy's sample programs.
const (
	sampleGame = "gmtest"
	sampleKey  = "HA6zkS"
)

// sampleList is GameSpy's sample browser.
func sampleList(conn net.Conn) ([]string, error) {
	request := []byte("\x00\x55\x00\x01\x03\x00\x00\x00\x00gmtest\x00gmtest\x00,J1\\'Om$\x00" +
		"\\hostname\\gametype\\mapname\\numplayers\\maxplayers\x00\x00\x00\x00\x00")
	if _, err := conn.Write(request); err != nil {
		return nil, err
	}
	m, err := sb2.ParseListRequest(request)
	if err != nil {
		return nil, err
	}
	stream := sb2.MasterStream{Secret: sampleKey, Request: m}
	var names []string
	var unread []byte
	buf := make([]byte, 4096)
	for {
		server, rest, err := stream.NextServer(unread)
		unread = rest
		if errors.Is(err, lobbywire.ErrTruncated) {
			n, err := conn.Read(buf)
			if err != nil {
				return nil, err
			}
			unread = append(unread, buf[:n]...)
			continue
		}
		if errors.Is(err, sb2.ErrEndOfList) {
			return names, nil
		}
		if err != nil {
			return nil, err
		}
		name, _ := server.Lookup("hostname")
		names = append(names, name)
	}
}

// sampleHost is GameSpy's sample server. It answers the master's challenge and
// queries.
func sampleHost(conn net.Conn, name string) error {
	const key = "\xc7\x8c\x75\xc2"
	heartbeat := "\x03" + key +
		"localip0\x00127.0.0.1\x00localport\x0011111\x00natneg\x001\x00statechanged\x003\x00gamename\x00" +
		sampleGame + "\x00hostname\x00" + name +
		"\x00gamever\x002.00\x00hostport\x0025000\x00mapname\x00gmtmap1\x00gametype\x00arena\x00" +
		"numplayers\x000\x00maxplayers\x0032\x00\x00\x00\x00\x00\x00\x00\x00"
	if _, err := io.WriteString(conn, heartbeat); err != nil {
		return err
	}
	buf := make([]byte, 1<<16)
	for {
		n, err := conn.Read(buf)
		if err != nil {
			return err
		}
		b, ok := bytes.CutPrefix(buf[:n], []byte("\xfe\xfd"))
		if !ok || len(b) < 5 {
			return fmt.Errorf("packet %q", buf[:n])
		}
		switch id := string(b[1:5]); b[0] {
		case 1: // a challenge
			text := strings.TrimSuffix(string(b[5:]), "\x00")
			_, err = conn.Write(append(qr2.AppendAnswer([]byte("\x01"+key), text, sampleKey), 0))
		case 9: // a challenge request: there are no challenges
			_, err = io.WriteString(conn, "\x09"+id+"0\x00")
		case 0: // a query for the name
			_, err = io.WriteString(conn, "\x00"+id+name+"\x00")
			return err
		}
		if err != nil {
			return err
		}
	}
}

// javaFrame frames a message as the programs in Java do, which count UTF-16 units.
func javaFrame(object string) string {
	return strconv.Itoa(len(utf16.Encode([]rune(object)))+1) + object + "\n"
}

// javaList is a client in Java. It reads lines and ignores the lengths.
func javaList(conn net.Conn) ([]string, error) {
	if _, err := io.WriteString(conn, javaFrame(`{"command":"msQueryGameServers","content":""}`)); err != nil {
		return nil, err
	}
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return nil, err
	}
	var answer struct {
		Content struct {
			Servers []struct{ Name string }
		}
	}
	if err := json.Unmarshal([]byte(strings.TrimLeft(line, "0123456789")), &answer); err != nil {
		return nil, err
	}
	var names []string
	for _, s := range answer.Content.Servers {
		names = append(names, s.Name)
	}
	return names, nil
}

// javaHost is a game server in Java.
func javaHost(conn net.Conn, name string) error {
	text, err := json.Marshal(name)
	if err != nil {
		return err
	}
	_, err = io.WriteString(conn,
		javaFrame(`{"content":{"serverPort":8080,"serverAddress":"127.0.0.1","serverName":`+string(text)+
			`},"command":"msRegisterGameServer"}`)+
			javaFrame(`{"command":"xxheartbeat","content":""}`))
	return err
}
