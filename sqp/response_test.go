package sqp_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/sqp"
)

// answer returns a packet with a body of chunks, each behind its length. All
// are shorter than 128 bytes.
func answer(chunks ...string) string {
	body := ""
	for _, c := range chunks {
		body += "\x00\x00\x00" + string(rune(len(c))) + c
	}
	return "\x01\x00\x00\x00\x07\x00\x01\x00\x00\x00" + string(rune(len(body))) + body
}

// with returns the response for a test, with its header set.
func with(m sqp.QueryResponse) sqp.QueryResponse {
	m.Token, m.Version = 7, 1
	return m
}

func TestServerInfoAcceptsItsFormsOnly(t *testing.T) {
	const info = "\x00\x01\x00\x02\x01a\x01b\x01c\x01d\x1e\x61"
	want := sqp.ServerInfo{CurrentPlayers: 1, MaxPlayers: 2, ServerName: "a", GameType: "b", BuildID: "c", Map: "d",
		Port: 7777}
	future := want
	future.Extra = []byte("new")
	queryResponses(sqp.ChunkServerInfo).Table(t, []codectest.Case[sqp.QueryResponse]{
		{Name: "all fields", In: answer(info), Want: with(sqp.QueryResponse{ServerInfo: &want})},
		{Name: "empty texts", In: answer("\x00\x01\x00\x02\x00\x00\x00\x00\x1e\x61"),
			Want: with(sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{CurrentPlayers: 1, MaxPlayers: 2, Port: 7777}})},
		{Name: "fields of a later version", In: answer(info + "new"),
			Want: with(sqp.QueryResponse{ServerInfo: &future})},
		{Name: "chunk left out", In: answer(), Want: with(sqp.QueryResponse{}), Strict: lobbywire.ErrInvalid},
		{Name: "chunk that was not asked for", In: answer(info, "x"),
			Want: with(sqp.QueryResponse{ServerInfo: &want, Extra: []byte("\x00\x00\x00\x01x")})},
		{Name: "text beyond its chunk", In: answer("\x00\x01\x00\x02\x01a\x01b\x01c\x09d\x1e\x61"),
			Err: lobbywire.ErrInvalid, Field: "serverInfo.map", Offset: 25},
		{Name: "chunk beyond its packet", In: "\x01\x00\x00\x00\x07\x00\x01\x00\x00\x00\x05\xff\xff\xff\xff ",
			Err: lobbywire.ErrInvalid, Field: "serverInfo.chunkLength", Offset: 11},
		{Name: "datagram cut", In: answer(info)[:20], Err: lobbywire.ErrTruncated, Field: "packetLength", Offset: 9},
		{Name: "part of a split answer", In: "\x01\x00\x00\x00\x07\x00\x01\x00\x01\x00\x00",
			Err: lobbywire.ErrUnsupported, Field: "lastPacket", Offset: 8},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "name of 256 bytes",
			Value: sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{ServerName: strings.Repeat("x", 256)}},
			Err:   lobbywire.ErrTooLarge, Field: "serverInfo.serverName"},
		{Name: "map of 256 bytes", Value: sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{Map: strings.Repeat("x", 256)}},
			Err: lobbywire.ErrTooLarge, Field: "serverInfo.map"},
		{Name: "name that is not UTF-8",
			Value: sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{ServerName: "Gr\xfc\xdfe"}},
			Err:   lobbywire.ErrInvalid, Field: "serverInfo.serverName"},
		{Name: "more than a packet holds", Value: sqp.QueryResponse{Extra: make([]byte, 1<<16)},
			Err: lobbywire.ErrTooLarge, Field: "packetLength"},
	})
}

// Unity's client cannot read a text of 255 bytes. It is legal.
func TestTextMayHave255Bytes(t *testing.T) {
	want := with(sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{ServerName: strings.Repeat("x", 255), Map: "m"}})
	got, err := sqp.ParseQueryResponse(mustAppend(t, want), sqp.ChunkServerInfo)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestServerRulesAcceptTheirFormsOnly(t *testing.T) {
	queryResponses(sqp.ChunkServerRules).Table(t, []codectest.Case[sqp.QueryResponse]{
		{Name: "each type", In: answer("\x01a\x00\x05" + "\x01b\x01\x01\x02" + "\x01c\x02\x01\x02\x03\x04" +
			"\x01d\x03\x00\x00\x00\x00\x00\x00\x00\x09" + "\x01e\x04\x02hi" + "\x01f\x05\x3f\x80\x00\x00"),
			Want: with(sqp.QueryResponse{ServerRules: []sqp.Rule{
				{Key: "a", Value: sqp.Byte(5)}, {Key: "b", Value: sqp.Uint16(0x102)},
				{Key: "c", Value: sqp.Uint32(0x1020304)},
				{Key: "d", Value: sqp.Uint64(9)}, {Key: "e", Value: sqp.String("hi")},
				{Key: "f", Value: sqp.Float32(1)},
			}})},
		{Name: "none", In: answer(""), Want: with(sqp.QueryResponse{ServerRules: []sqp.Rule{}})},
		{Name: "one key twice", In: answer("\x01a\x00\x05\x01a\x00\x06"), Want: with(sqp.QueryResponse{
			ServerRules: []sqp.Rule{{Key: "a", Value: sqp.Byte(5)}, {Key: "a", Value: sqp.Byte(6)}}})},
		{Name: "unknown type takes the rest", In: answer("\x01a\x40\x05\x01b"), Want: with(sqp.QueryResponse{
			ServerRules: []sqp.Rule{{Key: "a", Value: sqp.RawValue(64, []byte("\x05\x01b"))}}})},
		{Name: "value cut", In: answer("\x01a\x00\x05\x01b\x01\x01"),
			Err: lobbywire.ErrInvalid, Field: "serverRules[1].value", Offset: 22},
		{Name: "type missing", In: answer("\x01a"),
			Err: lobbywire.ErrInvalid, Field: "serverRules[0].type", Offset: 17},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "key of 256 bytes",
			Value: sqp.QueryResponse{ServerRules: []sqp.Rule{{}, {Key: strings.Repeat("x", 256)}}},
			Err:   lobbywire.ErrTooLarge, Field: "serverRules[1].key"},
		{Name: "text of 256 bytes",
			Value: sqp.QueryResponse{ServerRules: []sqp.Rule{{Value: sqp.String(strings.Repeat("x", 256))}}},
			Err:   lobbywire.ErrTooLarge, Field: "serverRules[0].value"},
		{Name: "text that is not UTF-8", Value: sqp.QueryResponse{ServerRules: []sqp.Rule{{Value: sqp.String("\xff")}}},
			Err: lobbywire.ErrInvalid, Field: "serverRules[0].value"},
		{Name: "rule behind one of unknown type",
			Value: sqp.QueryResponse{ServerRules: []sqp.Rule{{Value: sqp.RawValue(64, nil)}, {}}},
			Err:   lobbywire.ErrUnsupported, Field: "serverRules[0].type"},
	})
}

func TestTableAcceptsItsFormsOnly(t *testing.T) {
	name, score := sqp.ValueString, sqp.ValueUint16
	queryResponses(sqp.ChunkPlayerInfo).Table(t, []codectest.Case[sqp.QueryResponse]{
		{Name: "two players", In: answer("\x00\x02\x02\x01n\x04\x01s\x01" + "\x01A\x00\x05" + "\x00\x00\x06"),
			Want: with(sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{"n", "s"},
				Types: []sqp.ValueType{name, score},
				Rows:  [][]sqp.Value{{sqp.String("A"), sqp.Uint16(5)}, {sqp.String(""), sqp.Uint16(6)}}}})},
		{Name: "fields of a later version", In: answer("\x00\x01\x01\x01n\x04\x00new"),
			Want: with(sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{"n"}, Types: []sqp.ValueType{name},
				Rows: [][]sqp.Value{{sqp.String("")}}, Extra: []byte("new")}})},
		{Name: "columns without rows", In: answer("\x00\x00\x01\x01n\x04"),
			Want: with(sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{"n"}, Types: []sqp.ValueType{name},
				Rows: [][]sqp.Value{}}})},
		{Name: "neither columns nor rows", In: answer("\x00\x00\x00"),
			Want: with(sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{}, Types: []sqp.ValueType{},
				Rows: [][]sqp.Value{}}})},
		{Name: "count alone", In: answer("\x00\x00"), Differs: true,
			Want: with(sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{}, Types: []sqp.ValueType{},
				Rows: [][]sqp.Value{}}})},
		{Name: "rows of unknown type", In: answer("\x00\x01\x01\x01n\x40???"),
			Want: with(sqp.QueryResponse{PlayerInfo: &sqp.Table{Columns: []string{"n"}, Types: []sqp.ValueType{64},
				Raw: []byte("\x00\x01\x01\x01n\x40???")}})},
		{Name: "rows without columns", In: answer("\x00\x01\x00"),
			Err: lobbywire.ErrInvalid, Field: "playerInfo.fieldCount", Offset: 17},
		{Name: "more rows than bytes", In: answer("\xff\xff\x01\x01n\x00\x05"),
			Err: lobbywire.ErrInvalid, Field: "playerInfo.count", Offset: 15},
		{Name: "more values than the limit", In: answer("\xff\xff\x02\x01n\x00\x01m\x00\x05"),
			Err: lobbywire.ErrTooLarge, Field: "playerInfo.count", Offset: 15},
		{Name: "more columns than bytes", In: answer("\x00\x01\x09\x01n\x00\x05"),
			Err: lobbywire.ErrInvalid, Field: "playerInfo.fieldCount", Offset: 17},
		{Name: "second value of second row cut",
			In:  answer("\x00\x02\x02\x00\x00\x00\x01" + "\x05\x00\x05" + "\x06\x00"),
			Err: lobbywire.ErrInvalid, Field: "playerInfo.rows[1].value", Offset: 26},
	})
	table := func(tab sqp.Table) sqp.QueryResponse { return sqp.QueryResponse{TeamInfo: &tab} }
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "value of another type", Value: table(sqp.Table{Columns: []string{"n"}, Types: []sqp.ValueType{name},
			Rows: [][]sqp.Value{{sqp.String("")},
				{sqp.Byte(1)}}}), Err: lobbywire.ErrInvalid, Field: "teamInfo.rows[1].value"},
		{Name: "row too short",
			Value: table(sqp.Table{Columns: []string{"n"}, Types: []sqp.ValueType{name}, Rows: [][]sqp.Value{{}}}),
			Err:   lobbywire.ErrInvalid, Field: "teamInfo.rows[0]"},
		{Name: "column without type", Value: table(sqp.Table{Columns: []string{"n"}}),
			Err: lobbywire.ErrInvalid, Field: "teamInfo.fieldCount"},
		{Name: "rows without columns", Value: table(sqp.Table{Rows: [][]sqp.Value{{}}}),
			Err: lobbywire.ErrInvalid, Field: "teamInfo.fieldCount"},
		{Name: "256 columns", Value: table(sqp.Table{Columns: make([]string, 256), Types: make([]sqp.ValueType, 256)}),
			Err: lobbywire.ErrTooLarge, Field: "teamInfo.fieldCount"},
		{Name: "65536 rows", Value: table(sqp.Table{Rows: make([][]sqp.Value, 1<<16)}),
			Err: lobbywire.ErrTooLarge, Field: "teamInfo.count"},
		{Name: "column name of 256 bytes",
			Value: table(sqp.Table{Columns: []string{strings.Repeat("x", 256)}, Types: []sqp.ValueType{0}}),
			Err:   lobbywire.ErrTooLarge, Field: "teamInfo.columns[0].name"},
		{Name: "raw beside rows", Value: table(sqp.Table{Rows: [][]sqp.Value{{}}, Raw: []byte("x")}),
			Err: lobbywire.ErrInvalid, Field: "teamInfo.raw"},
	})
}

func TestMetricsAcceptTheirFormsOnly(t *testing.T) {
	queryResponses(sqp.ChunkMetrics).Table(t, []codectest.Case[sqp.QueryResponse]{
		{Name: "two values", In: answer("\x02\x3f\x80\x00\x00\xbf\x80\x00\x00"),
			Want: with(sqp.QueryResponse{Metrics: &sqp.Metrics{Values: []float32{1, -1}}})},
		{Name: "none", In: answer("\x00"), Want: with(sqp.QueryResponse{Metrics: &sqp.Metrics{Values: []float32{}}})},
		{Name: "fields of a later version", In: answer("\x00new"),
			Want: with(sqp.QueryResponse{Metrics: &sqp.Metrics{Values: []float32{}, Extra: []byte("new")}})},
		{Name: "fewer values than counted", In: answer("\x03\x3f\x80\x00\x00"),
			Err: lobbywire.ErrInvalid, Field: "metrics.count", Offset: 15},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "256 values", Value: sqp.QueryResponse{Metrics: &sqp.Metrics{Values: make([]float32, 256)}},
			Err: lobbywire.ErrTooLarge, Field: "metrics.values"},
	})
}

func TestTableOfTooManyValuesIsRefused(t *testing.T) {
	const rows, columns = "\x80\x01", "\x02\x01n\x00\x01m\x00"
	in := []byte(answer(rows + columns))
	if _, err := sqp.ParseQueryResponse(in, sqp.ChunkPlayerInfo); !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Error(err)
	}
}

func TestStrictRefusesMissingChunksAndLatin1(t *testing.T) {
	strict := sqp.Options{Strict: true}
	if _, err := strict.ParseQueryResponse([]byte(answer()), sqp.ChunkServerInfo); !errors.Is(err,
		lobbywire.ErrInvalid) {
		t.Errorf("chunk left out, strictly: %v", err)
	}
	latin1 := []byte(answer("\x00\x01\x00\x02\x01\xfc\x00\x00\x00\x1e\x61"))
	var e *lobbywire.Error
	if _, err := strict.ParseQueryResponse(latin1, sqp.ChunkServerInfo); !errors.As(err, &e) ||
		e.Field != "serverInfo.serverName" || e.Offset != 19 {
		t.Errorf("text that is not UTF-8, strictly: %v", err)
	}
	a := sqp.Assembler{Options: strict}
	if _, err := a.Add(latin1); err != nil {
		t.Fatal(err)
	}
	if _, err := a.QueryResponse(sqp.ChunkServerInfo); !errors.As(err, &e) || e.Field != "serverInfo.serverName" ||
		e.Offset != 19 {
		t.Errorf("text that is not UTF-8, joined strictly: %v", err)
	}
}

func TestClipFitsUnity(t *testing.T) {
	for _, tt := range []struct {
		name string
		in   string
		want string
	}{
		{"short", "Grüße", "Grüße"},
		{"254 bytes", strings.Repeat("x", 254), strings.Repeat("x", 254)},
		{"255 bytes, on which Unity's client hangs", strings.Repeat("x", 255), strings.Repeat("x", 254)},
		{"character over the end", strings.Repeat("x", 253) + "€", strings.Repeat("x", 253)},
		{"character at the end", strings.Repeat("x", 251) + "€€", strings.Repeat("x", 251) + "€"},
		{"not UTF-8", "x\xffy", "xÿy"},
		{"not UTF-8 and too long", strings.Repeat("\xe9", 300), strings.Repeat("é", 127)},
	} {
		if got := sqp.Clip(tt.in); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

// A response of more than a datagram is split, and joins to the same response.
func TestSplitResponseJoinsAgain(t *testing.T) {
	for _, players := range []int{0, 32, 64, 255, 4000} {
		want := fullAnswer(players)
		packets, err := want.Packets()
		if err != nil {
			t.Fatal(err)
		}
		var a sqp.Assembler
		for n, p := range packets {
			if full := n < len(packets)-1; len(p) > sqp.MaxDatagram || full && len(p) < sqp.MaxDatagram {
				t.Errorf("%d players: packet %d of %d has %d bytes", players, n, len(packets), len(p))
			}
			if done, err := a.Add(p); err != nil || done != (n == len(packets)-1) {
				t.Fatalf("%d players, packet %d of %d: done %v, error %v", players, n, len(packets), done, err)
			}
		}
		got, err := a.QueryResponse(sqp.AllChunks)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got, compare); diff != "" {
			t.Errorf("%d players (-want +got):\n%s", players, diff)
		}
	}
	whole := mustAppend(t, fullAnswer(0))
	if packets, err := fullAnswer(0).Packets(); err != nil || len(packets) != 1 || !bytes.Equal(packets[0], whole) {
		t.Errorf("a response that fits a datagram: %d packets, error %v", len(packets), err)
	}
	var e *lobbywire.Error
	if _, err := (sqp.QueryResponse{Extra: make([]byte, 1<<19)}).Packets(); !errors.As(err, &e) ||
		e.Field != "lastPacket" || !errors.Is(err, lobbywire.ErrTooLarge) {
		t.Errorf("512 KiB: %v", err)
	}
	if _, err := (sqp.QueryResponse{ServerInfo: &sqp.ServerInfo{Map: "\xff"}}).Packets(); !errors.Is(err,
		lobbywire.ErrInvalid) {
		t.Errorf("text that is not UTF-8: %v", err)
	}
}

// Errors of tables say what is missing, and in which row and column.
func TestTableErrorsNameRowAndColumn(t *testing.T) {
	names, types := []string{"name", "score"}, []sqp.ValueType{sqp.ValueString, sqp.ValueUint16}
	row := []sqp.Value{sqp.String("a"), sqp.Uint16(1)}
	for want, table := range map[string]sqp.Table{
		"playerInfo.fieldCount: invalid value: types are missing":    {Columns: names},
		"playerInfo.fieldCount: invalid value: 1 types of 2 columns": {Columns: names, Types: types[:1]},
		"playerInfo.fieldCount: invalid value: columns are missing":  {Rows: [][]sqp.Value{{}}},
		"playerInfo.rows[1]: invalid value: 1 values in 2 columns": {Columns: names, Types: types,
			Rows: [][]sqp.Value{row, row[:1]}},
		"playerInfo.rows[1].value: invalid value: type of column 1": {Columns: names, Types: types,
			Rows: [][]sqp.Value{row, {row[0], row[0]}}},
		"playerInfo.fieldCount: limit exceeded: 300, at most 255": {Columns: make([]string, 300)},
		"playerInfo.count: limit exceeded: 65537, at most 65535":  {Rows: make([][]sqp.Value, 65537)},
	} {
		_, err := sqp.QueryResponse{PlayerInfo: &table}.AppendBinary(nil)
		if err == nil || err.Error() != "sqp: "+want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
