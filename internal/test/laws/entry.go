package laws

import (
	"bytes"
	"encoding"
	"encoding/gob"
	"encoding/json"
	"errors"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire"
)

// An Entry is the entry E of a Store. It survives its binary form, also through builds that do not
// know all of its members.
type Entry[E encoding.BinaryMarshaler, P interface {
	*E
	encoding.BinaryUnmarshaler
}] struct {
	Fix func(e *E) // changes fields that cannot have any value, and clears fields that the form omits; may be nil

	// Early is the form that an early version wrote for the entry of Filled, and Lacks clears the
	// fields that it lacked.
	Early string
	Lacks func(e *E)

	Within []string // the members that are objects
}

// Filled returns an entry whose fields are all set, texts to bytes that are not UTF-8.
func (l Entry[E, P]) Filled(t testing.TB) (e E) {
	fill(t, reflect.ValueOf(&e).Elem())
	if l.Fix != nil {
		l.Fix(&e)
	}
	return e
}

// Test tests the laws.
func (l Entry[E, P]) Test(t *testing.T) {
	t.Run("keeps all fields", l.keepsAll)
	t.Run("reads the early form", l.readsEarly)
	t.Run("keeps unknown members", l.keepsUnknown)
	t.Run("refuses", l.refuses)
}

func (l Entry[E, P]) keepsAll(t *testing.T) {
	for _, e := range []E{l.Filled(t), *new(E)} {
		b := binaryOf(t, e)
		wantEqual(t, e, l.parse(t, b))
		if after, err := any(e).(encoding.BinaryAppender).AppendBinary([]byte("before")); err != nil ||
			string(after) != "before"+string(b) {
			t.Errorf("appended: %q, %v", after, err)
		}
		var stream bytes.Buffer
		var got E
		if err := errors.Join(gob.NewEncoder(&stream).Encode(e), gob.NewDecoder(&stream).Decode(&got)); err != nil {
			t.Fatal(err)
		}
		wantEqual(t, e, got)
	}
}

func (l Entry[E, P]) readsEarly(t *testing.T) {
	want := l.Filled(t)
	reflect.ValueOf(&want).Elem().FieldByName("Extra").SetZero()
	l.Lacks(&want)
	wantEqual(t, want, l.parse(t, []byte(l.Early)))
}

// keepsUnknown adds a member to the entry and to each object in it. A build that does not know the
// member reads all others, and writes the member again.
func (l Entry[E, P]) keepsUnknown(t *testing.T) {
	e := l.Filled(t)
	reflect.ValueOf(&e).Elem().FieldByName("Extra").SetZero()
	later := string(binaryOf(t, e))
	for _, within := range append(l.Within, "") {
		start := "{"
		if within != "" {
			start = `"` + within + `":{`
		}
		if strings.Count(later, start) < 1 {
			t.Fatalf("%q is no object in %s", within, later)
		}
		later = strings.Replace(later, start, start+`"later":{"x":["\u00fc",1e400]},`, 1)
	}
	pointer := `"/later/x/0"`
	if strings.Contains(later, `"latin1":[`) {
		later = strings.Replace(later, `"latin1":[`, `"latin1":[`+pointer+`,`, 1)
	} else {
		later = strings.TrimSuffix(later, "}") + `,"latin1":[` + pointer + `]}`
	}
	got := l.parse(t, []byte(later))
	again := binaryOf(t, got)
	wantSameJSON(t, later, string(again))
	reflect.ValueOf(&got).Elem().FieldByName("Extra").SetZero()
	wantEqual(t, e, got)
}

func (l Entry[E, P]) refuses(t *testing.T) {
	for text, want := range map[string]error{
		"": lobbywire.ErrInvalid, "null": lobbywire.ErrInvalid, "5": lobbywire.ErrInvalid, "[]": lobbywire.ErrInvalid,
		"{": lobbywire.ErrInvalid, "{}x": lobbywire.ErrInvalid, `{"version":2}`: lobbywire.ErrUnsupported,
		`{"version":"x","s":"x","id":"x"}`: lobbywire.ErrUnsupported,
	} {
		e := l.Filled(t)
		err := P(&e).UnmarshalBinary([]byte(text))
		if !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
		wantEqual(t, l.Filled(t), e)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal([]byte(l.Early), &members); err != nil {
		t.Fatal(err)
	}
	delete(members, "latin1") // which is a help, not a field
	for name := range members {
		err := P(new(E)).UnmarshalBinary([]byte(`{"` + name + `":[{}]}`))
		if !errors.Is(err, lobbywire.ErrInvalid) || !strings.Contains(err.Error(), "entry."+name+" ") {
			t.Errorf("%s of another type: %v", name, err)
		}
	}
	e := l.Filled(t)
	reflect.ValueOf(&e).Elem().FieldByName("Extra").Set(reflect.ValueOf(map[string]json.RawMessage{"x": []byte("{")}))
	if _, err := e.MarshalBinary(); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("an extra that is no JSON: %v", err)
	}
}

func (l Entry[E, P]) parse(t *testing.T, b []byte) (e E) {
	t.Helper()
	input := bytes.Clone(b)
	if err := P(&e).UnmarshalBinary(input); err != nil {
		t.Fatalf("%s: %v", b, err)
	}
	if !bytes.Equal(input, b) {
		t.Errorf("the input is changed")
	}
	clear(input)
	return e
}

func binaryOf(t *testing.T, e encoding.BinaryMarshaler) []byte {
	t.Helper()
	b, err := e.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func wantEqual[E any](t *testing.T, want, got E) {
	t.Helper()
	same := cmp.Options{cmpopts.EquateComparable(netip.AddrPort{}, netip.Addr{}), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, got, same); diff != "" {
		t.Error(diff)
	}
}

func wantSameJSON(t *testing.T, want, got string) {
	t.Helper()
	parse := func(text string) (v any) {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if err := d.Decode(&v); err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return v
	}
	sorted := cmpopts.SortSlices(func(a, b any) bool { // the pointers in latin1
		x, xOK := a.(string)
		y, yOK := b.(string)
		return xOK && yOK && x < y
	})
	if diff := cmp.Diff(parse(want), parse(got), sorted); diff != "" {
		t.Error(diff)
	}
}

// fill sets all exported fields in v.
func fill(t testing.TB, v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		switch v.Type() {
		case reflect.TypeFor[time.Time]():
			v.Set(reflect.ValueOf(time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)))
		case reflect.TypeFor[netip.AddrPort]():
			v.Set(reflect.ValueOf(netip.MustParseAddrPort("[2001:db8::1]:2100")))
		case reflect.TypeFor[netip.Addr]():
			v.Set(reflect.ValueOf(netip.MustParseAddr("192.0.2.1")))
		default:
			for i := range v.NumField() {
				fill(t, v.Field(i))
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			fill(t, v.Index(i))
		}
	case reflect.String:
		v.SetString("\xfc:\x00")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(200)
	case reflect.Int, reflect.Int64:
		v.SetInt(-3)
	case reflect.Map:
		v.Set(reflect.ValueOf(map[string]json.RawMessage{"later": []byte(`[1,"x"]`)}))
	default:
		t.Fatalf("%v is not filled", v.Type())
	}
}
