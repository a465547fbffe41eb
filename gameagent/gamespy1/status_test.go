package gamespy1_test

import (
	"errors"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent/gamespy1"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestRequestAcceptsItsFormsOnly(t *testing.T) {
	requestCodec.Table(t, []codectest.Case[gamespy1.Request]{
		{Name: "status", In: `\status\`},
		{Name: "info", In: `\info\`, Want: gamespy1.Request{Query: gamespy1.QueryInfo}},
		{Name: "basic", In: `\basic\`, Want: gamespy1.Request{Query: gamespy1.QueryBasic}},
		{Name: "players", In: `\players\`, Want: gamespy1.Request{Query: gamespy1.QueryPlayers}},
		{Name: "rules", In: `\rules\`, Want: gamespy1.Request{Query: gamespy1.QueryRules}},
		{Name: "players before rules", In: `\rules\players\`,
			Want: gamespy1.Request{Query: gamespy1.QueryPlayers}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "anywhere", In: `xx\info\yy`, Want: gamespy1.Request{Query: gamespy1.QueryInfo},
			Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "status before info, wherever it is", In: `\info\\status\`, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "sharing a backslash", In: `\players\basic\`,
			Want: gamespy1.Request{Query: gamespy1.QueryBasic}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "before a zero byte", In: "\\basic\\\x00\\info\\",
			Want: gamespy1.Request{Query: gamespy1.QueryBasic}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "after a zero byte", In: "\x00\\info\\", Err: lobbywire.ErrInvalid, Field: "query", Offset: 0},
		{Name: "with a challenge", In: `\status\\secure\ABCDEF`, Want: gamespy1.Request{Secure: "ABCDEF"}},
		{Name: "with a challenge and more", In: `\info\\secure\abcdefghijklmno\final\`,
			Want: gamespy1.Request{Query: gamespy1.QueryInfo, Secure: "abcdefghijklmno"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "with a text", In: `\basic\\echo\ABCDEF`,
			Want: gamespy1.Request{Query: gamespy1.QueryBasic, Echo: "ABCDEF"}},
		{Name: "with a text and an end mark, as openspy-core sends it", In: `\info\\echo\ ABCDEF\final\`,
			Want: gamespy1.Request{Query: gamespy1.QueryInfo, Echo: " ABCDEF"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "with a challenge that is too short", In: `\status\\secure\ABCDE`, Differs: true,
			Strict: lobbywire.ErrTruncated},
		{Name: "unknown, but more may come", In: `\teams\`, Err: lobbywire.ErrTruncated, Field: "query", Offset: 0,
			Strict: lobbywire.ErrInvalid},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "query", Offset: 0},
	})
	strictly(requestCodec, gamespy1.Options.ParseRequest).Table(t,
		[]codectest.Case[gamespy1.Request]{
			{Name: "strictly info", In: `\info\`, Want: gamespy1.Request{Query: gamespy1.QueryInfo}},
			{Name: "strictly more", In: `\info\x`, Err: lobbywire.ErrTrailing, Offset: 6},
			{Name: "strictly a challenge", In: `\status\\secure\ABCDEF`,
				Want: gamespy1.Request{Secure: "ABCDEF"}},
			{Name: "strictly a text", In: `\status\\echo\x`, Want: gamespy1.Request{Echo: "x"}},
			{Name: "strictly cut in the key of the text", In: `\status\\ech`,
				Err: lobbywire.ErrTruncated, Field: "key", Offset: 8},
			{Name: "strictly cut in the challenge", In: `\status\\secure\ABCDE`,
				Err: lobbywire.ErrTruncated, Field: "secure", Offset: 16},
			{Name: "strictly cut", In: `\inf`, Err: lobbywire.ErrTruncated, Field: "query", Offset: 0},
			{Name: "strictly unknown", In: `\teams\`, Err: lobbywire.ErrInvalid, Field: "query", Offset: 0},
		})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "unknown query", Value: gamespy1.Request{Query: 5},
			Err: lobbywire.ErrUnsupported, Field: "query"},
		{Name: "short challenge", Value: gamespy1.Request{Secure: "ABCDE"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "backslash in the text", Value: gamespy1.Request{Echo: `\`},
			Err: lobbywire.ErrInvalid, Field: "echo"},
		{Name: "text with a challenge", Value: gamespy1.Request{Secure: "ABCDEF", Echo: "x"},
			Err: lobbywire.ErrInvalid, Field: "echo"},
	})
	for q, want := range []string{"status", "info", "basic", "players", "rules", "query(5)"} {
		if got := gamespy1.Query(q).String(); got != want {
			t.Errorf("query %d is %s, want %s", q, got, want)
		}
	}
	for q, want := range []string{"333.1", "8.1", "1.1", "6.1", "1.1", ""} {
		if got := gamespy1.Query(q).ID(); got != want {
			t.Errorf("ID of query %d is %q, want %q", q, got, want)
		}
	}
}

func TestStatusAcceptsItsFormsOnly(t *testing.T) {
	none := []gamespy1.Player{}
	statusCodec.Table(t, []codectest.Case[gamespy1.Status]{
		{Name: "whole", In: string(mustAppend(t, typical(2))), Want: typical(2)},
		{Name: "keys missing", In: `\mapname\x\final\`, Want: gamespy1.Status{MapName: "x", Players: none},
			Differs: true},
		{Name: "end first, as GameSpy allows", In: `\final\\queryid\1.1\mapname\x`, Differs: true,
			Want: gamespy1.Status{MapName: "x", QueryID: "1.1", Players: none}},
		{Name: "values that are no numbers and no flags", In: `\hostport\65536\friendlyfire\0%\numplayers\-1\final\`,
			Differs: true,
			Want: gamespy1.Status{Players: none, Extra: []gamespy1.Pair{
				{Key: "hostport", Value: "65536"}, {Key: "friendlyfire", Value: "0%"},
				{Key: "numplayers", Value: "-1"}}}},
		{Name: "player's unknown key", In: `\team_3\red\final\`, Differs: true,
			Want: gamespy1.Status{Players: []gamespy1.Player{{Index: 3,
				Extra: []gamespy1.Pair{{Key: "team", Value: "red"}}}}}},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "separator", Offset: 0},
		{Name: "native", In: "0;", Err: lobbywire.ErrInvalid, Field: "separator", Offset: 0},
		{Name: "cut in a key", In: `\mapname`, Err: lobbywire.ErrTruncated, Field: "final", Offset: 8},
		{Name: "no end", In: `\mapname\x`, Err: lobbywire.ErrTruncated, Field: "final", Offset: 10},
		{Name: "end with a value", In: `\final\x`, Err: lobbywire.ErrInvalid, Field: "final", Offset: 7},
	})
	named := gamespy1.Status{Players: []gamespy1.Player{{Name: `a\b`}}}
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the host name", Value: gamespy1.Status{HostName: `\`},
			Err: lobbywire.ErrInvalid, Field: "hostName"},
		{Name: "zero byte in the map name", Value: gamespy1.Status{MapName: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "mapName"},
		{Name: "negative number", Value: gamespy1.Status{NumPlayers: new(-1)},
			Err: lobbywire.ErrInvalid, Field: "numPlayers"},
		{Name: "backslash in a name", Value: named, Err: lobbywire.ErrInvalid, Field: "players[0].name"},
		{Name: "backslash in the query ID", Value: gamespy1.Status{QueryID: `\`},
			Err: lobbywire.ErrInvalid, Field: "queryId"},
		{Name: "end as an unknown key", Value: gamespy1.Status{Extra: []gamespy1.Pair{{Key: "final"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "query ID as an unknown key",
			Value: gamespy1.Status{Query: gamespy1.QueryInfo, Extra: []gamespy1.Pair{{Key: "queryid"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "player's key as an unknown key",
			Value: gamespy1.Status{Query: gamespy1.QueryPlayers,
				Extra: []gamespy1.Pair{{Key: "ping_0"}}}, Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "partial", Value: gamespy1.Status{Partial: true}, Err: lobbywire.ErrInvalid, Field: "partial"},
		{Name: "unknown query", Value: gamespy1.Status{Query: 5}, Err: lobbywire.ErrUnsupported, Field: "query"},
		{Name: "field of another answer",
			Value: gamespy1.Status{Query: gamespy1.QueryInfo, Location: "EU"},
			Err:   lobbywire.ErrInvalid, Field: "location"},
		{Name: "players of another answer",
			Value: gamespy1.Status{Query: gamespy1.QueryBasic, Players: make([]gamespy1.Player, 1)},
			Err:   lobbywire.ErrInvalid, Field: "players"},
		{Name: "too long",
			Value: gamespy1.Status{Query: gamespy1.QueryBasic, Location: strings.Repeat("x", 2048)},
			Err:   lobbywire.ErrTooLarge},
	})
}

func TestAnswersHaveTheKeysOfTheirQuery(t *testing.T) {
	answers(gamespy1.QueryInfo).Table(t, []codectest.Case[gamespy1.Status]{
		{Name: "as the engine sends it",
			In: `\hostname\S\hostport\25600\mapname\M\gametype\G\numplayers\1\maxplayers\2\gamemode\openplaying` +
				`\final\\queryid\8.1`,
			Want: gamespy1.Status{Query: gamespy1.QueryInfo, HostName: "S", HostPort: 25600,
				MapName: "M", GameType: "G",
				NumPlayers: new(1), MaxPlayers: new(2), GameMode: "openplaying", QueryID: gamespy1.QueryInfo.ID()}},
		{Name: "keys of other answers, even of players", In: `\player_0\a\location\EU\final\`, Differs: true,
			Want: gamespy1.Status{Query: gamespy1.QueryInfo,
				Extra: []gamespy1.Pair{{Key: "player_0", Value: "a"}, {Key: "location", Value: "EU"}}}},
		{Name: "no end", In: `\hostname\S`, Err: lobbywire.ErrTruncated, Field: "final", Offset: 11},
	})
	answers(gamespy1.QueryBasic).Table(t, []codectest.Case[gamespy1.Status]{
		{Name: "as the engine sends it", In: `\gamename\serioussamse\gamever\1.10\location\EU\final\\queryid\1.1`,
			Want: gamespy1.Status{Query: gamespy1.QueryBasic, GameName: "serioussamse", GameVersion: "1.10",
				Location: "EU",
				QueryID:  gamespy1.QueryBasic.ID()}},
	})
	answers(gamespy1.QueryRules).Table(t, []codectest.Case[gamespy1.Status]{
		{Name: "keys of other answers, and unknown ones", In: `\password\1\AdminName\Ada\hostname\S\queryid\1.1\final\`,
			Differs: true,
			Want: gamespy1.Status{Query: gamespy1.QueryRules, Password: new(true),
				QueryID: gamespy1.QueryRules.ID(),
				Extra:   []gamespy1.Pair{{Key: "AdminName", Value: "Ada"}, {Key: "hostname", Value: "S"}}}},
	})
	answers(gamespy1.QueryPlayers).Table(t, []codectest.Case[gamespy1.Status]{
		{Name: "no players", In: `\final\\queryid\6.1`, Want: gamespy1.Status{Query: gamespy1.QueryPlayers,
			Players: []gamespy1.Player{}, QueryID: gamespy1.QueryPlayers.ID()}},
		{Name: "keys of other answers", In: `\player_0\a\frags_0\0\ping_0\0\mapname\M\final\`, Differs: true,
			Want: gamespy1.Status{
				Query:   gamespy1.QueryPlayers,
				Players: []gamespy1.Player{{Name: "a", Frags: new(int32(0)), Ping: new(0)}},
				Extra:   []gamespy1.Pair{{Key: "mapname", Value: "M"}}}},
	})
}

func TestPacketsAreCutBetweenPlayers(t *testing.T) {
	m := typical(16)
	for i := range m.Players {
		m.Players[i].Name = strings.Repeat("x", 300)
	}
	packets, err := m.Packets()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.AppendBinary(nil); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("as one packet: %v", err)
	}
	var a gamespy1.Assembler
	for _, p := range slices.Backward(packets) {
		if len(p) > gamespy1.MaxPacket {
			t.Errorf("packet of %d bytes", len(p))
		}
		if _, err := a.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	got, err := a.Status()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	list := gamespy1.Status{Query: gamespy1.QueryPlayers, Players: m.Players}
	packets, err = list.Packets()
	if err != nil || len(packets) != 3 {
		t.Errorf("%d packets of players, error %v", len(packets), err)
	}
	m.HostName = strings.Repeat("x", gamespy1.MaxPacket)
	if _, err := m.Packets(); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("host name that fits no packet: %v", err)
	}
}

func TestHeartbeatAcceptsItsFormsOnly(t *testing.T) {
	sam := gamespy1.Heartbeat{QueryPort: 25601, GameName: "serioussamse"}
	changed, stops, line, other := sam, sam, sam, sam
	changed.StateChanged = true
	stops.StateChanged, stops.ShuttingDown = true, true
	line.GameName += "\n"
	other.Extra = []gamespy1.Pair{{Key: "a", Value: "b"}}
	const start = `\heartbeat\25601\gamename\serioussamse`
	heartbeatCodec.Table(t, []codectest.Case[gamespy1.Heartbeat]{
		{Name: "periodic", In: start, Want: sam},
		{Name: "state changed", In: start + `\statechanged`, Want: changed},
		{Name: "state changed with a value, as other games send it", In: start + `\statechanged\1`, Want: changed,
			Differs: true},
		{Name: "server stops", In: start + `\statechanged\2`, Want: stops},
		{Name: "backslash at the end, as Unreal sends it", In: start + `\`, Want: sam, Differs: true},
		{Name: "line feed at the end", In: start + `\statechanged` + "\n", Want: changed, Differs: true},
		{Name: "zero byte at the end", In: start + `\statechanged\2` + "\x00", Want: stops, Differs: true},
		{Name: "blanks around the value", In: start + `\statechanged\ 2 ` + "\r\n", Want: stops, Differs: true},
		{Name: "backslash and line feed at the end", In: start + `\` + "\r\n", Want: sam, Differs: true},
		{Name: "blank and zero before the port", In: `\heartbeat\ 025601\gamename\serioussamse`, Want: sam,
			Differs: true},
		{Name: "port 0, as Bridge Commander sends it", In: `\heartbeat\0\gamename\bcommander`,
			Want: gamespy1.Heartbeat{GameName: "bcommander"}},
		{Name: "name with a line feed, which masters ignore", In: start + "\n", Want: line},
		{Name: "unknown key", In: start + `\a\b`, Want: other},
		{Name: "cut in a key", In: start + `\statechan`,
			Err: lobbywire.ErrTruncated, Field: "key", Offset: len(start) + 1},
		{Name: "no name", In: `\heartbeat\25601\a\b`, Err: lobbywire.ErrTruncated, Field: "gameName", Offset: 20},
		{Name: "cut in the port", In: `\heartbeat\256`, Err: lobbywire.ErrTruncated, Field: "queryPort", Offset: 11},
		{Name: "port too large", In: `\heartbeat\65536\gamename\x`,
			Err: lobbywire.ErrTooLarge, Field: "queryPort", Offset: 11},
		{Name: "no port", In: `\heartbeat\\gamename\x`, Err: lobbywire.ErrInvalid, Field: "queryPort", Offset: 11},
		{Name: "another message", In: `\status\`, Err: lobbywire.ErrInvalid, Field: "key", Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "stop without a change", Value: gamespy1.Heartbeat{QueryPort: 1, ShuttingDown: true},
			Err: lobbywire.ErrInvalid, Field: "shuttingDown"},
		{Name: "backslash in the name", Value: gamespy1.Heartbeat{QueryPort: 1, GameName: `\`},
			Err: lobbywire.ErrInvalid, Field: "gameName"},
		{Name: "state change as an unknown key",
			Value: gamespy1.Heartbeat{QueryPort: 1, Extra: []gamespy1.Pair{{Key: "statechanged"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
	})
}

func TestGreetingAcceptsItsFormsOnly(t *testing.T) {
	want := gamespy1.Greeting{Secure: "ABCDEF"}
	greetingCodec.Table(t, []codectest.Case[gamespy1.Greeting]{
		{Name: "as masters send it", In: `\basic\\secure\ABCDEF`, Want: want},
		{Name: "with an end mark, as 333networks sends it", In: `\basic\\secure\ABCDEF\final\`,
			Want: gamespy1.Greeting{Secure: "ABCDEF", Final: true}},
		{Name: "surrounded", In: `x\secure\ABCDEFy`, Want: want, Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "cut in the challenge", In: `\basic\\secure\ABCDE`,
			Err: lobbywire.ErrTruncated, Field: "secure", Offset: 15},
		{Name: "none", In: `\basic\`, Err: lobbywire.ErrTruncated, Field: "secure", Offset: 0,
			Strict: lobbywire.ErrTruncated},
		{Name: "too long", In: strings.Repeat("x", gamespy1.MaxLine+1), Err: lobbywire.ErrTooLarge, Offset: 0},
	})
	strictly(greetingCodec, gamespy1.Options.ParseGreeting).Table(t,
		[]codectest.Case[gamespy1.Greeting]{
			{Name: "strictly as masters send it", In: `\basic\\secure\ABCDEF`, Want: want},
			{Name: "strictly with an end mark", In: `\basic\\secure\ABCDEF\final\`,
				Want: gamespy1.Greeting{Secure: "ABCDEF", Final: true}},
			{Name: "strictly cut in the end mark", In: `\basic\\secure\ABCDEF\`,
				Err: lobbywire.ErrTruncated, Field: "final", Offset: 21},
			{Name: "strictly longer", In: `\basic\\secure\ABCDEFG`, Err: lobbywire.ErrTrailing, Offset: 21},
			{Name: "strictly elsewhere", In: `x\secure\ABCDEF`, Err: lobbywire.ErrInvalid, Field: "basic", Offset: 0},
		})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "five bytes", Value: gamespy1.Greeting{Secure: "ABCDE"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "backslash", Value: gamespy1.Greeting{Secure: `ABCDE\`},
			Err: lobbywire.ErrInvalid, Field: "secure"},
	})
}

func TestValidateGivesKnownAnswers(t *testing.T) {
	for secure, want := range map[string]string{"ABCDEF": "zbGgINC8", "QWERTY": "H2at5Cu9", "abc123": "FnXEkjqH"} {
		if got := gamespy1.Validate(secure, gamespy1.SeriousSamKey); got != want {
			t.Errorf("%s gives %s, want %s", secure, got, want)
		}
	}
	for n, want := range []int{0, 4, 4, 4, 8} {
		if got := len(gamespy1.Validate("\xff\x00\x80\x7f"[:n], "")); got != want {
			t.Errorf("%d bytes and no key give %d characters, want %d", n, got, want)
		}
	}
}

func TestListRequestAcceptsItsFormsOnly(t *testing.T) {
	const line = `\gamename\serioussamse\enctype\0\validate\zbGgINC8\final\\queryid\1.1\list\cmp\gamename` +
		`\serioussamse\gamever\1.05\final\`
	want := gamespy1.ListRequest{GameName: "serioussamse", Validate: "zbGgINC8", QueryID: "1.1", List: "cmp",
		ListName: "serioussamse", GameVersion: "1.05"}
	filtered, third := want, want
	filtered.Extra = []gamespy1.Pair{{Key: "where", Value: "numplayers>0"}}
	third.ListName = ""
	third.Extra = []gamespy1.Pair{{Key: "enctype", Value: "x"}}
	listRequestCodec.Table(t, []codectest.Case[gamespy1.ListRequest]{
		{Name: "as the engine sends it", In: line, Want: want},
		{Name: "with a filter", In: strings.TrimSuffix(line, `final\`) + `where\numplayers>0\final\`, Want: filtered},
		{Name: "encoding that is no number, second name missing", Differs: true, Want: third,
			In: `\gamename\serioussamse\enctype\x\validate\zbGgINC8\final\\queryid\1.1\list\cmp\gamever\1.05\final\`},
		{Name: "cut", In: line[:len(line)-1], Err: lobbywire.ErrTruncated, Field: "key", Offset: len(line) - 6},
		{Name: "first part alone", In: line[:57], Err: lobbywire.ErrTruncated, Field: "final", Offset: 57},
		{Name: "byte after the end", In: line + "x", Want: want, Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "backslash more between the parts", In: line[:69] + `\` + line[69:], Want: want, Differs: true},
		{Name: "end with a value", In: `\final\x\`, Err: lobbywire.ErrInvalid, Field: "final", Offset: 7},
		{Name: "too long", In: strings.Repeat("x", gamespy1.MaxLine+1), Err: lobbywire.ErrTooLarge, Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the answer", Value: gamespy1.ListRequest{Validate: `\`},
			Err: lobbywire.ErrInvalid, Field: "validate"},
		{Name: "negative encoding", Value: gamespy1.ListRequest{EncType: -1},
			Err: lobbywire.ErrInvalid, Field: "encType"},
		{Name: "key without a name", Value: gamespy1.ListRequest{Extra: []gamespy1.Pair{{Value: "x"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "third name", Value: gamespy1.ListRequest{Extra: []gamespy1.Pair{{Key: "gamename"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "too long", Value: gamespy1.ListRequest{List: strings.Repeat("x", gamespy1.MaxLine)},
			Err: lobbywire.ErrTooLarge},
	})
}

func TestServerListAcceptsItsFormsOnly(t *testing.T) {
	const one = "\x7f\x00\x00\x01\x64\x01"
	want := gamespy1.ServerList{Servers: addrs("127.0.0.1:25601")}
	serverListCodec.Table(t, []codectest.Case[gamespy1.ServerList]{
		{Name: "no server", In: `\final\`, Want: gamespy1.ServerList{Servers: addrs()}},
		{Name: "port in big-endian", In: one + `\final\`, Want: want},
		{Name: "bytes after the end", In: one + `\final\` + one, Want: want, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "empty stream", In: "", Err: lobbywire.ErrTruncated, Field: "servers[0].addr", Offset: 0},
		{Name: "end to come", In: one + `\final`, Err: lobbywire.ErrTruncated, Field: "servers[2].addr", Offset: 12},
	})
	strictly(serverListCodec, gamespy1.Options.ParseServerList).Table(t,
		[]codectest.Case[gamespy1.ServerList]{
			{Name: "strictly bytes after the end", In: `\final\x`, Err: lobbywire.ErrTrailing, Offset: 7},
		})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "IPv6", Value: gamespy1.ServerList{Servers: addrs("[::1]:1")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].addr"},
		{Name: "port 0", Value: gamespy1.ServerList{Servers: addrs("127.0.0.1:0")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].port"},
		{Name: "last server spells the end", Value: gamespy1.ServerList{Servers: addrs("92.102.105.110:24940")},
			Err: lobbywire.ErrInvalid, Field: "servers[0]"},
		{Name: "server spells the end with the next",
			Value: gamespy1.ServerList{Servers: addrs("92.102.105.110:24940", "92.0.0.1:1")},
			Err:   lobbywire.ErrInvalid, Field: "servers[0]"},
		{Name: "too many", Value: gamespy1.ServerList{Servers: make([]netip.AddrPort, gamespy1.MaxServers+1)},
			Err: lobbywire.ErrTooLarge, Field: "servers"},
	})
	if _, err := (gamespy1.ServerList{Servers: addrs("92.102.105.110:24940",
		"91.0.0.1:1")}).AppendBinary(nil); err != nil {
		t.Errorf("server that nothing confuses with the end: %v", err)
	}
	long := strings.Repeat(one, gamespy1.MaxServers)
	if m, err := gamespy1.ParseServerList([]byte(long + `\final\`)); err != nil ||
		len(m.Servers) != gamespy1.MaxServers {
		t.Errorf("%d servers, error %v", len(m.Servers), err)
	}
	if _, err := gamespy1.ParseServerList([]byte(long + one + one)); err == nil ||
		!errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("too many servers: %v", err)
	}
}
