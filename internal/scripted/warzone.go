package scripted

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A Warzone is what clients of some versions of Warzone 2100 send and read.
type Warzone struct {
	Name string

	Records bool             // games have 112 bytes, and no version
	Order   binary.ByteOrder // of the numbers of records of 112 bytes
	Version uint32           // of games that have one
	AsksID  bool             // the host requests an ID before it adds its game

	MaxGames int  // that the browser shows
	Clamps   bool // the browser ignores games beyond MaxGames, rather than overwriting its memory
	Status   bool // the browser needs a status after the games
	Batches  bool // the browser reads a second batch
}

// Warzones returns the clients that speak the binary protocol.
func Warzones() []Warzone {
	return []Warzone{
		{Name: "2.0", Records: true, Order: binary.LittleEndian, MaxGames: 12},
		{Name: "2.1", Records: true, Order: binary.BigEndian, MaxGames: 12},
		{Name: "2.2", Version: 2, MaxGames: 12},
		{Name: "2.3", Version: 3, AsksID: true, MaxGames: 12, Clamps: true},
		{Name: "3.1 to 3.4", Version: 3, AsksID: true, MaxGames: 11, Clamps: true, Status: true},
		{Name: "4.0 to 4.6", Version: 4, AsksID: true, MaxGames: 1024, Clamps: true, Status: true, Batches: true},
	}
}

// Sizes of a game on the wire.
const (
	recordSize = 112
	gameSize   = 814
)

// Game returns a game as a host sends it. Names of more than 63 bytes are cut.
func (w Warzone) Game(id uint32, name string) []byte {
	if w.Records {
		b := make([]byte, recordSize)
		copy(b[:63], name)
		w.Order.PutUint32(b[64:], 48) // size of the description in memory
		w.Order.PutUint32(b[88:], 4)  // places for players
		w.Order.PutUint32(b[92:], 1)  // players
		w.Order.PutUint32(b[96:], 14) // a skirmish
		return b
	}
	b := make([]byte, gameSize)
	put := binary.BigEndian.PutUint32
	put(b, w.Version)
	copy(b[4:67], name)
	put(b[68:], 72) // size of the description in memory
	put(b[116:], 4)
	put(b[120:], 1)
	put(b[124:], 14)
	copy(b[459:], w.Name)
	put(b[778:], 0x4000)
	put(b[782:], 79)
	put(b[798:], id)
	if w.Version == 4 {
		binary.BigEndian.PutUint16(b[377:], 2100)
	}
	return b
}

// Host adds a game to the lobby at the other end of conn, and returns once the lobby
// has it, unless the lobby does not answer hosts of this version.
func (w Warzone) Host(conn io.ReadWriter, name string) error {
	var id uint32
	if w.AsksID {
		if _, err := io.WriteString(conn, "gaId\x00"); err != nil {
			return err
		}
		if err := binary.Read(conn, binary.BigEndian, &id); err != nil {
			return err
		}
	}
	if _, err := conn.Write(append([]byte("addg\x00"), w.Game(id, name)...)); err != nil || w.Records {
		return err
	}
	code, err := readStatus(conn)
	if err == nil && code != 200 {
		err = fmt.Errorf("status %d", code)
	}
	return err
}

// List requests the games of a lobby, and returns the names that the browser shows.
func (w Warzone) List(conn io.ReadWriter) ([]string, error) {
	if _, err := io.WriteString(conn, "list\x00"); err != nil {
		return nil, err
	}
	names, err := w.readGames(conn)
	if err != nil || !w.Status {
		return names, err
	}
	if _, err := readStatus(conn); err != nil || !w.Batches {
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
func (w Warzone) readGames(conn io.Reader) ([]string, error) {
	var count uint32
	if err := binary.Read(conn, binary.BigEndian, &count); err != nil {
		return nil, err
	}
	if w.Clamps {
		count = min(count, uint32(w.MaxGames))
	} else if count > uint32(w.MaxGames) {
		return nil, errors.New("the browser overwrites its memory")
	}
	size, nameAt, sizeAt, order := gameSize, 4, 68, binary.ByteOrder(binary.BigEndian)
	if w.Records {
		size, nameAt, sizeAt, order = recordSize, 0, 64, w.Order
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
