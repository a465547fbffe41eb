package sb2_test

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/internal/test/golden"
)

// testStream returns the stream of a new connection.
func testStream() sb2.MasterStream {
	return sb2.MasterStream{
		Secret:  "HA6zkS",
		Request: sb2.ListRequest{Challenge: sb2.MakeChallenge([8]byte{1, 2, 3, 4, 5, 6, 7, 8})},
	}
}

// answerOf returns the answer with a list on the test's connections.
func answerOf(l sb2.List) sb2.Answer {
	s := testStream()
	return sb2.Answer{
		Secret: s.Secret, Challenge: s.Request.Challenge,
		Head: sb2.Head{Random: []byte("random"), Challenge: []byte("ABCDEFGHIJKLMNOPQRSTUVWXY")},
		List: l,
	}
}

// mustAppend returns the wire form of a message that has one.
func mustAppend(t testing.TB, m codectest.Message) []byte {
	t.Helper()
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// sent is all that a stream returned.
type sent struct {
	head   sb2.Head
	list   sb2.List // with its servers
	ended  bool
	pushes []sb2.Push
	err    error // nil if all bytes were read and nothing more is expected
}

// readAll reads a stream in pieces of size bytes, 1 if size is 0. It overwrites
// each piece once it is read.
func readAll(s sb2.MasterStream, b []byte, size int) (all sent) {
	size = max(size, 1)
	for all.err = lobbywire.ErrTruncated; len(b) > 0 && all.err == lobbywire.ErrTruncated; {
		piece := bytes.Clone(b[:min(size, len(b))])
		b = b[len(piece):]
		rest := piece
		for all.err = nil; all.err == nil; {
			rest, all.err = all.next(&s, rest)
		}
		clear(piece)
	}
	head, list, _ := s.Start()
	list.Servers = all.list.Servers
	all.head, all.list = head, list
	return all
}

// next reads a server or, after the list, a push.
func (all *sent) next(s *sb2.MasterStream, b []byte) (rest []byte, err error) {
	if !all.ended {
		server, rest, err := s.NextServer(b)
		switch err {
		case nil:
			all.list.Servers = append(all.list.Servers, server)
		case sb2.ErrEndOfList:
			all.ended = true
			return rest, nil
		}
		return rest, err
	}
	m, rest, err := s.NextPush(b)
	if err == nil {
		all.pushes = append(all.pushes, m)
	}
	return rest, err
}

// sameAs fails unless the parts and the error are the same.
func (all sent) sameAs(t testing.TB, other sent) {
	t.Helper()
	if diff := cmp.Diff(all.list, other.list, compare); diff != "" || all.ended != other.ended {
		t.Fatalf("lists (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(all.head, other.head); diff != "" {
		t.Fatalf("heads (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(all.pushes, other.pushes, compare); diff != "" {
		t.Fatalf("pushes (-want +got):\n%s", diff)
	}
	if fmt.Sprint(all.err) != fmt.Sprint(other.err) {
		t.Fatalf("errors %v and %v", all.err, other.err)
	}
}

// isList fails unless there is a whole list and no push.
func (all sent) isList(t testing.TB, m sb2.Answer) {
	t.Helper()
	if diff := cmp.Diff(m.List, all.list, compare); diff != "" || !all.ended || len(all.pushes) > 0 {
		t.Fatalf("ended %v, %d pushes, list (-want +got):\n%s", all.ended, len(all.pushes), diff)
	}
	if diff := cmp.Diff(m.Head, all.head); diff != "" {
		t.Fatalf("heads (-want +got):\n%s", diff)
	}
}

// bigList returns a list of n servers with five fields each.
func bigList(n int) sb2.List {
	l := sb2.List{
		ClientIP: netip.MustParseAddr("192.0.2.7"), DefaultPort: 6500,
		Keys: []sb2.Key{{Type: sb2.KeyText, Name: "hostname"}, {Type: sb2.KeyText, Name: "gametype"},
			{Type: sb2.KeyText, Name: "mapname"}, {Type: sb2.KeyByte, Name: "numplayers"},
			{Type: sb2.KeyShort, Name: "hostport"}},
		Popular: []string{"arena", "ctf"},
	}
	for i := range n {
		l.Servers = append(l.Servers, sb2.Server{
			Flags: sb2.FlagUnsolicitedUDP | sb2.FlagPort | sb2.FlagFields,
			IP:    netip.AddrFrom4([4]byte{198, 18, byte(i >> 8), byte(i)}), Port: uint16(20000 + i),
			Fields: []sb2.KeyValue{
				{Key: "hostname", Value: fmt.Sprintf("Harbour server %d", i)},
				{Key: "gametype", Value: l.Popular[i%2]},
				{Key: "mapname", Value: fmt.Sprintf("map%d", i%30)},
				{Key: "numplayers", Value: fmt.Sprint(i % 200)},
				{Key: "hostport", Value: fmt.Sprint(20000 + i)},
			},
		})
	}
	return l
}

// pushes returns pushed messages of each type, and their bytes after the answer
// with l.
func pushes(t testing.TB, l sb2.List) (all []sb2.Push, stream []byte) {
	t.Helper()
	addr := netip.MustParseAddrPort("192.0.2.1:11111")
	keys := []sb2.Key{{Type: sb2.KeyByte, Name: "numplayers"}}
	server := sb2.Server{Flags: sb2.FlagFields, IP: addr.Addr(), Fields: l.Servers[0].Fields}
	changed := sb2.Server{Flags: sb2.FlagFields, IP: addr.Addr(),
		Fields: []sb2.KeyValue{{Key: "numplayers", Value: "7"}}}
	all = []sb2.Push{
		sb2.PushServer{Keys: l.Keys, Server: server},
		sb2.Keepalive{Data: []byte("data")},
		sb2.PushKeys{Keys: keys},
		sb2.PushServer{Keys: keys, Server: changed},
		sb2.DeleteServer{Addr: addr},
		sb2.MapLoop{Addr: addr, Maps: []string{"a", "b"}},
		sb2.PlayerSearch{Final: true},
		sb2.Unknown{Type: 77},
	}
	a := answerOf(l)
	stream = mustAppend(t, a.Head)
	start := len(stream)
	stream = append(stream, mustAppend(t, l)...)
	for _, m := range all {
		stream = append(stream, mustAppend(t, m)...)
	}
	c, err := sb2.NewCipher(a.Secret, a.Challenge, a.Head.Challenge)
	if err != nil {
		t.Fatal(err)
	}
	c.Encrypt(stream[start:], stream[start:])
	return all, stream
}

// Lists and pushes are the same however the stream is cut.
func TestMasterStreamReadsAnyPieces(t *testing.T) {
	l := bigList(100)
	want, stream := pushes(t, l)
	for _, size := range []int{1, 2, 3, 7, 100, 4095, 4096, 4097, len(stream)} {
		got := readAll(testStream(), bytes.Clone(stream), size)
		if got.err != lobbywire.ErrTruncated || !got.ended {
			t.Fatalf("pieces of %d bytes: ended %v, %v", size, got.ended, got.err)
		}
		if diff := cmp.Diff(l, got.list, compare); diff != "" {
			t.Fatalf("pieces of %d bytes: list (-want +got):\n%s", size, diff)
		}
		if diff := cmp.Diff(want, got.pushes, compare); diff != "" {
			t.Fatalf("pieces of %d bytes: pushes (-want +got):\n%s", size, diff)
		}
	}
}

// longParts returns a list whose start and servers are long.
func longParts() sb2.List {
	l := sb2.List{ClientIP: netip.MustParseAddr("192.0.2.7"), DefaultPort: 6500}
	var fields, rules []sb2.KeyValue
	for i := range sb2.MaxKeys {
		k := sb2.Key{Type: sb2.KeyType(i % 3), Name: fmt.Sprintf("%0*d", 1+i%40, i)}
		value := fmt.Sprint(i)
		if k.Type == sb2.KeyText {
			value = strings.Repeat("x", i*7%300)
		}
		l.Keys = append(l.Keys, k)
		l.Popular = append(l.Popular, fmt.Sprint("popular", i))
		fields = append(fields, sb2.KeyValue{Key: k.Name, Value: value})
	}
	for i := range 40 {
		rules = append(rules, sb2.KeyValue{Key: fmt.Sprint("rule", i), Value: strings.Repeat("x", i*i*i%2000)})
	}
	ip := netip.MustParseAddr("198.18.0.1")
	l.Servers = []sb2.Server{
		{IP: ip},
		{Flags: sb2.FlagFields, IP: ip, Fields: fields},
		{Flags: sb2.FlagRules, IP: ip, Rules: rules},
		{Flags: sb2.FlagPort, IP: ip, Port: 1},
	}
	return l
}

// Long parts, valid or not, give the same however the stream is cut.
func TestMasterStreamReadsLongPartsInPieces(t *testing.T) {
	plain := mustAppend(t, longParts())
	for _, at := range []int{-1, bytes.Index(plain, []byte("\x00250\x00")), bytes.Index(plain, []byte("rule39\x00"))} {
		stream := bytes.Clone(plain)
		if at >= 0 {
			stream[at] = 0xee // the type of a key, or a part of a name
		}
		stream = encrypted(t, stream)
		want := readAll(testStream(), bytes.Clone(stream), len(stream))
		for _, size := range []int{1, 50, 1025} {
			want.sameAs(t, readAll(testStream(), bytes.Clone(stream), size))
		}
		if at < 0 {
			want.isList(t, sb2.Answer{Head: answerOf(sb2.List{}).Head, List: longParts()})
		}
	}
}

// NextPush skips servers.
func TestNextPushSkipsServers(t *testing.T) {
	want, stream := pushes(t, bigList(3))
	s := testStream()
	m, _, err := s.NextPush(stream)
	if diff := cmp.Diff(want[0], m, compare); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// The answers of the captures are read as a stream.
func TestMasterStreamReadsCaptures(t *testing.T) {
	for _, f := range golden.Load(t) {
		if f.Message() != "Answer" {
			continue
		}
		from := sourceOf(t, f)
		m, err := sb2.ParseAnswer(f.Data, from.secret, from.request)
		if errors.Is(err, lobbywire.ErrTruncated) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= len(f.Data); size++ {
			readAll(sb2.MasterStream{Secret: from.secret, Request: from.request}, f.Data, size).isList(t, m)
		}
	}
}

// An error of the master is in the start of the list.
func TestMasterStreamHasTheErrorOfTheMaster(t *testing.T) {
	b := mustAppend(t, answerOf(sb2.List{ClientIP: netip.MustParseAddr("192.0.2.7"), DefaultPort: sb2.ErrorPort,
		Error: "no such game"}))
	s := testStream()
	if _, _, ok := s.Start(); ok {
		t.Error("a start before the first byte")
	}
	_, rest, err := s.NextServer(b)
	_, list, ok := s.Start()
	if err != sb2.ErrEndOfList || !ok || list.Error != "no such game" || len(rest) > 0 {
		t.Errorf("%v, start %v %+v, %d bytes left", err, ok, list, len(rest))
	}
	if _, _, err := s.NextServer(nil); err != sb2.ErrEndOfList {
		t.Errorf("again: %v", err)
	}
}

func TestMasterStreamLocatesItsFailure(t *testing.T) {
	l := bigList(3)
	whole := mustAppend(t, answerOf(l))
	list := len(whole) - len(mustAppend(t, l))
	keys := sb2.List{ClientIP: l.ClientIP, DefaultPort: l.DefaultPort, Keys: make([]sb2.Key, 255)}
	for i := range keys.Keys {
		keys.Keys[i].Name = strings.Repeat("k", (1<<16)/255+1)
	}
	first := list + len(mustAppend(t,
		sb2.List{ClientIP: l.ClientIP, DefaultPort: l.DefaultPort, Keys: l.Keys, Popular: l.Popular})) - 5
	for _, tt := range []struct {
		name   string
		in     []byte
		change func(s *sb2.MasterStream)
		err    error
		offset int
	}{
		{"no secret", whole, func(s *sb2.MasterStream) { s.Secret = "" }, lobbywire.ErrInvalid, list},
		{"a head without options", []byte{0xec, 0xea}, nil, lobbywire.ErrInvalid, 0},
		{"a start above the limit", encrypted(t, mustAppend(t, keys)), nil, lobbywire.ErrTooLarge, list},
		{"an index without a popular value", encrypted(t, badIndex(t, l)), nil, lobbywire.ErrInvalid,
			first + 7 + len("xHarbour server 0x")},
	} {
		for _, size := range []int{1, 5, len(tt.in)} {
			s := testStream()
			if tt.change != nil {
				tt.change(&s)
			}
			err := readAll(s, tt.in, size).err
			var e *lobbywire.Error
			if !errors.As(err, &e) || !errors.Is(err, tt.err) || e.Offset != tt.offset {
				t.Errorf("%s, pieces of %d bytes: %v, want %v at %d", tt.name, size, err, tt.err, tt.offset)
			}
		}
	}
}

// badIndex returns a list whose first gametype has an index without a value.
func badIndex(t testing.TB, l sb2.List) []byte {
	b := mustAppend(t, l)
	at := bytes.Index(b, []byte("server 0\x00")) + len("server 0\x00")
	b[at] = 9
	return b
}

// encrypted returns plain as the list of an answer.
func encrypted(t testing.TB, plain []byte) []byte {
	t.Helper()
	a := answerOf(sb2.List{})
	c, err := sb2.NewCipher(a.Secret, a.Challenge, a.Head.Challenge)
	if err != nil {
		t.Fatal(err)
	}
	b := mustAppend(t, a.Head)
	at := len(b)
	b = append(b, plain...)
	c.Encrypt(b[at:], b[at:])
	return b
}

// An error is final.
func TestMasterStreamStaysBroken(t *testing.T) {
	badEnd := mustAppend(t, bigList(0))
	badEnd[len(badEnd)-5] = 1
	for _, plain := range [][]byte{badIndex(t, bigList(3)), badEnd} {
		s := testStream()
		s.Options.Strict = true
		_, rest, first := s.NextServer(encrypted(t, plain))
		_, _, again := s.NextServer(rest)
		_, _, push := s.NextPush(rest)
		if !errors.Is(first, lobbywire.ErrInvalid) || again != first || push != first {
			t.Errorf("%v, then %v and %v", first, again, push)
		}
	}
}

// A server that never ends is refused at the limit, not kept, with one error however
// the stream is cut.
func TestMasterStreamIsBounded(t *testing.T) {
	l := bigList(1)
	plain := mustAppend(t, l)
	plain = append(plain[:bytes.Index(plain, []byte("Harbour"))], bytes.Repeat([]byte("x"), 1<<20)...)
	stream := encrypted(t, plain)
	want := readAll(testStream(), stream, len(stream))
	if !errors.Is(want.err, lobbywire.ErrTooLarge) {
		t.Error(want.err)
	}
	for _, size := range []int{99, 100, 5000} {
		want.sameAs(t, readAll(testStream(), stream, size))
	}
}
