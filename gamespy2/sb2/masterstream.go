package sb2

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ErrEndOfList is the error of [MasterStream.NextServer] after the last server.
var ErrEndOfList = errors.New("sb2: end of the list")

// A MasterStream decodes everything that a master sends on one connection: a [Head], a
// [List] and pushed messages. It decrypts the bytes and returns each server as soon as it
// is complete. It holds only an incomplete part, of at most 65 536 bytes. Its work does not
// depend on how the stream is cut.
//
// A MasterStream must not be copied after its first use.
type MasterStream struct {
	// Secret is the secret key of the game that sent Request,
	// [ListRequest.FromGame].
	Secret string

	// Request is the request that the master answers.
	Request ListRequest

	Options Options

	phase  phase
	head   Head
	list   List // without servers
	form   form
	cipher Cipher
	mem    arena
	server serverReader
	push   Push

	// plain holds decrypted bytes. Those before at have been read; the last size of them
	// belong to the incomplete part. The connection carried passed bytes before plain.
	plain            []byte
	at, size, passed int
	waits            bool  // decode has read as much of plain as it can
	err              error // final
}

// A phase is the kind of part that a master sends next.
type phase uint8

const (
	phaseHead phase = iota
	phaseStart
	phaseServers
	phasePushes
)

// pieceSize is the number of bytes that are decrypted at a time.
const pieceSize = 4096

// Start returns the head, and the list without its Servers. ok is false until NextServer or
// NextPush has read them.
func (s *MasterStream) Start() (head Head, list List, ok bool) {
	return s.head, s.list, s.phase > phaseStart
}

// NextServer parses the next server. It consumes bytes of b; rest is the remaining
// bytes. If the server is not complete, it consumes all of b, and the error is
// [lobbywire.ErrTruncated] itself: call it again with the next bytes of the
// connection.
//
// After the last server, or if there is no list, the error is [ErrEndOfList];
// [MasterStream.Start] then returns the Error of the master. Any other error is final. Its
// offset counts from the start of the connection.
func (s *MasterStream) NextServer(b []byte) (m Server, rest []byte, err error) {
	for s.phase < phaseServers {
		b, err = s.next(b)
		if err != nil {
			return Server{}, b, err
		}
	}
	if s.phase == phaseServers {
		b, err = s.next(b)
		if err != nil {
			return Server{}, b, err
		}
	}
	if s.phase == phasePushes {
		return Server{}, b, ErrEndOfList
	}
	m = s.server.server
	s.server = serverReader{}
	return m, b, nil
}

// NextPush parses the next pushed message, in the same way as NextServer. It
// skips servers that NextServer has not returned.
func (s *MasterStream) NextPush(b []byte) (m Push, rest []byte, err error) {
	for err == nil {
		_, b, err = s.NextServer(b)
	}
	if err != ErrEndOfList {
		return nil, b, err
	}
	rest, err = s.next(b)
	if err != nil {
		return nil, rest, err
	}
	return s.push, rest, nil
}

// decode reads the next part, or the rest of it if some of its steps have been read. It
// returns the end of the last step. A server has several steps, any other part one.
func (s *MasterStream) decode(r *wire.Reader) (end int) {
	switch s.phase {
	case phaseHead:
		s.decodeHead(r)
	case phaseStart:
		s.decodeStart(r)
	case phaseServers:
		if p := r.Peek(); s.server.steps > 0 || len(p) < minServer || !isEnd(p) {
			return s.server.read(r, &s.form, &s.mem)
		}
		decodeEnd(r, s.Options)
		if !r.Failed() {
			s.phase = phasePushes
		}
	case phasePushes:
		s.decodePush(r)
	}
	if r.Failed() {
		return 0
	}
	return r.Offset()
}

// decodeHead reads the head and decrypts the bytes after it.
func (s *MasterStream) decodeHead(r *wire.Reader) {
	var m Head
	m.read(r)
	if r.Failed() {
		return
	}
	cipher, err := NewCipher(s.Secret, s.Request.Challenge, m.Challenge)
	if err != nil {
		r.Refuse("secret", r.Offset(), noSecret)
		return
	}
	s.head, s.cipher = m, cipher
	rest := s.plain[s.at+r.Offset():]
	s.cipher.Decrypt(rest, rest)
	s.phase = phaseStart
}

func (s *MasterStream) decodeStart(r *wire.Reader) {
	o := s.Options
	o.NoList = s.Request.Options&OptionNoList != 0
	var m List
	m.readStart(r, o)
	if r.Failed() {
		return
	}
	s.list, s.form = m, m.form()
	s.phase = phaseServers
	if m.isStart() {
		s.phase = phasePushes
	}
}

func (s *MasterStream) decodePush(r *wire.Reader) {
	p := r.Peek()
	if len(p) < lengthSize || len(p) < int(binary.BigEndian.Uint16(p)) {
		r.Fail(lobbywire.ErrTruncated, "length", 0)
		return
	}
	o := s.Options
	o.Keys = s.form.keys
	outer := r.Enter(max(lengthSize, int(binary.BigEndian.Uint16(p))), "length", 0)
	s.push = decodePush(r, o)
	r.Leave(outer)
	if keys, ok := s.push.(PushKeys); ok && !r.Failed() {
		s.form.keys = keys.Keys
	}
}

// next reads the next part.
func (s *MasterStream) next(b []byte) (rest []byte, err error) {
	for s.err == nil {
		room := maxPart - s.size
		p := s.plain[s.at:]
		switch {
		case !s.waits:
			r := wire.NewReader(p[:min(len(p), room)])
			r.DecodeTexts(s.Options.Text)
			n := s.decode(&r)
			failure, failed := r.Err(proto).(*lobbywire.Error)
			if failed && failure.Err != lobbywire.ErrTruncated {
				failure.Offset += s.passed + s.at
				s.err = failure
				break
			}
			s.at += n
			s.size += n
			if !failed {
				s.size = 0
				return b, nil
			}
			s.waits = true
		case len(p) > room:
			// The number of bytes after it depends on how the stream was cut.
			s.err = &lobbywire.Error{Proto: proto, Offset: s.passed + s.at - s.size, Err: wire.Exceeded(maxPart+1, maxPart)}
		case len(b) == 0:
			return nil, lobbywire.ErrTruncated
		default:
			b = s.take(b)
		}
	}
	return b, s.err
}

// maxCounted is more than the size of the fixed fields of a list's start and of its
// shortest keys. Beyond it, the start ends in a text, so decoding it again helps only after
// another zero byte.
const maxCounted = 1024

// take consumes and decrypts a piece of b, and returns the rest.
func (s *MasterStream) take(b []byte) (rest []byte) {
	if s.at > 0 {
		s.passed += s.at
		s.plain = s.plain[:copy(s.plain, s.plain[s.at:])]
		s.at = 0
	}
	start, n := len(s.plain), min(len(b), pieceSize)
	s.plain = append(s.plain, b[:n]...)
	piece := s.plain[start:]
	if s.phase != phaseHead {
		s.cipher.Decrypt(piece, piece)
	}
	inList := s.phase == phaseStart || s.phase == phaseServers
	s.waits = inList && start > maxCounted && bytes.IndexByte(s.plain[start-1:], 0) < 0
	return b[n:]
}
