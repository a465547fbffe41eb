//go:build linux

package main

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/warzone"
	"github.com/lobbywire/lobbywire/warzone/warzonenet"
)

// crowdConfig lets many unreachable hosts at one address register.
const crowdConfig = `
data = %q
[warzone]
no-verify = true
max-games = 10000
max-games-per-address = 10000
max-games-per-prefix = 10000
max-listed = 10000
max-connections = 10000
max-per-address = 10000
max-per-prefix = 10000
`

// writeCrowdConfig writes a configuration file, and returns its path.
func writeCrowdConfig(t *testing.T, dir string) string {
	t.Helper()
	path := filepath.Join(dir, "lobbyd.toml")
	text := fmt.Sprintf(crowdConfig, filepath.Join(dir, "data"))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A crowd is a number of Warzone 4 hosts that send given messages, and never return to a
// lobby.
type crowd []net.Conn

// newCrowd registers n hosts.
func newCrowd(t *testing.T, lobby string, n int) crowd {
	t.Helper()
	return newCrowdFrom(t, "127.0.0.1", lobby, n)
}

// newCrowdFrom registers n hosts at an address.
func newCrowdFrom(t *testing.T, from, lobby string, n int) crowd {
	t.Helper()
	c := make(crowd, n)
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	for i := range c {
		conn, err := d.Dial("tcp", lobby)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		conn.SetDeadline(time.Now().Add(2 * patience))
		c[i] = conn
		c.send(t, i, warzone.AddGame{Game: crowdGame(i, "first")})
	}
	c.wantStatuses(t)
	return c
}

func crowdGame(i int, name string) warzone.Game {
	return warzone.Game{
		Version: warzone.Version4, Name: fmt.Sprintf("%s %d", name, i), Size: warzone.SizeOfGame, MaxPlayers: 4,
		HostPort: uint16(10_000 + i),
	}
}

func (c crowd) send(t *testing.T, i int, m encoding.BinaryAppender) {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err == nil {
		_, err = c[i].Write(b)
	}
	if err != nil {
		t.Fatalf("host %d: %v", i, err)
	}
}

// update sends an update of each game.
func (c crowd) update(t *testing.T, name string) {
	t.Helper()
	for i := range c {
		c.send(t, i, warzone.Update{Game: crowdGame(i, name)})
	}
}

// wantStatuses reads the answer of the lobby to each host.
func (c crowd) wantStatuses(t *testing.T) {
	t.Helper()
	var bad []error
	for i, conn := range c {
		if err := readStatus(conn); err != nil {
			bad = append(bad, fmt.Errorf("host %d: %w", i, err))
		}
	}
	if len(bad) > 0 {
		t.Fatalf("%d of %d hosts have no answer: %v", len(bad), len(c), errors.Join(bad[:min(len(bad), 3)]...))
	}
}

func readStatus(conn net.Conn) error {
	head := make([]byte, 8)
	if _, err := io.ReadFull(conn, head); err != nil {
		return err
	}
	text := make([]byte, int(head[6])<<8|int(head[7]))
	if _, err := io.ReadFull(conn, text); err != nil {
		return err
	}
	m, err := warzone.ParseStatus(bytes.Join([][]byte{head, text}, nil))
	if err == nil && m.Code != warzone.StatusOK {
		err = fmt.Errorf("status %d: %s", m.Code, m.Text)
	}
	return err
}

// wantNamed waits until the list contains n games, all with the same first word.
func (l *running) wantNamed(t *testing.T, n int, word string) {
	t.Helper()
	eventually(t, func() string {
		client := warzonenet.Client{Options: warzone.Options{MaxGames: 10_000}, ListEvery: -1}
		all, err := client.List(t.Context(), l.addr["warzone"])
		if err != nil {
			return err.Error()
		}
		named := 0
		for _, g := range all.Games {
			if strings.HasPrefix(g.Name, word+" ") {
				named++
			}
		}
		if named != n || len(all.Games) != n {
			return fmt.Sprintf("%d games, %d of them %s, want %d", len(all.Games), named, word, n)
		}
		return ""
	})
}

// wantKept waits until systemd keeps n connections.
func (l *running) wantKept(t *testing.T, n int) {
	t.Helper()
	eventually(t, func() string {
		if got := l.metric(t, "lobbyd_kept_connections"); got != fmt.Sprint(n) {
			return fmt.Sprintf("%s connections are kept, want %d", got, n)
		}
		return ""
	})
}
