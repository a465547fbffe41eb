package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
)

// A warzoneClient describes what clients of some versions of Warzone 2100 send and read.
type warzoneClient struct {
	name string

	records bool             // games have 112 bytes, and no version
	order   binary.ByteOrder // of the numbers of records of 112 bytes
	version uint32           // of games that have one
	asksID  bool             // the host requests an ID before it adds its game

	maxGames int  // that the browser shows
	clamps   bool // the browser ignores games beyond maxGames, rather than overwriting its memory
	status   bool // the browser needs a status after the games
	batches  bool // the browser reads a second batch
}

// warzoneClients returns the clients that speak the binary protocol.
func warzoneClients() []warzoneClient {
	return []warzoneClient{
		{name: "2.0", records: true, order: binary.LittleEndian, maxGames: 12},
		{name: "2.1", records: true, order: binary.BigEndian, maxGames: 12},
		{name: "2.2", version: 2, maxGames: 12},
		{name: "2.3", version: 3, asksID: true, maxGames: 12, clamps: true},
		{name: "3.1 to 3.4", version: 3, asksID: true, maxGames: 11, clamps: true, status: true},
		{name: "4.0 to 4.6", version: 4, asksID: true, maxGames: 1024, clamps: true, status: true, batches: true},
	}
}

// Sizes of a game on the wire.
const (
	recordSize = 112
	gameSize   = 814
)

// game returns a game as a host sends it. Names of more than 63 bytes are cut.
func (w warzoneClient) game(id uint32, name string) []byte {
	if w.records {
		b := make([]byte, recordSize)
		copy(b[:63], name)
		w.order.PutUint32(b[64:], 48) // size of the description in memory
		w.order.PutUint32(b[88:], 4)  // places for players
		w.order.PutUint32(b[92:], 1)  // players
		w.order.PutUint32(b[96:], 14) // a skirmish
		return b
	}
	b := make([]byte, gameSize)
	put := binary.BigEndian.PutUint32
	put(b, w.version)
	copy(b[4:67], name)
	put(b[68:], 72) // size of the description in memory
	put(b[116:], 4)
	put(b[120:], 1)
	put(b[124:], 14)
	copy(b[459:], w.name)
	put(b[778:], 0x4000)
	put(b[782:], 79)
	put(b[798:], id)
	if w.version == 4 {
		binary.BigEndian.PutUint16(b[377:], 2100)
	}
	return b
}

// host adds a game to the lobby at the other end of conn, and returns once the lobby
// has it, unless the lobby does not answer hosts of this version.
func (w warzoneClient) host(conn net.Conn, name string) error {
	var id uint32
	if w.asksID {
		if _, err := io.WriteString(conn, "gaId\x00"); err != nil {
			return err
		}
		if err := binary.Read(conn, binary.BigEndian, &id); err != nil {
			return err
		}
	}
	if _, err := conn.Write(append([]byte("addg\x00"), w.game(id, name)...)); err != nil || w.records {
		return err
	}
	code, err := readStatus(conn)
	if err == nil && code != 200 {
		err = fmt.Errorf("status %d", code)
	}
	return err
}

// list requests the games of a lobby, and returns the names that the browser shows.
func (w warzoneClient) list(conn net.Conn) ([]string, error) {
	if _, err := io.WriteString(conn, "list\x00"); err != nil {
		return nil, err
	}
	names, err := w.readGames(conn)
	if err != nil || !w.status {
		return names, err
	}
	if _, err := readStatus(conn); err != nil || !w.batches {
		return names, err
	}
	var parameters uint32
	if err := binary.Read(conn, binary.BigEndian, &parameters); err != nil {
		return names, nil // a lobby without a second batch
	}
	second, err := w.readGames(conn)
	if parameters&1 != 0 {
		return second, err
	}
	return append(names, second...), nil
}

// readGames reads a number of games and the games.
func (w warzoneClient) readGames(conn io.Reader) ([]string, error) {
	var count uint32
	if err := binary.Read(conn, binary.BigEndian, &count); err != nil {
		return nil, err
	}
	if w.clamps {
		count = min(count, uint32(w.maxGames))
	} else if count > uint32(w.maxGames) {
		return nil, errors.New("the browser overwrites its memory")
	}
	size, nameAt, sizeAt, order := gameSize, 4, 68, binary.ByteOrder(binary.BigEndian)
	if w.records {
		size, nameAt, sizeAt, order = recordSize, 0, 64, w.order
	}
	var names []string
	for range count {
		b := make([]byte, size)
		if _, err := io.ReadFull(conn, b); err != nil {
			return nil, err
		}
		if order.Uint32(b[sizeAt:]) == 0 {
			continue // no game
		}
		name, _, _ := bytes.Cut(b[nameAt:nameAt+64], []byte{0})
		names = append(names, string(name))
	}
	return names, nil
}

// readStatus reads a code and a text.
func readStatus(conn io.Reader) (code uint32, err error) {
	var head struct{ Code, Length uint32 }
	if err := binary.Read(conn, binary.BigEndian, &head); err != nil {
		return 0, err
	}
	_, err = io.CopyN(io.Discard, conn, int64(head.Length))
	return head.Code, err
}
