package sb2

import (
	"errors"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

// ErrEndOfList is the error of [MasterStream.NextServer] after the last server.
var ErrEndOfList = errors.New("sb2: end of the list")

// A MasterStream decodes everything that a master sends on one connection: a
// [Head], a [List] and pushed messages. It decrypts the bytes and returns each
// server as soon as it is complete. It holds only the incomplete part, of at most
// Options.MaxPart bytes. It looks at each byte once, so the time it takes does
// not depend on how the stream is cut.
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

	// plain has decrypted bytes. Those before at have been read. The connection
	// carried passed bytes before plain[at].
	plain      []byte
	at, passed int
	ends       ends  // of the part at at
	err        error // final
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

// Start returns the head, and the list without its Servers. The result ok is
// false until NextServer or NextPush has read them.
func (s *MasterStream) Start() (head Head, list List, ok bool) {
	return s.head, s.list, s.phase > phaseStart
}

// NextServer parses the next server. It consumes bytes of b; rest is the remaining
// bytes. If the server is not complete, it consumes all of b, and the error is
// [lobbywire.ErrTruncated] itself: call it again with the next bytes of the
// connection.
//
// After the last server the error is [ErrEndOfList], also if there is no list;
// [MasterStream.Start] then has the Error of the master. Any other error is final.
// Its offset counts from the start of the connection.
func (s *MasterStream) NextServer(b []byte) (m Server, rest []byte, err error) {
	if b, err = s.readStart(b); err != nil {
		return Server{}, b, err
	}
	if s.phase != phaseServers {
		return Server{}, b, ErrEndOfList
	}
	part, rest, err := s.next(b)
	if err != nil {
		return Server{}, rest, err
	}
	r := wire.NewReader(part)
	if isEnd(part) {
		decodeEnd(&r, s.Options)
		s.phase, err = phasePushes, ErrEndOfList
	} else {
		m.decode(&r, &s.form, &s.mem)
	}
	if failure := s.failure(&r, part); failure != nil {
		return Server{}, rest, failure
	}
	return m, rest, err
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
	part, rest, err := s.next(b)
	if err != nil {
		return nil, rest, err
	}
	o := s.Options
	o.Keys = s.form.keys
	r := wire.NewReader(part)
	m = decodePush(&r, o)
	if err := s.failure(&r, part); err != nil {
		return nil, rest, err
	}
	if keys, ok := m.(PushKeys); ok {
		s.form.keys = keys.Keys
	}
	return m, rest, nil
}

// readStart reads the parts before the servers, unless they have been read.
func (s *MasterStream) readStart(b []byte) (rest []byte, err error) {
	for s.phase < phaseServers {
		part, rest, err := s.next(b)
		if err != nil {
			return rest, err
		}
		r := wire.NewReader(part)
		if s.phase == phaseHead {
			s.readHead(&r)
		} else {
			s.readListStart(&r)
		}
		if err := s.failure(&r, part); err != nil {
			return rest, err
		}
		b = rest
	}
	return b, nil
}

// readHead reads the head and decrypts the bytes after it that have been
// consumed.
func (s *MasterStream) readHead(r *wire.Reader) {
	s.head.decode(r, s.Options)
	key, err := CombineKey(s.Secret, s.Request.Challenge, s.head.Challenge)
	if err != nil {
		r.Refuse("secret", r.Offset(), noSecret)
		return
	}
	s.cipher = NewCipher(key)
	s.cipher.Decrypt(s.plain[s.at:], s.plain[s.at:])
	s.phase = phaseStart
}

func (s *MasterStream) noList() bool { return s.Request.Options&OptionNoList != 0 }

func (s *MasterStream) readListStart(r *wire.Reader) {
	o := s.Options
	o.NoList = s.noList()
	s.list.readStart(r, o)
	r.End()
	s.form = s.list.form()
	s.phase = phaseServers
	if s.list.isStart() {
		s.phase = phasePushes
	}
}

// next returns the next part, which is valid until the next call.
func (s *MasterStream) next(b []byte) (part, rest []byte, err error) {
	if s.err != nil {
		return nil, b, s.err
	}
	limit := wire.Limit(s.Options.MaxPart, MaxPart)
	for {
		size, ok := s.find(s.plain[s.at:])
		if !ok {
			size = len(s.plain) - s.at
		}
		switch {
		case size > limit:
			// The number of bytes after it depends on how the stream was cut.
			s.err = &lobbywire.Error{Proto: proto, Offset: s.passed + s.at, Err: wire.Exceeded(limit+1, limit)}
			return nil, b, s.err
		case ok:
			part = s.plain[s.at:][:size:size]
			s.at += size
			s.ends = ends{}
			return part, b, nil
		case len(b) == 0:
			return nil, nil, lobbywire.ErrTruncated
		}
		b = s.take(b)
	}
}

// find returns the size of the part that p starts with.
func (s *MasterStream) find(p []byte) (size int, ok bool) {
	switch s.phase {
	case phaseHead:
		return s.ends.head(p)
	case phaseStart:
		return s.ends.start(p, s.noList())
	case phaseServers:
		return s.ends.server(p, s.form.keys)
	}
	return s.ends.message(p)
}

// take consumes and decrypts a piece of b, and returns the rest.
func (s *MasterStream) take(b []byte) (rest []byte) {
	if s.at > 0 {
		s.passed += s.at
		s.plain = s.plain[:copy(s.plain, s.plain[s.at:])]
		s.at = 0
	}
	start, n := len(s.plain), min(len(b), pieceSize)
	s.plain = append(s.plain, b[:n]...)
	if s.phase != phaseHead {
		s.cipher.Decrypt(s.plain[start:], s.plain[start:])
	}
	return b[n:]
}

// failure returns the error of r, a Reader of part, and makes it final.
func (s *MasterStream) failure(r *wire.Reader, part []byte) error {
	err := r.Err(proto)
	if err == nil {
		return nil
	}
	if e, ok := err.(*lobbywire.Error); ok {
		e.Offset += s.passed + s.at - len(part)
	}
	s.err = err
	return err
}
