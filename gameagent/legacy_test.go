package gameagent_test

import (
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
)

func TestLegacyRequest(t *testing.T) {
	legacyRequestCodec.Table(t, []codectest.Case[gameagent.LegacyRequest]{
		{Name: "status", In: `\status\`},
		{Name: "info", In: `\info\`, Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryInfo}},
		{Name: "basic", In: `\basic\`, Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryBasic}},
		{Name: "players", In: `\players\`, Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryPlayers}},
		{Name: "rules", In: `\rules\`, Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryRules}},
		{Name: "players before rules", In: `\rules\players\`,
			Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryPlayers}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "anywhere", In: `xx\info\yy`, Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryInfo},
			Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "status before info, wherever it is", In: `\info\\status\`, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "sharing a backslash", In: `\players\basic\`,
			Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryBasic}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "before a zero byte", In: "\\basic\\\x00\\info\\",
			Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryBasic}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "after a zero byte", In: "\x00\\info\\", Err: lobbywire.ErrInvalid, Field: "query", Offset: 0},
		{Name: "with a challenge", In: `\status\\secure\ABCDEF`, Want: gameagent.LegacyRequest{Secure: "ABCDEF"}},
		{Name: "with a challenge and more", In: `\info\\secure\abcdefghijklmno\final\`,
			Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryInfo, Secure: "abcdefghijklmno"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "with a text", In: `\basic\\echo\ABCDEF`,
			Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryBasic, Echo: "ABCDEF"}},
		{Name: "with a text and an end mark, as openspy-core sends it", In: `\info\\echo\ ABCDEF\final\`,
			Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryInfo, Echo: " ABCDEF"}, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "with a challenge that is too short", In: `\status\\secure\ABCDE`, Differs: true,
			Strict: lobbywire.ErrTruncated},
		{Name: "unknown, but more may come", In: `\teams\`, Err: lobbywire.ErrTruncated, Field: "query", Offset: 0,
			Strict: lobbywire.ErrInvalid},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "query", Offset: 0},
	})
	strictly(legacyRequestCodec, gameagent.Options.ParseLegacyRequest).Table(t,
		[]codectest.Case[gameagent.LegacyRequest]{
			{Name: "strictly info", In: `\info\`, Want: gameagent.LegacyRequest{Query: gameagent.LegacyQueryInfo}},
			{Name: "strictly more", In: `\info\x`, Err: lobbywire.ErrTrailing, Offset: 6},
			{Name: "strictly a challenge", In: `\status\\secure\ABCDEF`,
				Want: gameagent.LegacyRequest{Secure: "ABCDEF"}},
			{Name: "strictly a text", In: `\status\\echo\x`, Want: gameagent.LegacyRequest{Echo: "x"}},
			{Name: "strictly cut in the key of the text", In: `\status\\ech`,
				Err: lobbywire.ErrTruncated, Field: "key", Offset: 8},
			{Name: "strictly cut in the challenge", In: `\status\\secure\ABCDE`,
				Err: lobbywire.ErrTruncated, Field: "secure", Offset: 16},
			{Name: "strictly cut", In: `\inf`, Err: lobbywire.ErrTruncated, Field: "query", Offset: 0},
			{Name: "strictly unknown", In: `\teams\`, Err: lobbywire.ErrInvalid, Field: "query", Offset: 0},
		})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "unknown query", Value: gameagent.LegacyRequest{Query: 5},
			Err: lobbywire.ErrUnsupported, Field: "query"},
		{Name: "short challenge", Value: gameagent.LegacyRequest{Secure: "ABCDE"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "backslash in the text", Value: gameagent.LegacyRequest{Echo: `\`},
			Err: lobbywire.ErrInvalid, Field: "echo"},
		{Name: "text with a challenge", Value: gameagent.LegacyRequest{Secure: "ABCDEF", Echo: "x"},
			Err: lobbywire.ErrInvalid, Field: "echo"},
	})
	for q, want := range []string{"status", "info", "basic", "players", "rules", "query(5)"} {
		if got := gameagent.LegacyQuery(q).String(); got != want {
			t.Errorf("query %d is %s, want %s", q, got, want)
		}
	}
	for q, want := range []string{"333.1", "8.1", "1.1", "6.1", "1.1", ""} {
		if got := gameagent.LegacyQuery(q).ID(); got != want {
			t.Errorf("ID of query %d is %q, want %q", q, got, want)
		}
	}
}

func TestLegacyStatus(t *testing.T) {
	none := []gameagent.Player{}
	legacyStatusCodec.Table(t, []codectest.Case[gameagent.LegacyStatus]{
		{Name: "whole", In: string(mustAppend(t, legacyStatus(2))), Want: legacyStatus(2)},
		{Name: "keys missing", In: `\mapname\x\final\`, Want: gameagent.LegacyStatus{MapName: "x", Players: none},
			Differs: true},
		{Name: "end first, as GameSpy allows", In: `\final\\queryid\1.1\mapname\x`, Differs: true,
			Want: gameagent.LegacyStatus{MapName: "x", QueryID: "1.1", Players: none}},
		{Name: "values that are no numbers and no flags", In: `\hostport\65536\friendlyfire\0%\numplayers\-1\final\`,
			Differs: true,
			Want: gameagent.LegacyStatus{Players: none, Extra: []gameagent.Pair{
				{Key: "hostport", Value: "65536"}, {Key: "friendlyfire", Value: "0%"},
				{Key: "numplayers", Value: "-1"}}}},
		{Name: "player's unknown key", In: `\team_3\red\final\`, Differs: true,
			Want: gameagent.LegacyStatus{Players: []gameagent.Player{{Index: 3,
				Extra: []gameagent.Pair{{Key: "team", Value: "red"}}}}}},
		{Name: "empty datagram", In: "", Err: lobbywire.ErrTruncated, Field: "separator", Offset: 0},
		{Name: "native", In: "0;", Err: lobbywire.ErrInvalid, Field: "separator", Offset: 0},
		{Name: "cut in a key", In: `\mapname`, Err: lobbywire.ErrTruncated, Field: "final", Offset: 8},
		{Name: "no end", In: `\mapname\x`, Err: lobbywire.ErrTruncated, Field: "final", Offset: 10},
		{Name: "end with a value", In: `\final\x`, Err: lobbywire.ErrInvalid, Field: "final", Offset: 7},
	})
	named := gameagent.LegacyStatus{Players: []gameagent.Player{{Name: `a\b`}}}
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the host name", Value: gameagent.LegacyStatus{HostName: `\`},
			Err: lobbywire.ErrInvalid, Field: "hostName"},
		{Name: "zero byte in the map name", Value: gameagent.LegacyStatus{MapName: "\x00"},
			Err: lobbywire.ErrInvalid, Field: "mapName"},
		{Name: "negative number", Value: gameagent.LegacyStatus{NumPlayers: new(-1)},
			Err: lobbywire.ErrInvalid, Field: "numPlayers"},
		{Name: "backslash in a name", Value: named, Err: lobbywire.ErrInvalid, Field: "players[0].name"},
		{Name: "backslash in the query ID", Value: gameagent.LegacyStatus{QueryID: `\`},
			Err: lobbywire.ErrInvalid, Field: "queryId"},
		{Name: "end as an unknown key", Value: gameagent.LegacyStatus{Extra: []gameagent.Pair{{Key: "final"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "query ID as an unknown key",
			Value: gameagent.LegacyStatus{Query: gameagent.LegacyQueryInfo, Extra: []gameagent.Pair{{Key: "queryid"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "player's key as an unknown key",
			Value: gameagent.LegacyStatus{Query: gameagent.LegacyQueryPlayers,
				Extra: []gameagent.Pair{{Key: "ping_0"}}}, Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "partial", Value: gameagent.LegacyStatus{Partial: true}, Err: lobbywire.ErrInvalid, Field: "partial"},
		{Name: "unknown query", Value: gameagent.LegacyStatus{Query: 5}, Err: lobbywire.ErrUnsupported, Field: "query"},
		{Name: "field of another answer",
			Value: gameagent.LegacyStatus{Query: gameagent.LegacyQueryInfo, Location: "EU"},
			Err:   lobbywire.ErrInvalid, Field: "location"},
		{Name: "players of another answer",
			Value: gameagent.LegacyStatus{Query: gameagent.LegacyQueryBasic, Players: make([]gameagent.Player, 1)},
			Err:   lobbywire.ErrInvalid, Field: "players"},
		{Name: "too long",
			Value: gameagent.LegacyStatus{Query: gameagent.LegacyQueryBasic, Location: strings.Repeat("x", 2048)},
			Err:   lobbywire.ErrTooLarge},
	})
}

func TestLegacyAnswers(t *testing.T) {
	answers(gameagent.LegacyQueryInfo).Table(t, []codectest.Case[gameagent.LegacyStatus]{
		{Name: "as the engine sends it",
			In: `\hostname\S\hostport\25600\mapname\M\gametype\G\numplayers\1\maxplayers\2\gamemode\openplaying` +
				`\final\\queryid\8.1`,
			Want: gameagent.LegacyStatus{Query: gameagent.LegacyQueryInfo, HostName: "S", HostPort: 25600,
				MapName: "M", GameType: "G",
				NumPlayers: new(1), MaxPlayers: new(2), GameMode: "openplaying", QueryID: gameagent.LegacyQueryInfo.ID()}},
		{Name: "keys of other answers, even of players", In: `\player_0\a\location\EU\final\`, Differs: true,
			Want: gameagent.LegacyStatus{Query: gameagent.LegacyQueryInfo,
				Extra: []gameagent.Pair{{Key: "player_0", Value: "a"}, {Key: "location", Value: "EU"}}}},
		{Name: "no end", In: `\hostname\S`, Err: lobbywire.ErrTruncated, Field: "final", Offset: 11},
	})
	answers(gameagent.LegacyQueryBasic).Table(t, []codectest.Case[gameagent.LegacyStatus]{
		{Name: "as the engine sends it", In: `\gamename\serioussamse\gamever\1.10\location\EU\final\\queryid\1.1`,
			Want: gameagent.LegacyStatus{Query: gameagent.LegacyQueryBasic, GameName: "serioussamse", GameVersion: "1.10",
				Location: "EU",
				QueryID:  gameagent.LegacyQueryBasic.ID()}},
	})
	answers(gameagent.LegacyQueryRules).Table(t, []codectest.Case[gameagent.LegacyStatus]{
		{Name: "keys of other answers, and unknown ones", In: `\password\1\AdminName\Ada\hostname\S\queryid\1.1\final\`,
			Differs: true,
			Want: gameagent.LegacyStatus{Query: gameagent.LegacyQueryRules, Password: new(true),
				QueryID: gameagent.LegacyQueryRules.ID(),
				Extra:   []gameagent.Pair{{Key: "AdminName", Value: "Ada"}, {Key: "hostname", Value: "S"}}}},
	})
	answers(gameagent.LegacyQueryPlayers).Table(t, []codectest.Case[gameagent.LegacyStatus]{
		{Name: "no players", In: `\final\\queryid\6.1`, Want: gameagent.LegacyStatus{Query: gameagent.LegacyQueryPlayers,
			Players: []gameagent.Player{}, QueryID: gameagent.LegacyQueryPlayers.ID()}},
		{Name: "keys of other answers", In: `\player_0\a\frags_0\0\ping_0\0\mapname\M\final\`, Differs: true,
			Want: gameagent.LegacyStatus{
				Query:   gameagent.LegacyQueryPlayers,
				Players: []gameagent.Player{{Name: "a", Frags: new(int32(0)), Ping: new(0)}},
				Extra:   []gameagent.Pair{{Key: "mapname", Value: "M"}}}},
	})
}

func TestLegacyPackets(t *testing.T) {
	m := legacyStatus(16)
	for i := range m.Players {
		m.Players[i].Name = strings.Repeat("x", 300)
	}
	packets, err := m.Packets()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.AppendBinary(nil); err == nil || kindOf(err) != lobbywire.ErrTooLarge {
		t.Errorf("as one packet: %v", err)
	}
	var a gameagent.LegacyAssembler
	for _, p := range slices.Backward(packets) {
		if len(p) > gameagent.MaxPacket {
			t.Errorf("packet of %d bytes", len(p))
		}
		if _, err := a.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	got, err := a.LegacyStatus()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(m, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	list := gameagent.LegacyStatus{Query: gameagent.LegacyQueryPlayers, Players: m.Players}
	packets, err = list.Packets()
	if err != nil || len(packets) != 3 {
		t.Errorf("%d packets of players, error %v", len(packets), err)
	}
	m.HostName = strings.Repeat("x", gameagent.MaxPacket)
	if _, err := m.Packets(); err == nil || kindOf(err) != lobbywire.ErrTooLarge {
		t.Errorf("host name that fits no packet: %v", err)
	}
}

func TestLegacyHeartbeat(t *testing.T) {
	sam := gameagent.LegacyHeartbeat{QueryPort: 25601, GameName: "serioussamse"}
	changed, stops, line, other := sam, sam, sam, sam
	changed.StateChanged = true
	stops.StateChanged, stops.ShuttingDown = true, true
	line.GameName += "\n"
	other.Extra = []gameagent.Pair{{Key: "a", Value: "b"}}
	const start = `\heartbeat\25601\gamename\serioussamse`
	legacyHeartbeatCodec.Table(t, []codectest.Case[gameagent.LegacyHeartbeat]{
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
			Want: gameagent.LegacyHeartbeat{GameName: "bcommander"}},
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
		{Name: "stop without a change", Value: gameagent.LegacyHeartbeat{QueryPort: 1, ShuttingDown: true},
			Err: lobbywire.ErrInvalid, Field: "shuttingDown"},
		{Name: "backslash in the name", Value: gameagent.LegacyHeartbeat{QueryPort: 1, GameName: `\`},
			Err: lobbywire.ErrInvalid, Field: "gameName"},
		{Name: "state change as an unknown key",
			Value: gameagent.LegacyHeartbeat{QueryPort: 1, Extra: []gameagent.Pair{{Key: "statechanged"}}},
			Err:   lobbywire.ErrInvalid, Field: "extra[0].key"},
	})
}

func TestLegacyGreeting(t *testing.T) {
	want := gameagent.LegacyGreeting{Secure: "ABCDEF"}
	legacyGreetingCodec.Table(t, []codectest.Case[gameagent.LegacyGreeting]{
		{Name: "as masters send it", In: `\basic\\secure\ABCDEF`, Want: want},
		{Name: "with an end mark, as 333networks sends it", In: `\basic\\secure\ABCDEF\final\`,
			Want: gameagent.LegacyGreeting{Secure: "ABCDEF", Final: true}},
		{Name: "surrounded", In: `x\secure\ABCDEFy`, Want: want, Differs: true, Strict: lobbywire.ErrInvalid},
		{Name: "cut in the challenge", In: `\basic\\secure\ABCDE`,
			Err: lobbywire.ErrTruncated, Field: "secure", Offset: 15},
		{Name: "none", In: `\basic\`, Err: lobbywire.ErrTruncated, Field: "secure", Offset: 0,
			Strict: lobbywire.ErrTruncated},
		{Name: "too long", In: strings.Repeat("x", gameagent.MaxLegacyLine+1), Err: lobbywire.ErrTooLarge, Offset: 0},
	})
	strictly(legacyGreetingCodec, gameagent.Options.ParseLegacyGreeting).Table(t,
		[]codectest.Case[gameagent.LegacyGreeting]{
			{Name: "strictly as masters send it", In: `\basic\\secure\ABCDEF`, Want: want},
			{Name: "strictly with an end mark", In: `\basic\\secure\ABCDEF\final\`,
				Want: gameagent.LegacyGreeting{Secure: "ABCDEF", Final: true}},
			{Name: "strictly cut in the end mark", In: `\basic\\secure\ABCDEF\`,
				Err: lobbywire.ErrTruncated, Field: "final", Offset: 21},
			{Name: "strictly longer", In: `\basic\\secure\ABCDEFG`, Err: lobbywire.ErrTrailing, Offset: 21},
			{Name: "strictly elsewhere", In: `x\secure\ABCDEF`, Err: lobbywire.ErrInvalid, Field: "basic", Offset: 0},
		})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "five bytes", Value: gameagent.LegacyGreeting{Secure: "ABCDE"},
			Err: lobbywire.ErrInvalid, Field: "secure"},
		{Name: "backslash", Value: gameagent.LegacyGreeting{Secure: `ABCDE\`},
			Err: lobbywire.ErrInvalid, Field: "secure"},
	})
}

func TestLegacyValidate(t *testing.T) {
	for secure, want := range map[string]string{"ABCDEF": "zbGgINC8", "QWERTY": "H2at5Cu9", "abc123": "FnXEkjqH"} {
		if got := gameagent.LegacyValidate(secure, gameagent.LegacyGameKey); got != want {
			t.Errorf("%s gives %s, want %s", secure, got, want)
		}
	}
	for n, want := range []int{0, 4, 4, 4, 8} {
		if got := len(gameagent.LegacyValidate("\xff\x00\x80\x7f"[:n], "")); got != want {
			t.Errorf("%d bytes and no key give %d characters, want %d", n, got, want)
		}
	}
}

func TestLegacyListRequest(t *testing.T) {
	const line = `\gamename\serioussamse\enctype\0\validate\zbGgINC8\final\\queryid\1.1\list\cmp\gamename` +
		`\serioussamse\gamever\1.05\final\`
	want := gameagent.LegacyListRequest{GameName: "serioussamse", Validate: "zbGgINC8", QueryID: "1.1", List: "cmp",
		ListName: "serioussamse", GameVersion: "1.05"}
	filtered, third := want, want
	filtered.Extra = []gameagent.Pair{{Key: "where", Value: "numplayers>0"}}
	third.ListName = ""
	third.Extra = []gameagent.Pair{{Key: "enctype", Value: "x"}}
	legacyListRequestCodec.Table(t, []codectest.Case[gameagent.LegacyListRequest]{
		{Name: "as the engine sends it", In: line, Want: want},
		{Name: "with a filter", In: strings.TrimSuffix(line, `final\`) + `where\numplayers>0\final\`, Want: filtered},
		{Name: "encoding that is no number, second name missing", Differs: true, Want: third,
			In: `\gamename\serioussamse\enctype\x\validate\zbGgINC8\final\\queryid\1.1\list\cmp\gamever\1.05\final\`},
		{Name: "cut", In: line[:len(line)-1], Err: lobbywire.ErrTruncated, Field: "key", Offset: len(line) - 6},
		{Name: "first part alone", In: line[:57], Err: lobbywire.ErrTruncated, Field: "final", Offset: 57},
		{Name: "byte after the end", In: line + "x", Want: want, Differs: true, Strict: lobbywire.ErrTrailing},
		{Name: "backslash more between the parts", In: line[:69] + `\` + line[69:], Want: want, Differs: true},
		{Name: "end with a value", In: `\final\x\`, Err: lobbywire.ErrInvalid, Field: "final", Offset: 7},
		{Name: "too long", In: strings.Repeat("x", gameagent.MaxLegacyLine+1), Err: lobbywire.ErrTooLarge, Offset: 0},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "backslash in the answer", Value: gameagent.LegacyListRequest{Validate: `\`},
			Err: lobbywire.ErrInvalid, Field: "validate"},
		{Name: "negative encoding", Value: gameagent.LegacyListRequest{EncType: -1},
			Err: lobbywire.ErrInvalid, Field: "encType"},
		{Name: "key without a name", Value: gameagent.LegacyListRequest{Extra: []gameagent.Pair{{Value: "x"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "third name", Value: gameagent.LegacyListRequest{Extra: []gameagent.Pair{{Key: "gamename"}}},
			Err: lobbywire.ErrInvalid, Field: "extra[0].key"},
		{Name: "too long", Value: gameagent.LegacyListRequest{List: strings.Repeat("x", gameagent.MaxLegacyLine)},
			Err: lobbywire.ErrTooLarge},
	})
}

func TestLegacyServerList(t *testing.T) {
	const one = "\x7f\x00\x00\x01\x64\x01"
	want := gameagent.LegacyServerList{Servers: addrs("127.0.0.1:25601")}
	legacyServerListCodec.Table(t, []codectest.Case[gameagent.LegacyServerList]{
		{Name: "no server", In: `\final\`, Want: gameagent.LegacyServerList{Servers: addrs()}},
		{Name: "port in big-endian", In: one + `\final\`, Want: want},
		{Name: "bytes after the end", In: one + `\final\` + one, Want: want, Differs: true,
			Strict: lobbywire.ErrTrailing},
		{Name: "empty stream", In: "", Err: lobbywire.ErrTruncated, Field: "servers[0].addr", Offset: 0},
		{Name: "end to come", In: one + `\final`, Err: lobbywire.ErrTruncated, Field: "servers[2].addr", Offset: 12},
	})
	strictly(legacyServerListCodec, gameagent.Options.ParseLegacyServerList).Table(t,
		[]codectest.Case[gameagent.LegacyServerList]{
			{Name: "strictly bytes after the end", In: `\final\x`, Err: lobbywire.ErrTrailing, Offset: 7},
		})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "IPv6", Value: gameagent.LegacyServerList{Servers: addrs("[::1]:1")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].addr"},
		{Name: "port 0", Value: gameagent.LegacyServerList{Servers: addrs("127.0.0.1:0")},
			Err: lobbywire.ErrInvalid, Field: "servers[0].port"},
		{Name: "last server spells the end", Value: gameagent.LegacyServerList{Servers: addrs("92.102.105.110:24940")},
			Err: lobbywire.ErrInvalid, Field: "servers[0]"},
		{Name: "server spells the end with the next",
			Value: gameagent.LegacyServerList{Servers: addrs("92.102.105.110:24940", "92.0.0.1:1")},
			Err:   lobbywire.ErrInvalid, Field: "servers[0]"},
		{Name: "too many", Value: gameagent.LegacyServerList{Servers: make([]netip.AddrPort, gameagent.MaxServers+1)},
			Err: lobbywire.ErrTooLarge, Field: "servers"},
	})
	if _, err := (gameagent.LegacyServerList{Servers: addrs("92.102.105.110:24940",
		"91.0.0.1:1")}).AppendBinary(nil); err != nil {
		t.Errorf("server that nothing confuses with the end: %v", err)
	}
	long := strings.Repeat(one, gameagent.MaxServers)
	if m, err := gameagent.ParseLegacyServerList([]byte(long + `\final\`)); err != nil ||
		len(m.Servers) != gameagent.MaxServers {
		t.Errorf("%d servers, error %v", len(m.Servers), err)
	}
	if _, err := gameagent.ParseLegacyServerList([]byte(long + one + one)); err == nil ||
		kindOf(err) != lobbywire.ErrTooLarge {
		t.Errorf("too many servers: %v", err)
	}
}
