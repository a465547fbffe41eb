package gamespy2net

import (
	"errors"
	"sync"

	"github.com/lobbywire/lobbywire/gamespy2/filter"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/stream"
)

// Reasons to end the connection of a client.
var (
	errTooMany    = errors.New("gamespy2net: too many requests")
	errOrder      = errors.New("gamespy2net: the first message, and only that, must be a list request")
	errNoGame     = errors.New("gamespy2net: the game of the client is unknown")
	errFellBehind = errors.New("gamespy2net: the client has fallen too far behind the changes")
)

// A browser is the connection of a client.
type browser struct {
	lists   *listServer
	conn    *stream.Conn
	game    *gameTable // nil until its list is requested
	secret  string     // the key of the game, which encrypts the list
	request sb2.ListRequest
	keys    []sb2.Key
	filter  filter.Filter
	pushing sync.WaitGroup

	writing sync.Mutex // guards cipher and buffer, and the order of writes
	cipher  sb2.Cipher
	buffer  []byte // encrypted bytes
}

// The number of bytes that are written at a time.
const listBuffer, pushBuffer = 32 << 10, 4 << 10

// write encrypts p into the buffer, and writes the buffer when it is full. The
// caller holds b.writing.
func (b *browser) write(p []byte) error {
	if b.buffer == nil {
		b.buffer = make([]byte, 0, pushBuffer)
	}
	for len(p) > 0 {
		start := len(b.buffer)
		n := min(len(p), cap(b.buffer)-start)
		b.buffer = b.buffer[:start+n]
		b.cipher.Encrypt(b.buffer[start:], p[:n])
		p = p[n:]
		if len(b.buffer) == cap(b.buffer) {
			if err := b.flush(); err != nil {
				return err
			}
		}
	}
	return nil
}

// flush writes the buffer. The caller holds b.writing.
func (b *browser) flush() error {
	_, err := b.conn.Write(b.buffer)
	b.buffer = b.buffer[:0]
	return err
}

// send writes a pushed message.
func (b *browser) send(m sb2.Push) error {
	p, err := m.AppendBinary(nil)
	if err != nil {
		return err
	}
	b.writing.Lock()
	defer b.writing.Unlock()
	if err := b.write(p); err != nil {
		return err
	}
	return b.flush()
}
