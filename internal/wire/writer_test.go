package wire

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
)

func TestWriterWritesEachKind(t *testing.T) {
	w := NewWriter([]byte("given"))
	w.Uint8(1)
	w.Uint16(0x102)
	w.Uint16LE(0x102)
	w.Uint32(0x1020304)
	w.Uint32LE(0x1020304)
	w.Uint64(0x102030405060708)
	w.Float32(1)
	w.SetBuffer(append(w.Buffer(), "ab"...))
	w.Bytes([]byte("cd"))
	w.Text8("", "ef")
	w.Text0("", "gh")
	at := w.Size(2)
	w.Text("klm")
	w.SetSize(at, 2, "")
	at = w.Size(4)
	w.Text("nopq")
	w.SetSize(at, 4, "")
	want := "given" + "\x01" + "\x01\x02" + "\x02\x01" + "\x01\x02\x03\x04" + "\x04\x03\x02\x01" +
		"\x01\x02\x03\x04\x05\x06\x07\x08" + "\x3f\x80\x00\x00" + "ab" + "cd" +
		"\x02ef" + "gh\x00" + "\x00\x03klm" + "\x00\x00\x00\x04nopq"
	got, err := w.Finish("p")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if w.Len() != len(want)-len("given") {
		t.Errorf("Len %d, want %d", w.Len(), len(want)-len("given"))
	}
}

func TestWriterRefusesWhatTheFormatLacks(t *testing.T) {
	for _, tt := range []struct {
		name  string
		write func(w *Writer)
		want  lobbywire.Error
	}{
		{"256 bytes after a length byte", func(w *Writer) { w.Text8("s", strings.Repeat("x", 256)) },
			lobbywire.Error{Field: "s", Err: exceeded(256, 255)}},
		{"zero byte before the terminator",
			func(w *Writer) { w.Text0("s", "a\x00b") }, lobbywire.Error{Field: "s", Err: Invalid(hasZero)}},
		{"65536 bytes after a length of 16 bits", func(w *Writer) {
			at := w.Size(2)
			w.Bytes(make([]byte, 1<<16))
			w.SetSize(at, 2, "size")
		}, lobbywire.Error{Field: "size", Err: exceeded(1<<16, 1<<16-1)}},
		{"first refusal is kept", func(w *Writer) {
			w.In("rows", 2)
			w.Fail(lobbywire.ErrInvalid, "a")
			w.Fail(lobbywire.ErrTooLarge, "b")
		}, lobbywire.Error{Field: "rows[2].a", Err: lobbywire.ErrInvalid}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			w := NewWriter([]byte("given"))
			tt.write(&w)
			if !w.Failed() {
				t.Error("has not failed")
			}
			got, err := w.Finish("p")
			tt.want.Proto, tt.want.Offset = "p", -1
			if e, ok := err.(*lobbywire.Error); !ok || e.Error() != tt.want.Error() {
				t.Errorf("error %v, want %v", err, &tt.want)
			}
			if string(got) != "given" {
				t.Errorf("returned %q", got)
			}
		})
	}
}
