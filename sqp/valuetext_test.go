package sqp_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/sqp"
)

// JSON keeps the types and bits of values.
func TestValuesKeepTypesInJSON(t *testing.T) {
	m := []sqp.Rule{
		{Key: "a", Value: sqp.Byte(5)}, {Key: "b", Value: sqp.Uint16(5)}, {Key: "c", Value: sqp.Uint32(5)},
		{Key: "d", Value: sqp.Uint64(math.MaxUint64)}, {Key: "e", Value: sqp.String(" two words ")},
		{Key: "f", Value: sqp.Float32(-0.1)}, {Key: "g", Value: sqp.Float32(math.Float32frombits(0x7f800001))},
		{Key: "h", Value: sqp.RawValue(64, []byte{1, 2})}, {Key: "i", Value: sqp.String("")},
		{Key: "j", Value: sqp.Float32(float32(math.Inf(-1)))},
	}
	want := `[{"Key":"a","Value":"byte 5"},{"Key":"b","Value":"uint16 5"},{"Key":"c","Value":"uint32 5"},` +
		`{"Key":"d","Value":"uint64 18446744073709551615"},{"Key":"e","Value":"string  two words "},` +
		`{"Key":"f","Value":"float32 -0.1"},{"Key":"g","Value":"float32 0x7f800001"},` +
		`{"Key":"h","Value":"type(64) 0102"},{"Key":"i","Value":"string "},{"Key":"j","Value":"float32 0xff800000"}]`
	text, err := json.Marshal(m)
	if diff := cmp.Diff(want, string(text)); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}
	var got []sqp.Rule
	err = json.Unmarshal(text, &got)
	if diff := cmp.Diff(m, got, cmp.AllowUnexported(sqp.Value{})); diff != "" || err != nil {
		t.Errorf("error %v (-want +got):\n%s", err, diff)
	}

	table := sqp.Table{Columns: []string{"name"}, Types: []sqp.ValueType{sqp.ValueString},
		Rows: [][]sqp.Value{{sqp.String("ann")}}}
	text, err = json.Marshal(table)
	var again sqp.Table
	if err == nil {
		err = json.Unmarshal(text, &again)
	}
	if diff := cmp.Diff(table, again, cmp.AllowUnexported(sqp.Value{})); diff != "" || err != nil {
		t.Errorf("%s: error %v (-want +got):\n%s", text, err, diff)
	}
}

func TestValueRefusesWrongText(t *testing.T) {
	for _, text := range []string{
		"", "byte", "byte ", "byte 256", "byte -1", "byte 5 ", "uint16 65536", "uint32 1e3", "int 5", "float32 x",
		"float32 ", "float32 0x", "float32 0x100000000", "float32 1e99", "type(64) 0", "type(64) x", "type(256) 00",
	} {
		v := sqp.Byte(7)
		if err := v.UnmarshalText([]byte(text)); err == nil || v != sqp.Byte(7) {
			t.Errorf("%q is read as %v, error %v", text, v, err)
		}
	}
}

// Whatever text is read has one form, which is read as the same value.
func FuzzValueText(f *testing.F) {
	for _, s := range []string{"byte 5", "string \xff", "float32 0x7fc00001", "float32 0x1p-2", "type(9) 00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var v, again sqp.Value
		if v.UnmarshalText(text) != nil {
			return
		}
		b, err := v.MarshalText()
		if err != nil {
			t.Fatal(err)
		}
		if err := again.UnmarshalText(b); err != nil || v != again {
			t.Fatalf("%q: %v is %q, which is %v, error %v", text, v, b, again, err)
		}
	})
}
