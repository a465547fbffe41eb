package fuzzharness

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync"
	"time"
)

// A game of the versions 4.0 to 4.6 starts with a version and has gameSize bytes.
// The other constants are offsets of fields.
const (
	version  = 4
	gameSize = 814
	hostAt   = 76 // text, 40 bytes
	idAt     = 798

	firstBatch = 11 // games that all clients read
)

// A WarzoneLobby lists the games of hosts of the versions 4.0 to 4.6.
type WarzoneLobby struct {
	mu    sync.Mutex
	last  uint32            // the last id that was assigned
	games map[uint32][]byte // by id
}

// Converse answers the requests from an address until the connection ends or a
// request is unknown. A game that a host adds is listed until then.
func (l *WarzoneLobby) Converse(from string, r io.Reader, w io.Writer) error {
	var id uint32
	defer func() { l.set(id, nil) }()
	in := bufio.NewReader(r)
	for {
		command, err := in.Peek(5)
		if err != nil {
			return err
		}
		var answer []byte
		switch {
		case bytes.Equal(command, []byte("list\x00")):
			_, err := w.Write(l.list())
			return err
		case bytes.Equal(command, []byte("gaId\x00")) && id == 0:
			id = l.next()
			answer = binary.BigEndian.AppendUint32(nil, id)
			_, err = in.Discard(5)
		case bytes.Equal(command, []byte("keep\x00")):
			_, err = in.Discard(5)
		case bytes.Equal(command, []byte("addg\x00")):
			_, err = in.Discard(5)
			if err == nil {
				answer, err = l.add(&id, from, in)
			}
		case id != 0 && binary.BigEndian.Uint32(command) == version: // an update has no command
			answer, err = l.add(&id, from, in)
		default:
			return errFrame
		}
		if err != nil {
			return err
		}
		if _, err := w.Write(answer); err != nil {
			return err
		}
	}
}

// add reads a game, lists it, and returns the status for the host.
func (l *WarzoneLobby) add(id *uint32, from string, in io.Reader) ([]byte, error) {
	game := make([]byte, gameSize)
	if _, err := io.ReadFull(in, game); err != nil {
		return nil, err
	}
	if binary.BigEndian.Uint32(game) != version {
		return nil, errFrame
	}
	if *id == 0 {
		*id = l.next()
	}
	clear(game[hostAt : hostAt+40])
	copy(game[hostAt:hostAt+39], from)
	binary.BigEndian.PutUint32(game[idAt:], *id)
	l.set(*id, game)
	return status("Welcome"), nil
}

// status returns a block with the code of success.
func status(text string) []byte {
	b := binary.BigEndian.AppendUint32(nil, 200)
	b = binary.BigEndian.AppendUint32(b, uint32(len(text)))
	return append(b, text...)
}

func (l *WarzoneLobby) next() uint32 {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.last++
	return l.last
}

// set adds a game to the list, or removes it if game is nil.
func (l *WarzoneLobby) set(id uint32, game []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.games == nil {
		l.games = map[uint32][]byte{}
	}
	delete(l.games, id)
	if game != nil {
		l.games[id] = game
	}
}

// list returns the answer to a list request.
func (l *WarzoneLobby) list() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	var all []byte
	for _, game := range l.games {
		all = append(all, game...)
	}
	first := min(len(l.games), firstBatch)
	b := binary.BigEndian.AppendUint32(nil, uint32(first))
	b = append(b, all[:first*gameSize]...)
	b = append(b, status("")...)
	if first == len(l.games) {
		return b
	}
	b = binary.BigEndian.AppendUint32(b, 1) // what follows replaces the first batch
	b = binary.BigEndian.AppendUint32(b, uint32(len(l.games)))
	return append(b, all...)
}

// Serve answers connections until ln is closed.
func (l *WarzoneLobby) Serve(ln net.Listener) error {
	for {
		conn, err := ln.Accept()
		if err != nil {
			return err
		}
		go func() {
			defer conn.Close()
			host, _, _ := net.SplitHostPort(conn.RemoteAddr().String())
			if conn.SetDeadline(time.Now().Add(10*time.Second)) == nil && l.Converse(host, conn, conn) == errFrame {
				_, _ = io.Copy(io.Discard, conn) // closing at once would reset the connection
			}
		}()
	}
}
