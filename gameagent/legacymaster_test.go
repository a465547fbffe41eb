package gameagent_test

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestLegacySecure(t *testing.T) {
	want := gameagent.LegacySecure{Secure: "ABCDEF"}
	legacySecureCodec.Table(t, []codectest.Case[gameagent.LegacySecure]{
		{Name: "as masters send it", In: `\secure\ABCDEF`, Want: want},
		{Name: "15 bytes", In: `\secure\ABCDEFGHIJKLMNO`, Want: gameagent.LegacySecure{Secure: "ABCDEFGHIJKLMNO"}},
		{Name: "bytes after it", In: `\secure\ABCDEF\final\`, Want: want, Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "cut", In: `\secure\ABCDE`, Err: lobbywire.ErrTruncated, Field: "secure", Offset: 8},
		{Name: "too short", In: `\secure\ABCDE\`, Err: lobbywire.ErrInvalid, Field: "secure", Offset: 8},
		{Name: "too long", In: `\secure\ABCDEFGHIJKLMNOP`, Err: lobbywire.ErrTooLarge, Field: "secure", Offset: 8},
		{Name: "another message", In: `\status\`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
	})
	strictly(legacySecureCodec, gameagent.Options.ParseLegacySecure).Table(t, []codectest.Case[gameagent.LegacySecure]{
		{Name: "strictly as masters send it", In: `\secure\ABCDEF`, Want: want},
		{Name: "strictly bytes after it", In: `\secure\ABCDEF\x`, Err: lobbywire.ErrTrailing, Offset: 15},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "five bytes", Value: gameagent.LegacySecure{Secure: "ABCDE"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "16 bytes", Value: gameagent.LegacySecure{Secure: "ABCDEFGHIJKLMNOP"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "backslash", Value: gameagent.LegacySecure{Secure: `ABCDE\`},
			Err: lobbywire.ErrInvalid, Field: "secure"},
	})
}

func TestLegacyValidation(t *testing.T) {
	const v = `\validate\zbGgINC8`
	want := gameagent.LegacyValidation{Validate: "zbGgINC8"}
	numbered, other := want, want
	numbered.QueryID, other.Extra = "1.1", []gameagent.Pair{{Key: "location", Value: "0"}}
	legacyValidationCodec.Table(t, []codectest.Case[gameagent.LegacyValidation]{
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
		{Name: "no value", Value: gameagent.LegacyValidation{}, Err: lobbywire.ErrInvalid, Field: "validate"},
		{Name: "backslash", Value: gameagent.LegacyValidation{Validate: `\`},
			Err: lobbywire.ErrInvalid, Field: "validate"},
		{Name: "query ID as another pair",
			Value: gameagent.LegacyValidation{Validate: "x", Extra: []gameagent.Pair{{Key: "queryid"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "end mark as another pair",
			Value: gameagent.LegacyValidation{Validate: "x", Extra: []gameagent.Pair{{Key: "final"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
	})
}

// Servers of Unreal answer a challenge in the status.
func TestLegacyStatusValidation(t *testing.T) {
	for in, want := range map[string]string{
		`\gamename\ut\validate\zbGgINC8\queryid\1.1\final\`: "zbGgINC8",
		`\gamename\ut\queryid\1.1\final\`:                   "",
	} {
		m, err := gameagent.ParseLegacyStatus([]byte(in))
		if got := m.Validation(); err != nil || got != want {
			t.Errorf("%q: %q, %v, want %q", in, got, err, want)
		}
	}
}

func TestLegacyEcho(t *testing.T) {
	legacyEchoCodec.Table(t, []codectest.Case[gameagent.LegacyEcho]{
		{Name: "a text", In: `\echo\ABC`, Want: gameagent.LegacyEcho{Text: "ABC"}},
		{Name: "no text", In: `\echo\`},
		{Name: "bytes after it", In: `\echo\ABC\x`, Want: gameagent.LegacyEcho{Text: "ABC"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "cut", In: `\ech`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
	})
	legacyEchoReplyCodec.Table(t, []codectest.Case[gameagent.LegacyEchoReply]{
		{Name: "as GameSpy's code sends it", In: `\echo\ABC\final\`, Want: gameagent.LegacyEchoReply{Text: "ABC"}},
		{Name: "as 333networks sends it", In: `\echo_reply\ABC\queryid\1.1\final\`,
			Want: gameagent.LegacyEchoReply{Text: "ABC", QueryID: "1.1"}, Differs: true},
		{Name: "cut where the keys differ", In: `\echo`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "cut in the longer key", In: `\echo_r`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "another key", In: `\echos\`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the text", Value: gameagent.LegacyEcho{Text: `\`},
			Err: lobbywire.ErrInvalid, Field: "text"},
		{Name: "backslash in the reply", Value: gameagent.LegacyEchoReply{Text: `\`},
			Err: lobbywire.ErrInvalid, Field: "text"},
	})
}

func TestLegacyError(t *testing.T) {
	legacyErrorCodec.Table(t, []codectest.Case[gameagent.LegacyError]{
		{Name: "a reason", In: `\error\Unknown game`, Want: gameagent.LegacyError{Text: "Unknown game"}},
		{Name: "fatal", In: `\fatal\1\error\x`, Want: gameagent.LegacyError{Fatal: true, Text: "x"}},
		{Name: "no reason", In: `\error\`},
		{Name: "end mark", In: `\error\x\final\`, Want: gameagent.LegacyError{Text: "x"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "backslash alone", In: `\`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 0},
		{Name: "start of a fatal one", In: `\f`, Err: lobbywire.ErrTruncated, Field: "fatal", Offset: 0},
		{Name: "fatal without a reason", In: `\fatal\1`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 8},
		{Name: "another message", In: `\echo\x`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
	})
	strictly(legacyErrorCodec, gameagent.Options.ParseLegacyError).Table(t, []codectest.Case[gameagent.LegacyError]{
		{Name: "strictly an end mark", In: `\error\x\final\`, Err: lobbywire.ErrTrailing, Offset: 9},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash", Value: gameagent.LegacyError{Text: `\`}, Err: lobbywire.ErrInvalid, Field: "text"},
	})
}

func TestNextLegacyGreeting(t *testing.T) {
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
		{name: "longest without a challenge", in: strings.Repeat("x", gameagent.MaxLegacyLine),
			err: lobbywire.ErrTruncated},
		{name: "longer", in: strings.Repeat("x", gameagent.MaxLegacyLine+1) + secure, err: lobbywire.ErrTooLarge},
	} {
		m, rest, err := gameagent.NextLegacyGreeting([]byte(tt.in))
		if tt.err != nil {
			if !errors.Is(err, tt.err) || string(rest) != tt.in {
				t.Errorf("%s: %v, %d bytes left, want %v", tt.name, err, len(rest), tt.err)
			}
			continue
		}
		if want := (gameagent.LegacyGreeting{Secure: "ABCDEF", Final: tt.final}); err != nil || m != want ||
			string(rest) != tt.rest {
			t.Errorf("%s: %+v, %q, %v, want %+v, %q", tt.name, m, rest, err, want, tt.rest)
		}
	}
}

func TestLegacyAddressList(t *testing.T) {
	legacyAddressListCodec.Table(t, []codectest.Case[gameagent.LegacyAddressList]{
		{Name: "no server", In: `\final\`, Want: gameagent.LegacyAddressList{Servers: addrs()}},
		{Name: "two servers", In: `\ip\192.0.2.1:7778\ip\192.0.2.2:7779\final\`,
			Want: gameagent.LegacyAddressList{Servers: addrs("192.0.2.1:7778", "192.0.2.2:7779")}},
		{Name: "other pairs", In: `\ip\[::1]:1\a\b\ip\192.0.2.1:0\final\`,
			Want: gameagent.LegacyAddressList{Servers: addrs(),
				Extra: []gameagent.Pair{{Key: "ip", Value: "[::1]:1"}, {Key: "a", Value: "b"},
					{Key: "ip", Value: "192.0.2.1:0"}}}},
		{Name: "bytes after the end", In: `\final\x`, Want: gameagent.LegacyAddressList{Servers: addrs()},
			Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "end to come", In: `\ip\192.0.2.1:7778\final`, Err: lobbywire.ErrTruncated, Field: "key", Offset: 19},
		{Name: "compact list", In: "\x7f", Err: lobbywire.ErrInvalid, Field: "separator", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "IPv6", Value: gameagent.LegacyAddressList{Servers: addrs("[::1]:1")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].addr"},
		{Name: "port 0", Value: gameagent.LegacyAddressList{Servers: addrs("127.0.0.1:0")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].port"},
		{Name: "server as another pair",
			Value: gameagent.LegacyAddressList{Extra: []gameagent.Pair{{Key: "ip", Value: "192.0.2.1:1"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "too many", Value: gameagent.LegacyAddressList{Servers: make([]netip.AddrPort, gameagent.MaxServers+1)},
			Err: lobbywire.ErrTooLarge, Field: "servers"},
	})
	long := strings.Repeat(`\ip\192.0.2.1:7778`, gameagent.MaxServers+1) + `\final\`
	if _, err := gameagent.ParseLegacyAddressList([]byte(long)); err == nil || kindOf(err) != lobbywire.ErrTooLarge {
		t.Errorf("too many servers: %v", err)
	}
}

func TestLegacySyncRequest(t *testing.T) {
	const line = `\gamename\333networks\gamever\1\validate\zbGgINC8\queryid\1.1\final\\sync\ut rune\msid\ABC`
	want := gameagent.LegacySyncRequest{GameName: "333networks", GameVersion: "1", Validate: "zbGgINC8", QueryID: "1.1",
		Sync: "ut rune", MasterID: "ABC"}
	located := want
	located.Extra = []gameagent.Pair{{Key: "location", Value: "0"}}
	twice := want // msid in the first part too, and no ID in the second
	twice.MasterID, twice.Extra = "", []gameagent.Pair{{Key: "msid", Value: "ABC"}}
	legacySyncRequestCodec.Table(t, []codectest.Case[gameagent.LegacySyncRequest]{
		{Name: "one backslash between the parts", In: strings.Replace(line, `\\`, `\`, 1), Want: want, Differs: true},
		{Name: "as masters send it", In: line, Want: want},
		{Name: "with a location", In: strings.Replace(line, `\final`, `\location\0\final`, 1), Want: located},
		{Name: "keys of the second part in the first", Want: twice,
			In: strings.TrimSuffix(strings.Replace(line, `\final`, `\msid\ABC\final`, 1), "ABC")},
		{Name: "bytes after it", In: line + `\final\`, Want: want, Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "cut in the names", In: line[:len(line)-10], Err: lobbywire.ErrTruncated, Field: "sync", Offset: 74},
		{Name: "first part alone", In: line[:68], Err: lobbywire.ErrTruncated, Field: "key", Offset: 68},
		{Name: "too long", In: strings.Repeat("x", gameagent.MaxLegacyLine+1), Err: lobbywire.ErrTooLarge, Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the names", Value: gameagent.LegacySyncRequest{Sync: `\`},
			Err: lobbywire.ErrInvalid, Field: "sync"},
		{Name: "end mark as another pair", Value: gameagent.LegacySyncRequest{Extra: []gameagent.Pair{{Key: "final"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
	})
}

func TestLegacySyncList(t *testing.T) {
	game := func(name string, servers ...string) gameagent.LegacySyncGame {
		return gameagent.LegacySyncGame{GameName: name, Servers: addrs(servers...)}
	}
	list := func(games ...gameagent.LegacySyncGame) gameagent.LegacySyncList {
		return gameagent.LegacySyncList{Games: append([]gameagent.LegacySyncGame{}, games...)}
	}
	extra := game("ut", "192.0.2.1:7778")
	extra.Extra = []string{"x", "[::1]:1"}
	legacySyncListCodec.Table(t, []codectest.Case[gameagent.LegacySyncList]{
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
		{Name: "server as another text", Value: list(gameagent.LegacySyncGame{Extra: []string{"192.0.2.1:1"}}),
			Err: lobbywire.ErrInvalid, Field: "games[0].extra"},
		{Name: "two words", Value: list(gameagent.LegacySyncGame{Extra: []string{"a b"}}),
			Err: lobbywire.ErrInvalid, Field: "games[0].extra"},
		{Name: "too many", Value: list(gameagent.LegacySyncGame{Servers: make([]netip.AddrPort, gameagent.MaxServers)}),
			Err: lobbywire.ErrTooLarge, Field: "games[0].servers"},
	})
	long := `\ut\` + strings.Repeat("192.0.2.1:7778 ", gameagent.MaxServers) + `\final\`
	if _, err := gameagent.ParseLegacySyncList([]byte(long)); err == nil || kindOf(err) != lobbywire.ErrTooLarge {
		t.Errorf("too many servers: %v", err)
	}
}

func TestIsLegacyTextComplete(t *testing.T) {
	for in, want := range map[string]bool{
		"": false, `\final`: false, `\final\`: true, `\ut\192.0.2.1:1\final\`: true, `\final\x`: false,
		strings.Repeat("x", gameagent.MaxLegacyText+1): true,
	} {
		if got := gameagent.IsLegacyTextComplete([]byte(in)); got != want {
			t.Errorf("%.20q: %v, want %v", in, got, want)
		}
	}
}
