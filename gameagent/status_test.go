package gameagent_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

const fragmatchLine = "0;players;8;maxplayers;16;level;Yodeller;gametype;Fragmatch;version;1.10;" +
	"gamename;serioussamse;sessionname;Awesome Server"

func TestStatusAcceptsItsFormsOnly(t *testing.T) {
	session := func(name string) gameagent.Status {
		m := fragmatch()
		m.SessionName = name
		return m
	}
	line := func(name string) string { return strings.Replace(fragmatchLine, "Awesome Server", name, 1) }
	statusCodec.Table(t, []codectest.Case[gameagent.Status]{
		{Name: "the example of the document", In: fragmatchLine, Want: fragmatch()},
		{Name: "semicolons in the session name", In: line("A;B;C"), Want: session("A;B;C")},
		{Name: "semicolon at its end", In: line("Fun;"), Want: session("Fun;")},
		{Name: "empty session name", In: line(""), Want: session("")},
		{Name: "another order", In: "0;level;L;players;1;sessionname;S;players;2", Differs: true,
			Want: gameagent.Status{Players: new(1), Level: "L", SessionName: "S;players;2"}, Strict: lobbywire.ErrInvalid},
		{Name: "keys missing", In: "0;players;3", Differs: true, Want: gameagent.Status{Players: new(3)},
			Strict: lobbywire.ErrTruncated},
		{Name: "unknown keys, in their order", In: "0;z;1;a;2", Differs: true,
			Want:   gameagent.Status{Extra: []gameagent.Pair{{Key: "z", Value: "1"}, {Key: "a", Value: "2"}}},
			Strict: lobbywire.ErrInvalid},
		{Name: "numbers that are none", In: "0;players;-1;maxplayers;1.5", Differs: true,
			Want: gameagent.Status{Extra: []gameagent.Pair{{Key: "players", Value: "-1"},
				{Key: "maxplayers", Value: "1.5"}}}, Strict: lobbywire.ErrInvalid},
		{Name: "numbers with blanks, zeros and a fraction", In: "0;players; 02;maxplayers;16.00 ", Differs: true,
			Want: gameagent.Status{Players: new(2), MaxPlayers: new(16)}, Strict: lobbywire.ErrInvalid},
		{Name: "number too large", In: "0;players;2147483648", Differs: true,
			Want:   gameagent.Status{Extra: []gameagent.Pair{{Key: "players", Value: "2147483648"}}},
			Strict: lobbywire.ErrInvalid},
		{Name: "second value", In: "0;level;A;level;B;players;1;players;2", Differs: true,
			Want: gameagent.Status{Players: new(1), Level: "A",
				Extra: []gameagent.Pair{{Key: "level", Value: "B"},
					{Key: "players", Value: "2"}}}, Strict: lobbywire.ErrInvalid},
		{Name: "first value empty", In: "0;level;;level;B;players;0;players;2", Differs: true,
			Want:   gameagent.Status{Players: new(0), Level: "B", Extra: []gameagent.Pair{{Key: "players", Value: "2"}}},
			Strict: lobbywire.ErrInvalid},
		{Name: "semicolon in the level", In: "0;players;1;level;A;B;version;1.10", Differs: true,
			Strict: lobbywire.ErrInvalid,
			Want: gameagent.Status{Players: new(1), Level: "A",
				Extra: []gameagent.Pair{{Key: "B", Value: "version"}, {Key: "1.10"}}}},
		{Name: "semicolon at the end", In: "0;players;1;", Differs: true, Want: gameagent.Status{Players: new(1)},
			Strict: lobbywire.ErrTruncated},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "type", Offset: 0},
		{Name: "type alone", In: "0", Err: lobbywire.ErrTruncated, Field: "separator", Offset: 1},
		{Name: "no key", In: "0;", Err: lobbywire.ErrTruncated, Field: "key", Offset: 2},
		{Name: "no separator", In: "0players", Err: lobbywire.ErrInvalid, Field: "separator", Offset: 1},
		{Name: "another message", In: "s", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "semicolon in the level", Value: gameagent.Status{Level: "a;b"},
			Err: lobbywire.ErrInvalid, Field: "level"},
		{Name: "semicolon in the game type", Value: gameagent.Status{GameType: ";"},
			Err: lobbywire.ErrInvalid, Field: "gameType"},
		{Name: "semicolon in the version", Value: gameagent.Status{Version: ";"},
			Err: lobbywire.ErrInvalid, Field: "version"},
		{Name: "semicolon in the game name", Value: gameagent.Status{GameName: ";"},
			Err: lobbywire.ErrInvalid, Field: "gameName"},
		{Name: "zero byte in the session name", Value: gameagent.Status{SessionName: "a\x00"},
			Err: lobbywire.ErrInvalid, Field: "sessionName"},
		{Name: "zero byte in the level", Value: gameagent.Status{Level: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "level"},
		{Name: "fewer than no players", Value: gameagent.Status{Players: new(-1)},
			Err: lobbywire.ErrInvalid, Field: "players"},
		{Name: "semicolon in an unknown key", Value: gameagent.Status{Extra: []gameagent.Pair{{}, {Key: ";"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[1].key"},
		{Name: "semicolon in its value", Value: gameagent.Status{Extra: []gameagent.Pair{{Value: ";"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].value"},
		{Name: "session name as an unknown key", Value: gameagent.Status{Extra: []gameagent.Pair{{Key: "sessionname"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "cut, without the size", Value: gameagent.Status{Cut: true}, Err: lobbywire.ErrInvalid, Field: "cut"},
		{Name: "more than clients read", Value: gameagent.Status{SessionName: strings.Repeat("x", 2048)},
			Err: lobbywire.ErrTooLarge},
	})
	if over := math.MaxInt32; math.MaxInt > over {
		over++
		codectest.Refusals(t, []codectest.Refusal{
			{Name: "too many players", Value: gameagent.Status{MaxPlayers: new(over)},
				Err: lobbywire.ErrTooLarge, Field: "maxPlayers"},
		})
	}
}

func TestStrictStatusNeedsTheUsualOrder(t *testing.T) {
	strictly(statusCodec, gameagent.Options.ParseStatus).Table(t, []codectest.Case[gameagent.Status]{
		{Name: "the example of the document", In: fragmatchLine, Want: fragmatch()},
		{Name: "another order", In: "0;level;L", Err: lobbywire.ErrInvalid, Field: "key", Offset: 2,
			Strict: lobbywire.ErrInvalid},
		{Name: "unknown key", In: "0;players;1;maxplayers;2;lev;", Err: lobbywire.ErrInvalid, Field: "key", Offset: 25},
		{Name: "cut in a key", In: "0;players;1;maxplayers;2;lev",
			Err: lobbywire.ErrTruncated, Field: "key", Offset: 25},
		{Name: "cut before a key", In: "0;players;1;", Err: lobbywire.ErrTruncated, Field: "key", Offset: 12},
		{Name: "cut before a number", In: "0;players;", Err: lobbywire.ErrTruncated, Field: "players", Offset: 10},
		{Name: "negative number", In: "0;players;-", Err: lobbywire.ErrInvalid, Field: "players", Offset: 10},
		{Name: "empty number", In: "0;players;;", Err: lobbywire.ErrInvalid, Field: "players", Offset: 10},
	})
}

// A status that is cut in the session name keeps its mark when it is sent again. One that
// is cut before lacks keys, and sent with them it would look whole.
func TestCutStatusKeepsItsMark(t *testing.T) {
	whole := func(level, session string) string {
		line := strings.Replace(fragmatchLine, "Yodeller", level, 1)
		return strings.Replace(line, "Awesome Server", session, 1)
	}
	long := strings.Repeat("x", 255)
	again, err := gameagent.ParseStatus([]byte(whole("L", long)[:255]))
	if err != nil || !again.Cut {
		t.Fatal(again.Cut, err)
	}
	if b, err := again.AppendBinary(nil); err != nil || string(b) != whole("L", long)[:255] {
		t.Errorf("cut in the session name, sent as %q, %v", b, err)
	}
	for n := range 200 { // the cut moves from the session name to the level
		m, err := gameagent.ParseStatus([]byte(whole(long[:n], long)[:255]))
		if err != nil || !m.Cut {
			t.Fatal(n, m.Cut, err)
		}
		b, err := m.AppendBinary(nil)
		if errors.Is(err, lobbywire.ErrInvalid) {
			continue
		}
		if got, err := gameagent.ParseStatus(b); err != nil || !got.Cut {
			t.Errorf("level of %d bytes: sent as %q, which is read with cut %v, %v", n, b, got.Cut, err)
		}
	}
}

// Old builds for Linux cut each answer at 255 bytes.
func TestStatusOf255BytesIsCut(t *testing.T) {
	whole := strings.Replace(fragmatchLine, "Awesome", strings.Repeat("A", 300), 1)
	for n, want := range map[int]bool{254: false, 255: true, 256: false} {
		m, err := gameagent.ParseStatus([]byte(whole[:n]))
		if err != nil || m.Cut != want {
			t.Errorf("%d bytes: cut %v, error %v", n, m.Cut, err)
		}
	}
}

func TestHeartbeatAcceptsItsFormsOnly(t *testing.T) {
	const line = "0;challenge;870699779;players;8;maxplayers;16;level;Yodeller;gametype;Fragmatch;" +
		"version;1.10;product;serioussamse"
	want := gameagent.Heartbeat{Challenge: 870699779, Players: new(8), MaxPlayers: new(16), Level: "Yodeller",
		GameType: "Fragmatch", Version: "1.10", Product: "serioussamse"}
	heartbeatCodec.Table(t, []codectest.Case[gameagent.Heartbeat]{
		{Name: "answer to a challenge", In: line, Want: want},
		{Name: "least challenge", In: "0;challenge;-2147483648", Want: gameagent.Heartbeat{Challenge: math.MinInt32},
			Differs: true, Strict: lobbywire.ErrTruncated},
		{Name: "challenge with a leading zero", In: "0;challenge;05", Differs: true,
			Want:   gameagent.Heartbeat{Extra: []gameagent.Pair{{Key: "challenge", Value: "05"}}},
			Strict: lobbywire.ErrInvalid},
		{Name: "challenge with a plus sign", In: "0;challenge;+5", Differs: true,
			Want:   gameagent.Heartbeat{Extra: []gameagent.Pair{{Key: "challenge", Value: "+5"}}},
			Strict: lobbywire.ErrInvalid},
		{Name: "minus zero", In: "0;challenge;-0", Differs: true,
			Want:   gameagent.Heartbeat{Extra: []gameagent.Pair{{Key: "challenge", Value: "-0"}}},
			Strict: lobbywire.ErrInvalid},
		{Name: "a port, which the master keeps and does not use", In: "0;port;1;challenge;5", Differs: true,
			Want:   gameagent.Heartbeat{Challenge: 5, Extra: []gameagent.Pair{{Key: "port", Value: "1"}}},
			Strict: lobbywire.ErrInvalid},
		{Name: "join", In: "q", Err: lobbywire.ErrInvalid, Field: "type", Offset: 0},
	})
	strictly(heartbeatCodec, gameagent.Options.ParseHeartbeat).Table(t, []codectest.Case[gameagent.Heartbeat]{
		{Name: "strictly an answer to a challenge", In: line, Want: want},
		{Name: "semicolon at the end", In: line + ";", Err: lobbywire.ErrTrailing, Offset: len(line)},
		{Name: "eighth key", In: line + ";a;", Err: lobbywire.ErrInvalid, Field: "key", Offset: len(line) + 1},
		{Name: "cut after the sign", In: "0;challenge;-", Err: lobbywire.ErrTruncated, Field: "challenge", Offset: 12},
		{Name: "cut in the last key", In: line[:len(line)-13],
			Err: lobbywire.ErrTruncated, Field: "key", Offset: len(line) - 20},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "semicolon in the product", Value: gameagent.Heartbeat{Product: ";"},
			Err: lobbywire.ErrInvalid, Field: "product"},
		{Name: "fewer than no players", Value: gameagent.Heartbeat{MaxPlayers: new(-1)},
			Err: lobbywire.ErrInvalid, Field: "maxPlayers"},
		{Name: "more than the master reads", Value: gameagent.Heartbeat{Level: strings.Repeat("x", 1024)},
			Err: lobbywire.ErrTooLarge},
		{Name: "zero byte in an unknown value", Value: gameagent.Heartbeat{Extra: []gameagent.Pair{{Value: "\x00"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].value"},
	})
}
