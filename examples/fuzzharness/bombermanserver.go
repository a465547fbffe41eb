package fuzzharness

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/netip"
	"strconv"
	"strings"
	"sync"
	"time"
)

// maxObject is the size of the longest JSON object that a BombermanServer
// reads, including its line end. The specification requires it to read objects
// of this size.
const maxObject = 1 << 16

var errFrame = errors.New("no frame")

// A BombermanServer is a management server: game servers register with it, and
// clients request the list.
type BombermanServer struct {
	mu    sync.Mutex
	games map[*gameServer]bool
}

// A gameServer is an entry of the list, with its members.
type gameServer struct {
	Name        string         `json:"name"`
	Address     string         `json:"address"`
	Port        int            `json:"port"`
	Players     map[string]int `json:"players"`
	IsLobbyOpen bool           `json:"isLobbyOpen"`
	Mode        int            `json:"gameplayMode"`
}

// Converse answers the messages of a connection until they end or a frame is
// invalid. A game server that registers is listed until then.
func (s *BombermanServer) Converse(r io.Reader, w io.Writer) error {
	var own *gameServer
	defer func() { s.replace(own, nil) }()
	in := bufio.NewReader(r)
	for {
		object, err := readObject(in)
		if err != nil {
			return err
		}
		var m struct {
			Command string
			Content struct {
				ServerName, ServerAddress string
				ServerPort                int
				Players                   map[string]int
				IsLobbyOpen               bool
				GameplayMode              int
			}
		}
		if json.Unmarshal(object, &m) != nil {
			continue
		}
		switch m.Command {
		case "msQueryGameServers":
			if _, err := w.Write(s.list()); err != nil {
				return err
			}
		case "msRegisterGameServer":
			name, address, port := m.Content.ServerName, m.Content.ServerAddress, m.Content.ServerPort
			if !isAddress(address) || name == "" || len(name) > 100 || port < 1 || port > 65535 || port == 51963 {
				continue
			}
			game := &gameServer{name, address, port, map[string]int{"current": 0, "max": 4}, true, 1}
			s.replace(own, game)
			own = game
		case "msUpdateGameServerStats":
			players, mode := m.Content.Players, m.Content.GameplayMode
			valid := players["current"] >= 0 && players["max"] >= 2 && players["max"] <= 4 && (mode == 1 || mode == 2)
			if own == nil || !valid {
				continue
			}
			game := &gameServer{own.Name, own.Address, own.Port, players, m.Content.IsLobbyOpen, mode}
			s.replace(own, game)
			own = game
		case "msUnregisterGameServer":
			s.replace(own, nil)
			own = nil
		}
	}
}

// isAddress reports whether a text is an IP address or the name of a host.
func isAddress(text string) bool {
	addr, err := netip.ParseAddr(text)
	if err == nil {
		return addr.Zone() == ""
	}
	labels := strings.Split(text, ".")
	for _, label := range labels {
		isWrong := func(c rune) bool {
			return c != '-' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
		}
		if len(label) < 1 || len(label) > 63 || strings.ContainsFunc(label, isWrong) ||
			label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
	}
	last := labels[len(labels)-1]
	return len(text) <= 253 && strings.Trim(last, "0123456789") != "" // or it looks like an IP address
}

// readObject reads a length in digits and that many bytes, and returns the bytes
// without the line end.
func readObject(in *bufio.Reader) ([]byte, error) {
	length := ""
	for {
		c, err := in.ReadByte()
		if err != nil {
			return nil, err
		}
		if c < '0' || c > '9' {
			break
		}
		length += string(c)
		if len(length) > 5 {
			return nil, errFrame
		}
	}
	n, err := strconv.Atoi(length)
	if err != nil || n < 3 || n > maxObject || length[0] == '0' {
		return nil, errFrame
	}
	if err := in.UnreadByte(); err != nil {
		return nil, err
	}
	object := make([]byte, n)
	if _, err := io.ReadFull(in, object); err != nil {
		return nil, err
	}
	if object[n-1] != '\n' {
		return nil, errFrame
	}
	return object[:n-1], nil
}

// replace removes one game from the list and adds another; either may be nil.
func (s *BombermanServer) replace(old, with *gameServer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.games == nil {
		s.games = map[*gameServer]bool{}
	}
	delete(s.games, old)
	if with != nil {
		s.games[with] = true
	}
}

// list returns the answer to a query.
func (s *BombermanServer) list() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	games := make([]*gameServer, 0, len(s.games))
	for g := range s.games {
		games = append(games, g)
	}
	object, err := json.Marshal(map[string]any{
		"command": "msRQueryGameServers",
		"content": map[string]any{"servers": games},
	})
	if err != nil {
		return nil
	}
	return append(strconv.AppendInt(nil, int64(len(object)+1), 10), string(object)+"\n"...)
}

// Serve answers connections until l is closed.
func (s *BombermanServer) Serve(l net.Listener) error {
	for {
		conn, err := l.Accept()
		if err != nil {
			return err
		}
		go s.serveConn(conn)
	}
}

// serveConn continues to read for a while after an invalid frame: closing at
// once would reset the connection, and answers in transit would be lost.
func (s *BombermanServer) serveConn(conn net.Conn) {
	defer conn.Close()
	deadline := time.Now().Add(10 * time.Second)
	if conn.SetDeadline(deadline) == nil && errors.Is(s.Converse(conn, conn), errFrame) {
		_, _ = io.Copy(io.Discard, conn)
	}
}
