package sb2_test

import (
	"bytes"
	"errors"
	"math"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

var (
	testIP   = netip.MustParseAddr("192.0.2.1")
	testAddr = netip.MustParseAddrPort("192.0.2.1:258")
	ipv6     = netip.MustParseAddrPort("[2001:db8::1]:258")
)

const testAddrBytes = "\xc0\x00\x02\x01\x01\x02"

// request is a list request up to its options.
const request = "\x00\x01\x03\x04\x03\x02\x01gmtest\x00gslive\x0012345678ping\x00\\hostname\x00"

func requested(o sb2.RequestOptions) sb2.ListRequest {
	return sb2.ListRequest{
		GameVersion: 0x01020304, ForGame: "gmtest", FromGame: "gslive", Challenge: sb2.Challenge([]byte("12345678")),
		Filter: "ping", Fields: `\hostname`, Options: o,
	}
}

func TestListRequestAcceptsItsFormsOnly(t *testing.T) {
	limited := requested(sb2.OptionSourceIP | sb2.OptionLimit)
	limited.SourceIP, limited.MaxServers = testIP, 5
	extra, zeros := requested(0), requested(0)
	extra.Extra = []byte("x")
	zeros.Challenge = sb2.Challenge([]byte("\x00\x00345678"))
	listRequestCodec.Table(t, []codectest.Case[sb2.ListRequest]{
		{Name: "no options", In: "\x00\x32" + request + "\x00\x00\x00\x00", Want: requested(0)},
		{Name: "unknown options", In: "\x00\x32" + request + "\x80\x00\x01\x10", Want: requested(0x80000110)},
		{Name: "source address and limit",
			In: "\x00\x3a" + request + "\x00\x00\x00\x88" + "\xc0\x00\x02\x01" + "\x05\x00\x00\x00", Want: limited},
		{Name: "bytes at the end", In: "\x00\x33" + request + "\x00\x00\x00\x00x", Want: extra,
			Strict: lobbywire.ErrTrailing},
		{Name: "a zero byte before the challenge", Differs: true, Want: requested(0), Strict: lobbywire.ErrInvalid,
			In: "\x00\x33" + strings.Replace(request, "12345678", "\x0012345678", 1) + "\x00\x00\x00\x00"},
		{Name: "a challenge that starts with a zero byte", Want: zeros,
			In: "\x00\x32" + strings.Replace(request, "12345678", "\x00\x00345678", 1) + "\x00\x00\x00\x00"},
		{Name: "another type", In: "\x00\x03\x01", Err: lobbywire.ErrInvalid, Field: "type", Offset: 2},
		{Name: "another version", In: "\x00\x04\x00\x02",
			Err: lobbywire.ErrUnsupported, Field: "protocolVersion", Offset: 3},
		{Name: "another encoding", In: "\x00\x05\x00\x01\x02",
			Err: lobbywire.ErrUnsupported, Field: "encodingVersion", Offset: 4},
		{Name: "a length without the type", In: "\x00\x02\x00", Err: lobbywire.ErrInvalid, Field: "length", Offset: 0},
		{Name: "a part of the length", In: "\x00", Err: lobbywire.ErrTruncated, Field: "length", Offset: 0},
		{Name: "a part of the message", In: "\x00\x38\x00\x01",
			Err: lobbywire.ErrTruncated, Field: "length", Offset: 0},
		{Name: "a length that ends in a text", In: "\x00\x0f" + request[:13],
			Err: lobbywire.ErrInvalid, Field: "forGame", Offset: 9},
		{Name: "bytes behind the message", In: "\x00\x32" + request + "\x00\x00\x00\x00x",
			Err: lobbywire.ErrTrailing, Offset: 50},
	})
	long := requested(0)
	long.Filter = strings.Repeat("x", math.MaxUint16)
	noOption, noLimit, noAddr := requested(0), requested(0), requested(sb2.OptionSourceIP)
	noOption.SourceIP, noLimit.MaxServers = testIP, 1
	surplus := requested(0)
	surplus.Challenge[0] = 0
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "too long", Value: long, Err: lobbywire.ErrTooLarge, Field: "length"},
		{Name: "zero byte", Value: sb2.ListRequest{ForGame: "a\x00"}, Err: lobbywire.ErrInvalid, Field: "forGame"},
		{Name: "a zero byte that looks surplus", Value: surplus, Err: lobbywire.ErrInvalid, Field: "challenge"},
		{Name: "a source address without its option", Value: noOption, Err: lobbywire.ErrInvalid, Field: "sourceIp"},
		{Name: "no source address", Value: noAddr, Err: lobbywire.ErrInvalid, Field: "sourceIp"},
		{Name: "a limit without its option", Value: noLimit, Err: lobbywire.ErrInvalid, Field: "maxServers"},
	})
}

func TestFieldListSplitsAtBackslashes(t *testing.T) {
	for _, tt := range []struct {
		in   sb2.FieldList
		want []string
	}{
		{"", nil},
		{`\hostname\gametype`, []string{"hostname", "gametype"}},
		{`hostname\gametype\`, []string{"hostname", "gametype"}},
		{`\\a`, []string{"a"}},
	} {
		if got := slices.Collect(tt.in.All()); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.in, got, tt.want)
		}
	}
	if got := sb2.MakeFieldList("a", "b"); got != `\a\b` {
		t.Errorf("%q", got)
	}
}

func TestOtherRequestsAcceptTheirFormsOnly(t *testing.T) {
	rulesRequestCodec.Table(t, []codectest.Case[sb2.RulesRequest]{
		{Name: "a server", In: "\x00\x09\x01" + testAddrBytes, Want: sb2.RulesRequest{Addr: testAddr}},
		{Name: "a byte too many", In: "\x00\x0a\x01" + testAddrBytes + "x", Err: lobbywire.ErrTrailing, Offset: 9},
		{Name: "a port too few", In: "\x00\x07\x01\xc0\x00\x02\x01",
			Err: lobbywire.ErrInvalid, Field: "port", Offset: 7},
	})
	mapLoopRequestCodec.Table(t, []codectest.Case[sb2.MapLoopRequest]{
		{Name: "a server", In: "\x00\x09\x04" + testAddrBytes, Want: sb2.MapLoopRequest{Addr: testAddr}},
	})
	messageRequestCodec.Table(t, []codectest.Case[sb2.MessageRequest]{
		{Name: "data", In: "\x00\x0b\x02" + testAddrBytes + "ab",
			Want: sb2.MessageRequest{Addr: testAddr, Data: []byte("ab")}},
		{Name: "no data", In: "\x00\x09\x02" + testAddrBytes, Want: sb2.MessageRequest{Addr: testAddr}},
	})
	playerSearchRequestCodec.Table(t, []codectest.Case[sb2.PlayerSearchRequest]{
		{Name: "a name", In: "\x00\x0f\x05\x00\x00\x00\x01\x00\x00\x00\x0aAnn\x00",
			Want: sb2.PlayerSearchRequest{Options: 1, MaxResults: 10, Name: "Ann"}},
		{Name: "a name without its end", In: "\x00\x0c\x05\x00\x00\x00\x01\x00\x00\x00\x0aA",
			Err: lobbywire.ErrInvalid, Field: "name", Offset: 11},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "rules of IPv6", Value: sb2.RulesRequest{Addr: ipv6}, Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "message to IPv6", Value: sb2.MessageRequest{Addr: ipv6}, Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "a long message", Value: sb2.MessageRequest{Addr: testAddr, Data: make([]byte, math.MaxUint16-8)},
			Err: lobbywire.ErrTooLarge, Field: "length"},
		{Name: "maps of no address", Value: sb2.MapLoopRequest{}, Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "zero byte", Value: sb2.PlayerSearchRequest{Name: "\x00"}, Err: lobbywire.ErrInvalid, Field: "name"},
		{Name: "a long keepalive", Value: sb2.Keepalive{Data: make([]byte, math.MaxUint16)},
			Err: lobbywire.ErrTooLarge, Field: "length"},
		{Name: "an answer without a secret key", Value: sb2.Answer{}, Err: lobbywire.ErrInvalid, Field: "secret"},
		{Name: "a long message of another type", Value: sb2.Unknown{Data: make([]byte, math.MaxUint16)},
			Err: lobbywire.ErrTooLarge, Field: "length"},
	})
}

// The direction determines the type.
func TestDirectionDeterminesTheType(t *testing.T) {
	for _, tt := range []struct {
		in      string
		request sb2.Request
		push    sb2.Push
	}{
		{"\x00\x04\x01\x00", nil, sb2.PushKeys{}},
		{"\x00\x09\x04" + testAddrBytes, sb2.MapLoopRequest{Addr: testAddr}, sb2.DeleteServer{Addr: testAddr}},
		{"\x00\x03\x03", sb2.Keepalive{}, sb2.Keepalive{}},
		{"\x00\x05\x06\x01\x00", sb2.Unknown{Type: 6, Data: []byte{1, 0}}, sb2.PlayerSearch{Final: true}},
		{"\x00\x03\x00", nil, sb2.Unknown{}},
		{"\x00\x03\x07", sb2.Unknown{Type: 7}, sb2.Unknown{Type: 7}},
	} {
		r, err := sb2.ParseRequest([]byte(tt.in))
		if diff := cmp.Diff(tt.request, r, compare); diff != "" || (err == nil) != (tt.request != nil) {
			t.Errorf("%q, request: %v (-want +got):\n%s", tt.in, err, diff)
		}
		p, err := sb2.ParsePush([]byte(tt.in))
		if diff := cmp.Diff(tt.push, p, compare); diff != "" || (err == nil) != (tt.push != nil) {
			t.Errorf("%q, push: %v (-want +got):\n%s", tt.in, err, diff)
		}
	}
}

func TestHeadAcceptsItsFormsOnly(t *testing.T) {
	headCodec.Table(t, []codectest.Case[sb2.Head]{
		{Name: "the shortest", In: "\xee\x00\x80\xea", Want: sb2.Head{Options: sb2.GameChallenge}},
		{Name: "random bytes and a challenge", In: "\xef\x01\x02x\xe8ab",
			Want: sb2.Head{Options: 0x0102, Random: []byte("x"), Challenge: []byte("ab")}},
		{Name: "the longest challenge", In: "\xee\x00\x00\x15" + strings.Repeat("x", 255),
			Want: sb2.Head{Challenge: bytes.Repeat([]byte("x"), 255)}},
		{Name: "room for half of the options", In: "\xed\x00\xea",
			Err: lobbywire.ErrInvalid, Field: "randomLength", Offset: 0},
		{Name: "cut in the random bytes", In: "\xef\x00\x00", Err: lobbywire.ErrTruncated, Field: "random", Offset: 3},
		{Name: "cut in the challenge", In: "\xee\x00\x00\xe8a",
			Err: lobbywire.ErrTruncated, Field: "challenge", Offset: 4},
		{Name: "a byte too many", In: "\xee\x00\x00\xeax", Err: lobbywire.ErrTrailing, Offset: 4},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "too many random bytes", Value: sb2.Head{Random: make([]byte, 254)},
			Err: lobbywire.ErrTooLarge, Field: "random"},
		{Name: "a challenge too long", Value: sb2.Head{Challenge: make([]byte, 256)},
			Err: lobbywire.ErrTooLarge, Field: "challenge"},
	})
}

// start is a list up to its keys.
const start = "\xc0\x00\x02\x01\x01\x02"

const end = "\x00\xff\xff\xff\xff"

func listOf(keys []sb2.Key, servers ...sb2.Server) sb2.List {
	return sb2.List{ClientIP: testIP, DefaultPort: 258, Keys: keys, Servers: servers}
}

func TestListAcceptsItsFormsOnly(t *testing.T) {
	text := []sb2.Key{{Type: sb2.KeyText, Name: "a"}}
	fields := func(value string) sb2.Server {
		return sb2.Server{Flags: sb2.FlagFields, IP: testIP, Fields: []sb2.KeyValue{{Key: "a", Value: value}}}
	}
	popular := listOf(text, fields("x"))
	popular.Popular = []string{"x", "x"}
	server := "\x40\xc0\x00\x02\x01"
	listCodec.Table(t, []codectest.Case[sb2.List]{
		{Name: "no servers", In: start + "\x00\x00" + end, Want: listOf(nil)},
		{Name: "an error", In: "\xc0\x00\x02\x01\xff\xffno\x00",
			Want: sb2.List{ClientIP: testIP, DefaultPort: sb2.ErrorPort, Error: "no"}},
		{Name: "an error without text", In: "\xc0\x00\x02\x01\xff\xff\x00",
			Want: sb2.List{ClientIP: testIP, DefaultPort: sb2.ErrorPort}},
		{Name: "bytes after an error", In: "\xc0\x00\x02\x01\xff\xff\x00x", Err: lobbywire.ErrTrailing, Offset: 7},
		{Name: "a text", In: start + "\x01\x00a\x00\x00" + server + "\xffx\x00" + end, Want: listOf(text, fields("x"))},
		{Name: "a popular value", In: start + "\x01\x00a\x00\x02x\x00x\x00" + server + "\x00" + end, Want: popular},
		{Name: "the second of two that are equal", In: start + "\x01\x00a\x00\x02x\x00x\x00" + server + "\x01" + end,
			Want: popular, Differs: true},
		{Name: "a popular value written out", In: start + "\x01\x00a\x00\x02x\x00x\x00" + server + "\xffx\x00" + end,
			Want: popular, Differs: true},
		{Name: "no such popular value", In: start + "\x01\x00a\x00\x01x\x00" + server + "\x01" + end,
			Err: lobbywire.ErrInvalid, Field: "servers[0].fields", Offset: 18},
		{Name: "an unknown type of key", In: start + "\x01\x03a\x00",
			Err: lobbywire.ErrUnsupported, Field: "keys[0].keyType", Offset: 7},
		{Name: "more keys than bytes", In: start + "\x03\x00a\x00",
			Err: lobbywire.ErrTruncated, Field: "keyCount", Offset: 6},
		{Name: "flags at the end", In: start + "\x00\x00\x10\xff\xff\xff\xff", Want: listOf(nil), Differs: true,
			Strict: lobbywire.ErrInvalid},
		{Name: "no end", In: start + "\x00\x00", Err: lobbywire.ErrTruncated, Field: "servers[0].flags", Offset: 8},
		{Name: "a part of the end", In: start + "\x00\x00\x00\xff\xff\xff",
			Err: lobbywire.ErrTruncated, Field: "servers[0].ip", Offset: 9},
		{Name: "bytes after the end", In: start + "\x00\x00" + end + "x", Err: lobbywire.ErrTrailing, Offset: 13},
		{Name: "rules without their end", In: start + "\x00\x00\x80\xc0\x00\x02\x01a\x00b\x00",
			Err: lobbywire.ErrTruncated, Field: "servers[0].rules.key", Offset: 17},
	})
	none := sb2.List{ClientIP: testIP, DefaultPort: 258, NoList: true}
	noList := sb2.Options{NoList: true}
	listCodecWith(noList).Table(t, []codectest.Case[sb2.List]{
		{Name: "no list", In: start, Want: none},
		{Name: "a list", In: start + "\x00", Err: lobbywire.ErrTrailing, Offset: 6},
		{Name: "an error", In: "\xc0\x00\x02\x01\xff\xff\x00",
			Want: sb2.List{ClientIP: testIP, DefaultPort: sb2.ErrorPort}},
	})
	withServers := func(change func(s *sb2.Server)) sb2.List {
		s := sb2.Server{IP: testIP}
		change(&s)
		return listOf(text, s)
	}
	errorToo, noListToo, errorPort := listOf(nil), none, none
	errorToo.Error, noListToo.Keys, errorPort.DefaultPort = "x", text, sb2.ErrorPort
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "a client of IPv6", Value: sb2.List{ClientIP: ipv6.Addr()},
			Err: lobbywire.ErrInvalid, Field: "clientIp"},
		{Name: "an error and a list", Value: errorToo, Err: lobbywire.ErrInvalid, Field: "error"},
		{Name: "no list, and keys", Value: noListToo, Err: lobbywire.ErrInvalid, Field: "noList"},
		{Name: "no list, and an error", Value: errorPort, Err: lobbywire.ErrInvalid, Field: "noList"},
		{Name: "too many keys", Value: listOf(make([]sb2.Key, 256)), Err: lobbywire.ErrTooLarge, Field: "keyCount"},
		{Name: "too many popular values", Value: sb2.List{ClientIP: testIP, Popular: make([]string, 256)},
			Err: lobbywire.ErrTooLarge, Field: "popularCount"},
		{Name: "an unknown type of key", Value: listOf([]sb2.Key{{Type: 3}}),
			Err: lobbywire.ErrUnsupported, Field: "keys[0].keyType"},
		{Name: "no address", Value: withServers(func(s *sb2.Server) { s.IP = netip.Addr{} }),
			Err: lobbywire.ErrInvalid, Field: "servers[0].ip"},
		{Name: "the address of the end", Value: withServers(func(s *sb2.Server) {
			s.IP = netip.MustParseAddr("255.255.255.255")
		}), Err: lobbywire.ErrInvalid, Field: "servers[0].ip"},
		{Name: "a port without its flag", Value: withServers(func(s *sb2.Server) { s.Port = 1 }),
			Err: lobbywire.ErrInvalid, Field: "servers[0].port"},
		{Name: "a private address without its flag", Value: withServers(func(s *sb2.Server) { s.PrivateIP = testIP }),
			Err: lobbywire.ErrInvalid, Field: "servers[0].privateIp"},
		{Name: "a flag without its address", Value: withServers(func(s *sb2.Server) { s.Flags = sb2.FlagICMPIP }),
			Err: lobbywire.ErrInvalid, Field: "servers[0].icmpIp"},
		{Name: "fields without their flag", Value: withServers(func(s *sb2.Server) { s.Fields = fields("x").Fields }),
			Err: lobbywire.ErrInvalid, Field: "servers[0].fields"},
		{Name: "rules without their flag", Value: withServers(func(s *sb2.Server) { s.Rules = fields("x").Fields }),
			Err: lobbywire.ErrInvalid, Field: "servers[0].rules"},
		{Name: "a flag without fields", Value: withServers(func(s *sb2.Server) { s.Flags = sb2.FlagFields }),
			Err: lobbywire.ErrInvalid, Field: "servers[0].fields"},
		{Name: "a field of another key", Value: listOf([]sb2.Key{{Name: "b"}}, fields("x")),
			Err: lobbywire.ErrInvalid, Field: "servers[0].fields"},
		{Name: "zero byte in a field", Value: listOf(text, fields("\x00")),
			Err: lobbywire.ErrInvalid, Field: "servers[0].fields"},
		{Name: "an empty key in rules", Value: withServers(func(s *sb2.Server) {
			s.Flags, s.Rules = sb2.FlagRules, make([]sb2.KeyValue, 1)
		}), Err: lobbywire.ErrInvalid, Field: "servers[0].rules.key"},
		{Name: "fields and rules", Value: withServers(func(s *sb2.Server) {
			s.Flags, s.Fields = sb2.FlagFields|sb2.FlagRules, fields("x").Fields
		}), Err: lobbywire.ErrInvalid, Field: "servers[0].flags"},
	})
}

// Numbers are decimal and have one form.
func TestNumbersHaveOneForm(t *testing.T) {
	for _, tt := range []struct {
		typ   sb2.KeyType
		value string
		ok    bool
	}{
		{sb2.KeyByte, "0", true},
		{sb2.KeyByte, "255", true},
		{sb2.KeyByte, "256", false},
		{sb2.KeyShort, "65535", true},
		{sb2.KeyShort, "65536", false},
		{sb2.KeyShort, "165535", false},
		{sb2.KeyShort, "", false},
		{sb2.KeyShort, "07", false},
		{sb2.KeyShort, "+7", false},
		{sb2.KeyShort, "-7", false},
		{sb2.KeyShort, "7 ", false},
	} {
		_, err := listOf([]sb2.Key{{Type: tt.typ, Name: "a"}}, sb2.Server{
			Flags: sb2.FlagFields, IP: testIP, Fields: []sb2.KeyValue{{Key: "a", Value: tt.value}},
		}).AppendBinary(nil)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("%v %q: %v", tt.typ, tt.value, err)
		}
	}
}

func TestListOfTooManyServersIsRefused(t *testing.T) {
	const server = "\x01\xc0\x00\x02\x01"
	servers := strings.Repeat(server, sb2.MaxServers)
	if _, err := sb2.ParseList([]byte(start + "\x00\x00" + servers + end)); err != nil {
		t.Error(err)
	}
	_, err := sb2.ParseList([]byte(start + "\x00\x00" + servers + server + end))
	var e *lobbywire.Error
	if !errors.As(err, &e) || !errors.Is(err, lobbywire.ErrTooLarge) || e.Offset != 8+len(servers) {
		t.Error(err)
	}
}

func TestPushesAcceptTheirFormsOnly(t *testing.T) {
	keys := []sb2.Key{{Type: sb2.KeyText, Name: "a"}, {Type: sb2.KeyShort, Name: "b"}}
	server := sb2.Server{Flags: sb2.FlagFields | sb2.FlagRules, IP: testIP,
		Fields: []sb2.KeyValue{{Key: "a", Value: "x"}, {Key: "b", Value: "7"}},
		Rules:  []sb2.KeyValue{{Key: "c", Value: "d"}}}
	in := "\x00\x11\x02\xc0\xc0\x00\x02\x01x\x00\x00\x07c\x00d\x00\x00"
	pushServerCodecWith(sb2.Options{Keys: keys}).Table(t, []codectest.Case[sb2.PushServer]{
		{Name: "fields and rules", In: in, Want: sb2.PushServer{Keys: keys, Server: server}},
		{Name: "cut in a number", In: "\x00\x0b\x02\x40\xc0\x00\x02\x01x\x00\x00",
			Err: lobbywire.ErrInvalid, Field: "fields[1].value", Offset: 10},
		{Name: "rules without their end", In: "\x00\x09\x02\x80\xc0\x00\x02\x01c",
			Err: lobbywire.ErrInvalid, Field: "rules[0].key", Offset: 8},
	})
	pushServerCodec.Table(t, []codectest.Case[sb2.PushServer]{
		{Name: "no keys", In: "\x00\x08\x02\x40\xc0\x00\x02\x01",
			Want: sb2.PushServer{Server: sb2.Server{Flags: sb2.FlagFields, IP: testIP}}},
	})
	mapLoopCodec.Table(t, []codectest.Case[sb2.MapLoop]{
		{Name: "no maps", In: "\x00\x0e\x05" + testAddrBytes + "\x00\x00\x00\x01\x00",
			Want: sb2.MapLoop{Addr: testAddr, Change: 1}},
		{Name: "fewer maps than their number", In: "\x00\x10\x05" + testAddrBytes + "\x00\x00\x00\x01\x03a\x00",
			Err: lobbywire.ErrInvalid, Field: "mapCount", Offset: 13},
	})
	playerSearchCodec.Table(t, []codectest.Case[sb2.PlayerSearch]{
		{Name: "another final", In: "\x00\x05\x06\x02\x00", Want: sb2.PlayerSearch{Final: true}, Differs: true,
			Strict: lobbywire.ErrInvalid},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "a text with a zero byte", Value: sb2.PushKeys{Keys: []sb2.Key{{Name: "\x00"}}},
			Err: lobbywire.ErrInvalid, Field: "keys[0].name"},
		{Name: "deleted IPv6", Value: sb2.DeleteServer{Addr: ipv6}, Err: lobbywire.ErrInvalid, Field: "ip"},
		{Name: "too many maps", Value: sb2.MapLoop{Addr: testAddr, Maps: make([]string, 256)},
			Err: lobbywire.ErrTooLarge, Field: "mapCount"},
		{Name: "too many players", Value: sb2.PlayerSearch{Players: make([]sb2.FoundPlayer, 256)},
			Err: lobbywire.ErrTooLarge, Field: "playerCount"},
	})
}

func TestNextFrameReadsWholeFramesOnly(t *testing.T) {
	for _, tt := range []struct {
		name, in    string
		limit       int
		frame, rest string
		err         error
	}{
		{"a message and a part", "\x00\x03\x03\x00", 9, "\x00\x03\x03", "\x00", nil},
		{"a part of a message", "\x00\x09\x01", 9, "", "\x00\x09\x01", lobbywire.ErrTruncated},
		{"a part of the length", "\x00", 9, "", "\x00", lobbywire.ErrTruncated},
		{"nothing", "", 9, "", "", lobbywire.ErrTruncated},
		{"no room for the type", "\x00\x02", 9, "", "\x00\x02", lobbywire.ErrInvalid},
		{"above the limit", "\x00\x0a", 9, "", "\x00\x0a", lobbywire.ErrTooLarge},
		{"the default limit", "\x10\x00", 0, "", "\x10\x00", lobbywire.ErrTruncated},
		{"above the default limit", "\x10\x01", 0, "", "\x10\x01", lobbywire.ErrTooLarge},
		{"a negative limit", "\x00\x03\x03", -1, "", "\x00\x03\x03", lobbywire.ErrTooLarge},
	} {
		frame, rest, err := sb2.NextFrame([]byte(tt.in), tt.limit)
		if string(frame) != tt.frame || string(rest) != tt.rest || !errors.Is(err, tt.err) {
			t.Errorf("%s: %q, %q, %v", tt.name, frame, rest, err)
		}
		if err == nil && cap(frame) != len(frame) {
			t.Errorf("%s: appending to the frame would reach the rest", tt.name)
		}
	}
}

// The parts of a list, appended one by one, are equal to the whole.
func TestListAppenderEqualsTheWholeList(t *testing.T) {
	l := bigList(20)
	a := sb2.NewListAppender(l.Keys, l.Popular)
	b, err := a.AppendStart(nil, sb2.List{ClientIP: l.ClientIP, DefaultPort: l.DefaultPort})
	if err != nil {
		t.Fatal(err)
	}
	for i := range l.Servers {
		b, err = a.AppendServer(b, &l.Servers[i])
		if err != nil {
			t.Fatal(err)
		}
	}
	b = a.AppendEnd(b)
	if !bytes.Equal(b, mustAppend(t, l)) {
		t.Errorf("%x, want %x", b, mustAppend(t, l))
	}
	if got, err := a.AppendServer(b, &sb2.Server{}); !errors.Is(err, lobbywire.ErrInvalid) || len(got) != len(b) {
		t.Errorf("a server without an address: %v, %d bytes more", err, len(got)-len(b))
	}
}

func TestFlagsAndOptionsHaveNames(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{sb2.Flags(0x41).String(), "unsolicitedUDP|fields"},
		{sb2.Flags(0).String(), "0"},
		{(sb2.OptionPush | sb2.OptionLimit | 0x300).String(), "push|limit|768"},
		{sb2.RequestOptions(0).String(), "0"},
		{sb2.KeyType(7).String(), "keyType(7)"},
		{sb2.Server{IP: testIP}.AddrPort(6500).String(), "192.0.2.1:6500"},
		{sb2.Server{IP: testIP, Flags: sb2.FlagPort, Port: 7}.AddrPort(6500).String(), "192.0.2.1:7"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestLookupFindsFieldsAndRules(t *testing.T) {
	s := sb2.Server{Fields: []sb2.KeyValue{{Key: "a", Value: "1"}},
		Rules: []sb2.KeyValue{{Key: "a", Value: "2"}, {Key: "b", Value: "3"}}}
	for _, tt := range []struct {
		key, want string
		ok        bool
	}{{"a", "1", true}, {"b", "3", true}, {"c", "", false}} {
		if got, ok := s.Lookup(tt.key); got != tt.want || ok != tt.ok {
			t.Errorf("%s: %q, %v", tt.key, got, ok)
		}
	}
}

func TestMasterHostFollowsTheNameOfTheGame(t *testing.T) {
	for game, want := range map[string]string{
		"battlefield2": "battlefield2.ms14.gamespy.com",
		"Battlefield2": "Battlefield2.ms14.gamespy.com",
		"":             ".ms0.gamespy.com",
	} {
		if got := sb2.MasterHost(game, "gamespy.com"); got != want {
			t.Errorf("%q: %s, want %s", game, got, want)
		}
	}
}
