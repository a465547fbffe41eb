package messagejson

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/sqp"
)

// sampleRules have a value of each type.
func sampleRules() []sqp.Rule {
	return []sqp.Rule{
		{Key: "a", Value: sqp.Byte(5)}, {Key: "b", Value: sqp.Uint16(5)}, {Key: "c", Value: sqp.Uint32(5)},
		{Key: "d", Value: sqp.Uint64(math.MaxUint64)}, {Key: "e\xfc", Value: sqp.String("\xff/")},
		{Key: "f", Value: sqp.Float32(0.1)}, {Key: "g", Value: sqp.Float32(math.Float32frombits(0x7f800001))},
		{Key: "h", Value: sqp.RawValue(64, []byte{1, 2})},
	}
}

// Values keep their types and their bytes, whether a rule, a table or a value is
// the whole or a part.
func TestSQPKeepsTypes(t *testing.T) {
	values := make([]sqp.Value, len(sampleRules()))
	table := sqp.Table{Columns: []string{}, Types: []sqp.ValueType{}, Rows: [][]sqp.Value{{}, {}}, Extra: []byte{1}}
	for i, r := range sampleRules() {
		values[i] = r.Value
		table.Columns = append(table.Columns, r.Key)
		table.Types = append(table.Types, r.Value.Type())
		table.Rows[0] = append(table.Rows[0], r.Value)
		table.Rows[1] = append(table.Rows[1], r.Value)
	}
	type whole struct {
		Rules  []sqp.Rule
		Values []sqp.Value
		Table  *sqp.Table
		Name   string
	}
	want := whole{sampleRules(), values, &table, "name"}
	text, err := Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	var got whole
	if err := Unmarshal(text, &got); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(sqp.Value{})); diff != "" {
		t.Errorf("%s (-want +got):\n%s", text, diff)
	}
}

func TestSQPValuesNameTheirTypes(t *testing.T) {
	for want, v := range map[string]any{
		`{"type":"byte","value":5}`:                                 sqp.Byte(5),
		`{"key":"ü","type":"string","value":"x","latin1":["/key"]}`: sqp.Rule{Key: "\xfc", Value: sqp.String("x")},
		`{"columns":["a"],"types":["string"],"rows":[["ü"]],"latin1":["/rows/0/0"]}`: sqp.Table{Columns: []string{"a"},
			Types: []sqp.ValueType{sqp.ValueString}, Rows: [][]sqp.Value{{sqp.String("\xfc")}}},
	} {
		got, err := Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestSQPMayHaveWhiteSpace(t *testing.T) {
	var got sqp.Rule
	text := " {\n\"key\": \"ü\", \"type\": \"string\", \"value\": \"ü\", \"latin1\": [\"/key\"]\n}\n "
	if err := Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	if want := (sqp.Rule{Key: "\xfc", Value: sqp.String("ü")}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestSQPRefusesWrongValues(t *testing.T) {
	for _, tt := range []struct {
		in   string
		v    any
		want string
	}{
		{`{"key":"a","type":"int","value":5}`, new(sqp.Rule), `no value type is called "int"`},
		{`{"key":"a","type":"type(256)","value":""}`, new(sqp.Rule), `no value type is called "type(256)"`},
		{`{"key":"a","type":"byte","value":256}`, new(sqp.Rule), "256 is not a value of type byte"},
		{`{"key":"a","type":"byte","value":"1"}`, new(sqp.Rule), "1 is not a value of type byte"},
		{`{"type":"string","value":1}`, new(sqp.Value), "1 is not a value of type string"},
		{`{"type":"byte","value":"0x1"}`, new(sqp.Value), "0x1 is not a value of type byte"},
		{`{"type":"float32","value":"1"}`, new(sqp.Value), "1 is not a value of type float32"},
		{`{"type":"float32","value":"x"}`, new(sqp.Value), "x is not a value of type float32"},
		{`{"type":"type(64)","value":"0"}`, new(sqp.Value), "0 is not a value of type type(64)"},
		{`{"columns":["a"],"types":["byte"],"rows":[[1,2]]}`, new(sqp.Table), `"/rows/0": 2 values for 1 types`},
		{`{"columns":["a"],"types":["byte"],"rows":[[true]]}`, new(sqp.Table), `"/rows/0/0": want a string or a number`},
	} {
		err := Unmarshal([]byte(tt.in), tt.v)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: error %v, want %s", tt.in, err, tt.want)
		}
	}
}

// Whatever can be read from JSON is the same when it is written and read again.
func FuzzSQP(f *testing.F) {
	f.Add([]byte(`{"rule":{"key":"ü","type":"string","value":"é"},"latin1":["/rule/key"]}`))
	f.Add([]byte(`{"table":{"columns":["a"],"types":["float32"],"rows":[["0x7f800001"],[1.5]],"extra":"00"}}`))
	f.Add([]byte(`{"table":{"raw":"0102"},"value":{"type":"type(64)","value":"00"}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		var v, again struct {
			Rule  sqp.Rule
			Value sqp.Value
			Table *sqp.Table
		}
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
		if diff := cmp.Diff(v, again, cmp.AllowUnexported(sqp.Value{})); diff != "" {
			t.Fatalf("%s (-read +again):\n%s", text, diff)
		}
	})
}
