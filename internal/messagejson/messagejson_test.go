package messagejson

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestKeysAreLowerCamelCase(t *testing.T) {
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

func TestMarshalWritesAllKinds(t *testing.T) {
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

func TestJSONRestoresEachValue(t *testing.T) {
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

func TestUnmarshalNamesWhatIsWrong(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{`{"name":1}`, `"/name": want a string`},
		{`{"number":2147483648}`, `"/number": want an integer of 32 bits`},
		{`{"count":-1}`, `"/count": want an unsigned integer of 64 bits`},
		{`{"flag":"true"}`, `"/flag": want true or false`},
		{`{"inner":{"bytes":"0"}}`, `"/inner/bytes": want hexadecimal digits`},
		{`{"code":"00"}`, `"/code": want 2 bytes in hexadecimal`},
		{`{"list":{}}`, `"/list": want an array`},
		{`{"Name":"x"}`, `"": want only the keys of messagejson.sample`},
		{`{"name":"Ω","latin1":["/name"]}`, `"/name": want Latin-1 text`},
		{`{"name":"x"} {}`, `invalid character`},
		{`{"name":`, `unexpected end of JSON input`},
		{`[]`, `"": want an object`},
		{`null`, `"": want an object`},
		{`{"name":null}`, `"/name": want a string`},
		{`{"number":1e3}`, `"/number": want an integer of 32 bits`},
		{`{"ratio":"x"}`, `"/ratio": want a number or its bits`},
		{`{"inner":{"latin1":["/text"]}}`, `"/inner": want only the keys of messagejson.inner`},
		{`{"latin1":5}`, `"/latin1": want an array of strings`},
	} {
		err := Unmarshal([]byte(tt.in), new(sample))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.in, err, tt.want)
		}
	}
}

// What no message has is refused, not converted in part.
func TestJSONRefusesOtherTypes(t *testing.T) {
	for _, v := range []any{make(chan int), 1.5, map[int]string{}, "\xff", struct{ F func() }{}} {
		if b, err := Marshal(v); err == nil {
			t.Errorf("Marshal of %T gives %s, want an error", v, b)
		}
	}
	var nilSample *sample
	for _, tt := range []struct {
		in string
		v  any
	}{
		{`{}`, sample{}},
		{`{}`, nil},
		{`{}`, nilSample},
		{`{"F":1}`, new(struct{ F chan int })},
		{`{"f":1}`, new(struct{ F chan int })},
		{`{"f":1}`, new(struct{ F float64 })},
		{`{"1":"a"}`, new(map[int]string)},
		{`{"f":"a"}`, new(struct{ F error })},
		{`{"f":true}`, new(struct{ F any })},
	} {
		if err := Unmarshal([]byte(tt.in), tt.v); err == nil {
			t.Errorf("Unmarshal of %s into %T: no error", tt.in, tt.v)
		}
	}
}

// Whatever can be read from JSON is the same when it is written and read again.
func FuzzUnmarshal(f *testing.F) {
	for _, s := range []string{
		`{"name":"ü","number":-5,"count":1,"flag":true,"ratio":"0x7fc00000","latin1":["/name"]}`,
		`{"inner":{"text":"a","bytes":"00"},"list":[{"text":"é"}],"code":"ab01","unknown":{"z":[1, 2]},` +
			`"latin1":["/list/0/text"]}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, again sample
		if Unmarshal(b, &v) != nil {
			return
		}
		text, err := Marshal(v)
		if err != nil {
			t.Fatalf("%s: Marshal: %v", b, err)
		}
		if err := Unmarshal(text, &again); err != nil {
			t.Fatalf("%s: Unmarshal again: %v", text, err)
		}
		if diff := cmp.Diff(v, again, cmpopts.IgnoreUnexported(sample{}), cmpopts.EquateNaNs()); diff != "" {
			t.Fatalf("%s (-read +again):\n%s", text, diff)
		}
	})
}
