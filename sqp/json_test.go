package sqp

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

// sampleRules have a value of each type.
func sampleRules() []Rule {
	return []Rule{
		{Key: "a", Value: Byte(5)}, {Key: "b", Value: Uint16(5)}, {Key: "c", Value: Uint32(5)},
		{Key: "d", Value: Uint64(math.MaxUint64)}, {Key: "e\xfc", Value: String("\xff/")},
		{Key: "f", Value: Float32(0.1)}, {Key: "g", Value: Float32(math.Float32frombits(0x7f800001))},
		{Key: "h", Value: RawValue(64, []byte{1, 2})},
	}
}

// Values keep their types and their bytes, whether a rule, a table or a value is
// the whole or a part, and also with encoding/json alone.
func TestJSONKeepsTypes(t *testing.T) {
	values := make([]Value, len(sampleRules()))
	table := Table{Columns: []string{}, Types: []ValueType{}, Rows: [][]Value{{}, {}}, Extra: []byte{1}}
	for i, r := range sampleRules() {
		values[i] = r.Value
		table.Columns = append(table.Columns, r.Key)
		table.Types = append(table.Types, r.Value.Type())
		table.Rows[0] = append(table.Rows[0], r.Value)
		table.Rows[1] = append(table.Rows[1], r.Value)
	}
	type whole struct {
		Rules  []Rule
		Values []Value
		Table  *Table
		Name   string
	}
	for name, form := range map[string]struct {
		marshal   func(v any) ([]byte, error)
		unmarshal func(b []byte, v any) error
	}{
		"lobbywire":     {lobbywire.MarshalJSON, lobbywire.UnmarshalJSON},
		"encoding/json": {json.Marshal, json.Unmarshal},
	} {
		t.Run(name, func(t *testing.T) {
			want := whole{sampleRules(), values, &table, "name"}
			text, err := form.marshal(want)
			if err != nil {
				t.Fatal(err)
			}
			var got whole
			if err := form.unmarshal(text, &got); err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			if diff := cmp.Diff(want, got, cmp.AllowUnexported(Value{})); diff != "" {
				t.Errorf("%s (-want +got):\n%s", text, diff)
			}
		})
	}
}

func TestJSONForm(t *testing.T) {
	for want, v := range map[string]any{
		`{"type":"byte","value":5}`:                                 Byte(5),
		`{"key":"ü","type":"string","value":"x","latin1":["/key"]}`: Rule{"\xfc", String("x")},
		`{"columns":["a"],"types":["string"],"rows":[["ü"]],"latin1":["/rows/0/0"]}`: Table{Columns: []string{"a"},
			Types: []ValueType{ValueString}, Rows: [][]Value{{String("\xfc")}}},
	} {
		got, err := lobbywire.MarshalJSON(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestJSONWithSpaces(t *testing.T) {
	var got Rule
	text := " {\n\"key\": \"ü\", \"type\": \"string\", \"value\": \"ü\", \"latin1\": [\"/key\"]\n}\n "
	if err := lobbywire.UnmarshalJSON([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if want := (Rule{"\xfc", String("ü")}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestJSONRefuses(t *testing.T) {
	for _, tt := range []struct {
		in   string
		v    any
		want string
	}{
		{`{"key":"a","type":"int","value":5}`, new(Rule), `no value type is called "int"`},
		{`{"key":"a","type":"type(256)","value":""}`, new(Rule), `no value type is called "type(256)"`},
		{`{"key":"a","type":"byte","value":256}`, new(Rule), "256 is not a value of type byte"},
		{`{"key":"a","type":"byte","value":"1"}`, new(Rule), "1 is not a value of type byte"},
		{`{"type":"string","value":1}`, new(Value), "1 is not a value of type string"},
		{`{"type":"float32","value":"x"}`, new(Value), "x is not a value of type float32"},
		{`{"type":"type(64)","value":"0"}`, new(Value), "0 is not a value of type type(64)"},
		{`{"columns":["a"],"types":["byte"],"rows":[[1,2]]}`, new(Table), "row 0 has 2 values for 1 types"},
		{`{"columns":["a"],"types":["byte"],"rows":[[true]]}`, new(Table), `"/rows/0/0": want a string or a number`},
	} {
		err := lobbywire.UnmarshalJSON([]byte(tt.in), tt.v)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.in, err, tt.want)
		}
	}
}

// Whatever can be read from JSON is the same when it is written and read again.
func FuzzJSON(f *testing.F) {
	f.Add([]byte(`{"rule":{"key":"ü","type":"string","value":"é"},"latin1":["/rule/key"]}`))
	f.Add([]byte(`{"table":{"columns":["a"],"types":["float32"],"rows":[["0x7f800001"],[1.5]],"extra":"00"}}`))
	f.Add([]byte(`{"table":{"raw":"0102"},"value":{"type":"type(64)","value":"00"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, again struct {
			Rule  Rule
			Value Value
			Table *Table
		}
		if lobbywire.UnmarshalJSON(b, &v) != nil {
			return
		}
		text, err := lobbywire.MarshalJSON(v)
		if err != nil {
			t.Fatalf("%s: %v", b, err)
		}
		if err := lobbywire.UnmarshalJSON(text, &again); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if diff := cmp.Diff(v, again, cmp.AllowUnexported(Value{})); diff != "" {
			t.Fatalf("%s (-read +again):\n%s", text, diff)
		}
	})
}
