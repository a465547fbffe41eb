package wirejson

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/sqp"
)

func TestKeyOf(t *testing.T) {
	for name, want := range map[string]string{
		"Name": "name", "ServerName": "serverName", "BuildID": "buildId", "MOTD": "motd", "X": "x",
		"GameID": "gameId", "IDs": "iDs", "HTTPPort": "httpPort", "BF2Dedicated": "bf2Dedicated",
	} {
		if got := keyOf(name); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

type inner struct {
	Text  string
	Bytes []byte
}

type sample struct {
	Name    string
	Number  int32
	Count   uint64
	Flag    bool
	Ratio   float32
	Inner   *inner
	Absent  *inner
	List    []inner
	None    []inner
	Code    [2]byte
	Unknown map[string]json.RawMessage
	hidden  int
}

func TestMarshal(t *testing.T) {
	v := sample{
		Name: `<a> "b"`, Number: -5, Count: math.MaxUint64, Flag: true, Ratio: 0.1,
		Inner: &inner{"Gr\xfc\xdfe", []byte{1, 0xff}}, List: []inner{},
		Code: [2]byte{0xab, 1}, Unknown: map[string]json.RawMessage{"z": []byte(`[1, 2]`), "a": []byte("null")},
		hidden: 1,
	}
	got, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"name":"<a> \"b\"","number":-5,"count":18446744073709551615,"flag":true,"ratio":0.1,` +
		`"inner":{"text":"Grüße","bytes":"01ff"},"list":[],"code":"ab01","unknown":{"a":null,"z":[1,2]},` +
		`"latin1":["/inner/text"]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRoundTrip(t *testing.T) {
	v := sample{
		Name: "\xff\x00\x80", Number: math.MinInt32, Count: 1 << 60, Ratio: float32(math.Inf(-1)),
		Inner: &inner{"Ω", nil}, List: []inner{{"a\xe9", []byte{}}, {"a/~", nil}},
		Unknown: map[string]json.RawMessage{"k/~": []byte(`{"x":1.5e300}`)},
	}
	text, err := Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var got sample
	if err := Unmarshal(text, &got); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if diff := cmp.Diff(v, got, cmpopts.IgnoreUnexported(sample{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", text, diff)
	}
}

func TestSQPValuesKeepTheirTypes(t *testing.T) {
	rules := struct{ Rules []sqp.Rule }{[]sqp.Rule{
		{Key: "a", Value: sqp.Byte(5)}, {Key: "b", Value: sqp.Uint16(5)}, {Key: "c", Value: sqp.Uint32(5)},
		{Key: "d", Value: sqp.Uint64(math.MaxUint64)}, {Key: "e", Value: sqp.String("\xff")},
		{Key: "f", Value: sqp.Float32(0.1)}, {Key: "g", Value: sqp.Float32(math.Float32frombits(0x7f800001))},
		{Key: "h", Value: sqp.RawValue(64, []byte{1, 2})},
	}}
	text, err := Marshal(rules)
	if err != nil {
		t.Fatal(err)
	}
	got := rules
	got.Rules = nil
	if err := Unmarshal(text, &got); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if diff := cmp.Diff(rules, got, cmp.AllowUnexported(sqp.Value{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", text, diff)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"name":1}`, `"/name": want a string`},
		{`{"number":2147483648}`, `"/number": want an integer of 32 bits`},
		{`{"count":-1}`, `"/count": want an unsigned integer of 64 bits`},
		{`{"flag":"true"}`, `"/flag": want true or false`},
		{`{"inner":{"bytes":"0"}}`, `"/inner/bytes": want hexadecimal digits`},
		{`{"code":"00"}`, `"/code": want 2 bytes in hexadecimal`},
		{`{"list":{}}`, `"/list": want an array`},
		{`{"Name":"x"}`, `"": want no keys but those of wirejson.sample`},
		{`{"name":"Ω","latin1":["/name"]}`, `"/name": want Latin-1 text`},
		{`{"name":"x"} {}`, `more than one JSON value`},
		{`{"name":`, `unexpected EOF`},
		{`[]`, `"": want an object`},
	} {
		err := Unmarshal([]byte(tt.in), new(sample))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.in, err, tt.want)
		}
	}
}
