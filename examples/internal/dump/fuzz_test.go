package dump_test

import (
	"bytes"
	"encoding/hex"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/dump"
)

// FuzzRead checks that results are bounded, and that two dumps of bytes are read as these
// bytes.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		"00000000: 0180 31be  ..1.\n", "0000000 100001\n*\n0000040\n", "0000 4500 0023", "[1, 2]", "{0x01}", `"\x01\101"`,
		`\x01\u0041`, "01:02", "# Message: a\n01 02", "AYAxvhgA", string(packet), "a\n\t0x0000:  4500\nb\n\t0x0000:  45 E\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, _, _ := dump.Read(b, limit)
		size := 0
		for _, p := range got.Packets {
			size += len(p)
		}
		if size > max(limit, len(b)) {
			t.Errorf("%d bytes of %d", size, len(b))
		}
		if len(b) == 0 {
			return
		}
		for _, text := range []string{hex.Dump(b), "/* */ {0x" + hex.EncodeToString(b[:1]) + "}"} {
			want := b
			if text[0] == '/' {
				want = b[:1]
			}
			back, ok, err := dump.Read([]byte(text), limit)
			if !ok || err != nil || len(back.Packets) != 1 || !bytes.Equal(back.Packets[0], want) {
				t.Errorf("%s\nis read as %s, %v, %x, error %v", text, back.Form, ok, back.Packets, err)
			}
		}
	})
}
