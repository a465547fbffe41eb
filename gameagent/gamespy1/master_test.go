package gamespy1_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestSecureAcceptsItsFormsOnly(t *testing.T) {
	want := gamespy1.Secure{Secure: "ABCDEF"}
	secureCodec.Table(t, []codectest.Case[gamespy1.Secure]{
		{Name: "as masters send it", In: `\secure\ABCDEF`, Want: want},
		{Name: "15 bytes", In: `\secure\ABCDEFGHIJKLMNO`, Want: gamespy1.Secure{Secure: "ABCDEFGHIJKLMNO"}},
		{Name: "bytes after it", In: `\secure\ABCDEF\final\`, Want: want, Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "cut", In: `\secure\ABCDE`, Err: lobbywire.ErrTruncated, Field: "secure", Offset: 8},
		{Name: "too short", In: `\secure\ABCDE\`, Err: lobbywire.ErrInvalid, Field: "secure", Offset: 8},
		{Name: "too long", In: `\secure\ABCDEFGHIJKLMNOP`, Err: lobbywire.ErrTooLarge, Field: "secure", Offset: 8},
		{Name: "another message", In: `\status\`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
	})
	strictly(secureCodec, gamespy1.Options.ParseSecure).Table(t, []codectest.Case[gamespy1.Secure]{
		{Name: "strictly as masters send it", In: `\secure\ABCDEF`, Want: want},
		{Name: "strictly bytes after it", In: `\secure\ABCDEF\x`, Err: lobbywire.ErrTrailing, Offset: 15},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "five bytes", Value: gamespy1.Secure{Secure: "ABCDE"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "16 bytes", Value: gamespy1.Secure{Secure: "ABCDEFGHIJKLMNOP"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "backslash", Value: gamespy1.Secure{Secure: `ABCDE\`},
			Err: lobbywire.ErrInvalid, Field: "secure"},
	})
}

func TestValidationAcceptsItsFormsOnly(t *testing.T) {
	const v = `\validate\zbGgINC8`
	want := gamespy1.Validation{Validate: "zbGgINC8"}
	numbered, other := want, want
	numbered.QueryID, other.Extra = "1.1", []gamespy1.Pair{{Key: "location", Value: "0"}}
	validationCodec.Table(t, []codectest.Case[gamespy1.Validation]{
		{Name: "as GameSpy's code sends it", In: v + `\final\`, Want: want},
		{Name: "without an end mark", In: v, Want: want, Differs: true},
		{Name: "query ID before the end mark", In: v + `\queryid\1.1\final\`, Want: numbered},
		{Name: "query ID after the end mark", In: v + `\final\\queryid\1.1`, Want: numbered, Differs: true},
		{Name: "another pair", In: v + `\location\0\final\`, Want: other},
		{Name: "cut in a key", In: v + `\fin`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 19},
		{Name: "cut before the value", In: `\validate\`, Err: lobbywire.ErrTruncated, Field: "validate", Offset: 10},
		{Name: "no value", In: `\validate\\final\`, Err: lobbywire.ErrInvalid, Field: "validate", Offset: 10},
		{Name: "end mark with a value", In: v + `\final\x`, Err: lobbywire.ErrInvalid, Field: "final", Offset: 25},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no value", Value: gamespy1.Validation{}, Err: lobbywire.ErrInvalid, Field: "validate"},
		{Name: "backslash", Value: gamespy1.Validation{Validate: `\`},
			Err: lobbywire.ErrInvalid, Field: "validate"},
		{Name: "query ID as another pair",
			Value: gamespy1.Validation{Validate: "x", Extra: []gamespy1.Pair{{Key: "queryid"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "end mark as another pair",
			Value: gamespy1.Validation{Validate: "x", Extra: []gamespy1.Pair{{Key: "final"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
	})
}

// Servers of Unreal answer a challenge in the status.
func TestStatusMayContainAValidation(t *testing.T) {
	for in, want := range map[string]string{
		`\gamename\ut\validate\zbGgINC8\queryid\1.1\final\`: "zbGgINC8",
		`\gamename\ut\queryid\1.1\final\`:                   "",
	} {
		m, err := gamespy1.ParseStatus([]byte(in))
		if got := m.Validation(); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", in, got, err, want)
		}
	}
}

func TestEchoAcceptsItsFormsOnly(t *testing.T) {
	echoCodec.Table(t, []codectest.Case[gamespy1.Echo]{
		{Name: "a text", In: `\echo\ABC`, Want: gamespy1.Echo{Text: "ABC"}},
		{Name: "no text", In: `\echo\`},
		{Name: "bytes after it", In: `\echo\ABC\x`, Want: gamespy1.Echo{Text: "ABC"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "cut", In: `\ech`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
	})
	echoReplyCodec.Table(t, []codectest.Case[gamespy1.EchoReply]{
		{Name: "as GameSpy's code sends it", In: `\echo\ABC\final\`, Want: gamespy1.EchoReply{Text: "ABC"}},
		{Name: "as 333networks sends it", In: `\echo_reply\ABC\queryid\1.1\final\`,
			Want: gamespy1.EchoReply{Text: "ABC", QueryID: "1.1"}, Differs: true},
		{Name: "cut where the keys differ", In: `\echo`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "cut in the longer key", In: `\echo_r`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "another key", In: `\echos\`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the text", Value: gamespy1.Echo{Text: `\`},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "backslash in the reply", Value: gamespy1.EchoReply{Text: `\`},
			Err: lobbywire.ErrInvalid, Field: "text"},
	})
}

func TestErrorAcceptsItsFormsOnly(t *testing.T) {
	errorCodec.Table(t, []codectest.Case[gamespy1.Error]{
		{Name: "a reason", In: `\error\Unknown game`, Want: gamespy1.Error{Text: "Unknown game"}},
		{Name: "fatal", In: `\fatal\1\error\x`, Want: gamespy1.Error{Fatal: true, Text: "x"}},
		{Name: "no reason", In: `\error\`},
		{Name: "end mark", In: `\error\x\final\`, Want: gamespy1.Error{Text: "x"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "backslash alone", In: `\`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "start of a fatal one", In: `\f`, Err: lobbywire.ErrTruncated, Field: "fatal", Offset: 0},
		{Name: "fatal without a reason", In: `\fatal\1`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 8},
		{Name: "another message", In: `\echo\x`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
	})
	strictly(errorCodec, gamespy1.Options.ParseError).Table(t, []codectest.Case[gamespy1.Error]{
		{Name: "strictly an end mark", In: `\error\x\final\`, Err: lobbywire.ErrTrailing, Offset: 9},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash", Value: gamespy1.Error{Text: `\`}, Err: lobbywire.ErrInvalid, Field: "text"},
	})
}

func TestNextGreetingLeavesTheRest(t *testing.T) {
	const secure = `\basic\\secure\ABCDEF`
	for _, tt := range []struct {
		name, in string
		final    bool
		rest     string
		err      error
	}{
		{name: "nothing", err: lobbywire.ErrTruncated},
		{name: "cut", in: secure[:len(secure)-1], err: lobbywire.ErrTruncated},
		{name: "without an end mark", in: secure},
		{name: "with an end mark", in: secure + `\final\`, final: true},
		{name: "cut in the end mark", in: secure + `\fin`, rest: `\fin`},
		{name: "then a list", in: secure + `\final\x`, final: true, rest: "x"},
		{name: "longest without a challenge", in: strings.Repeat("x", gamespy1.MaxLine),
			err: lobbywire.ErrTruncated},
		{name: "longer", in: strings.Repeat("x", gamespy1.MaxLine+1) + secure, err: lobbywire.ErrTooLarge},
	} {
		m, rest, err := gamespy1.NextGreeting([]byte(tt.in))
		if tt.err != nil {
			if !errors.Is(err, tt.err) || string(rest) != tt.in {
				t.Errorf("%s: %v, %d bytes left, want %v", tt.name, err, len(rest), tt.err)
			}
			continue
		}
		if want := (gamespy1.Greeting{Secure: "ABCDEF", Final: tt.final}); err != nil || m != want ||
			string(rest) != tt.rest {
			t.Errorf("%s: %+v, %q, %v, want %+v, %q", tt.name, m, rest, err, want, tt.rest)
		}
	}
}

func TestAddressListAcceptsItsFormsOnly(t *testing.T) {
	addressListCodec.Table(t, []codectest.Case[gamespy1.AddressList]{
		{Name: "no server", In: `\final\`, Want: gamespy1.AddressList{Servers: addrs()}},
		{Name: "two servers", In: `\ip\192.0.2.1:7778\ip\192.0.2.2:7779\final\`,
			Want: gamespy1.AddressList{Servers: addrs("192.0.2.1:7778", "192.0.2.2:7779")}},
		{Name: "other pairs", In: `\ip\[::1]:1\a\b\ip\192.0.2.1:0\final\`,
			Want: gamespy1.AddressList{Servers: addrs(),
				Extra: []gamespy1.Pair{{Key: "ip", Value: "[::1]:1"}, {Key: "a", Value: "b"},
					{Key: "ip", Value: "192.0.2.1:0"}}}},
		{Name: "bytes after the end", In: `\final\x`, Want: gamespy1.AddressList{Servers: addrs()},
			Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "end to come", In: `\ip\192.0.2.1:7778\final`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 19},
		{Name: "compact list", In: "\x7f", Err: lobbywire.ErrInvalid, Field: "separator", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "IPv6", Value: gamespy1.AddressList{Servers: addrs("[::1]:1")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].addr"},
		{Name: "port 0", Value: gamespy1.AddressList{Servers: addrs("127.0.0.1:0")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].port"},
		{Name: "server as another pair",
			Value: gamespy1.AddressList{Extra: []gamespy1.Pair{{Key: "ip", Value: "192.0.2.1:1"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "too many", Value: gamespy1.AddressList{Servers: make([]netip.AddrPort, gamespy1.MaxServers+1)},
			Err: lobbywire.ErrTooLarge, Field: "servers"},
	})
	long := strings.Repeat(`\ip\192.0.2.1:7778`, gamespy1.MaxServers+1) + `\final\`
	if _, err := gamespy1.ParseAddressList([]byte(long)); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("too many servers: %v", err)
	}
}

func TestSyncRequestAcceptsItsFormsOnly(t *testing.T) {
	const line = `\gamename\333networks\gamever\1\validate\zbGgINC8\queryid\1.1\final\\sync\ut rune\msid\ABC`
	want := gamespy1.SyncRequest{GameName: "333networks", GameVersion: "1", Validate: "zbGgINC8", QueryID: "1.1",
		Sync: "ut rune", MasterID: "ABC"}
	located := want
	located.Extra = []gamespy1.Pair{{Key: "location", Value: "0"}}
	twice := want // msid in the first part too, and no ID in the second
	twice.MasterID, twice.Extra = "", []gamespy1.Pair{{Key: "msid", Value: "ABC"}}
	syncRequestCodec.Table(t, []codectest.Case[gamespy1.SyncRequest]{
		{Name: "one backslash between the parts", In: strings.Replace(line, `\\`, `\`, 1), Want: want, Differs: true},
		{Name: "as masters send it", In: line, Want: want},
		{Name: "with a location", In: strings.Replace(line, `\final`, `\location\0\final`, 1), Want: located},
		{Name: "keys of the second part in the first", Want: twice,
			In: strings.TrimSuffix(strings.Replace(line, `\final`, `\msid\ABC\final`, 1), "ABC")},
		{Name: "bytes after it", In: line + `\final\`, Want: want, Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "cut in the names", In: line[:len(line)-10], Err: lobbywire.ErrTruncated, Field: "sync", Offset: 74},
		{Name: "first part alone", In: line[:68], Err: lobbywire.ErrTruncated, Field: "key", Offset: 68},
		{Name: "too long", In: strings.Repeat("x", gamespy1.MaxLine+1), Err: lobbywire.ErrTooLarge, Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the names", Value: gamespy1.SyncRequest{Sync: `\`},
			Err: lobbywire.ErrInvalid, Field: "sync"},
		{Name: "end mark as another pair", Value: gamespy1.SyncRequest{Extra: []gamespy1.Pair{{Key: "final"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
	})
}

func TestSyncListAcceptsItsFormsOnly(t *testing.T) {
	game := func(name string, servers ...string) gamespy1.SyncGame {
		return gamespy1.SyncGame{GameName: name, Servers: addrs(servers...)}
	}
	list := func(games ...gamespy1.SyncGame) gamespy1.SyncList {
		return gamespy1.SyncList{Games: append([]gamespy1.SyncGame{}, games...)}
	}
	extra := game("ut", "192.0.2.1:7778")
	extra.Extra = []string{"x", "[::1]:1"}
	syncListCodec.Table(t, []codectest.Case[gamespy1.SyncList]{
		{Name: "no game", In: `\final\`, Want: list()},
		{Name: "two games", In: `\ut\192.0.2.1:7778 192.0.2.2:7778\rune\\final\`,
			Want: list(game("ut", "192.0.2.1:7778", "192.0.2.2:7778"), game("rune"))},
		{Name: "blanks, and an IPv4 address in IPv6 form", In: `\ut\  192.0.2.1:7778 ::ffff:192.0.2.2:7778 \final\`,
			Want: list(game("ut", "192.0.2.1:7778", "192.0.2.2:7778")), Differs: true},
		{Name: "other texts", In: `\ut\192.0.2.1:7778 x [::1]:1\final\`, Want: list(extra)},
		{Name: "bytes after the end", In: `\final\x`, Want: list(), Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "end to come", In: `\ut\192.0.2.1:7778`,
			Err: lobbywire.ErrTruncated, Field: "games[0].servers", Offset: 4},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "IPv6", Value: list(game("ut", "[::1]:1")), Err: lobbywire.ErrInvalid, Field: "games[0].addr"},
		{Name: "port 0", Value: list(game("ut", "192.0.2.1:0")), Err: lobbywire.ErrInvalid, Field: "games[0].port"},
		{Name: "name of the end mark", Value: list(game("final")),
			Err: lobbywire.ErrInvalid, Field: "games[0].gameName"},
		{Name: "server as another text", Value: list(gamespy1.SyncGame{Extra: []string{"192.0.2.1:1"}}),
			Err: lobbywire.ErrInvalid, Field: "games[0].extra"},
		{Name: "two words", Value: list(gamespy1.SyncGame{Extra: []string{"a b"}}),
			Err: lobbywire.ErrInvalid, Field: "games[0].extra"},
		{Name: "too many", Value: list(gamespy1.SyncGame{Servers: make([]netip.AddrPort, gamespy1.MaxServers)}),
			Err: lobbywire.ErrTooLarge, Field: "games[0].servers"},
	})
	long := `\ut\` + strings.Repeat("192.0.2.1:7778 ", gamespy1.MaxServers) + `\final\`
	if _, err := gamespy1.ParseSyncList([]byte(long)); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("too many servers: %v", err)
	}
}

func TestIsTextCompleteNeedsTheEndMark(t *testing.T) {
	for in, want := range map[string]bool{
		"": false, `\final`: false, `\final\`: true, `\ut\192.0.2.1:1\final\`: true, `\final\x`: false,
		strings.Repeat("x", gamespy1.MaxText+1): true,
	} {
		if got := gamespy1.IsTextComplete([]byte(in)); got != want {
			t.Errorf("%.20q: %v, want %v", in, got, want)
		}
	}
}

// addrs parses addresses.
func addrs(list ...string) []netip.AddrPort {
	out := []netip.AddrPort{}
	for _, s := range list {
		out = append(out, netip.MustParseAddrPort(s))
	}
	return out
}
