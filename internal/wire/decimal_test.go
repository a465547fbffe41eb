package wire_test

import (
	"errors"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/wire"
)

func TestInt0ReadsDigitsUntilZero(t *testing.T) {
	for _, tt := range []struct {
		name, in string
		bits     int
		want     int64
		wantErr  error
	}{
		{"zero", "0\x00", 32, 0, nil},
		{"leading zeros", "007\x00", 32, 7, nil},
		{"bytes after the end", "12\x0034", 32, 12, nil},
		{"negative", "-12\x00", 32, -12, nil},
		{"least of 32 bits", "-2147483648\x00", 32, math.MinInt32, nil},
		{"greatest of 32 bits", "2147483647\x00", 32, math.MaxInt32, nil},
		{"below 32 bits", "-2147483649\x00", 32, 0, lobbywire.ErrInvalid},
		{"above 32 bits", "2147483648\x00", 32, 0, lobbywire.ErrInvalid},
		{"above 32 bits and not ended", "2147483648", 32, 0, lobbywire.ErrInvalid},
		{"least of 64 bits", "-9223372036854775808\x00", 64, math.MinInt64, nil},
		{"greatest of 64 bits", "9223372036854775807\x00", 64, math.MaxInt64, nil},
		{"above 64 bits", "9223372036854775808\x00", 64, 0, lobbywire.ErrInvalid},
		{"far above 64 bits", "99999999999999999999999\x00", 64, 0, lobbywire.ErrInvalid},
		{"no digits", "\x00", 32, 0, lobbywire.ErrInvalid},
		{"a sign alone", "-\x00", 32, 0, lobbywire.ErrInvalid},
		{"a plus sign", "+1\x00", 32, 0, lobbywire.ErrInvalid},
		{"a letter", "1x\x00", 32, 0, lobbywire.ErrInvalid},
		{"a letter and not ended", "1x", 32, 0, lobbywire.ErrInvalid},
		{"nothing", "", 32, 0, lobbywire.ErrTruncated},
		{"a sign so far", "-", 32, 0, lobbywire.ErrTruncated},
		{"digits so far", "123", 32, 0, lobbywire.ErrTruncated},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := wire.NewReader([]byte(tt.in))
			got := r.Int0(tt.bits, "number")
			if err := r.Err("test"); got != tt.want || !errors.Is(err, tt.wantErr) {
				t.Errorf("got %d, %v; want %d, %v", got, err, tt.want, tt.wantErr)
			}
		})
	}
}

// FuzzInt0 compares with the standard library.
func FuzzInt0(f *testing.F) {
	f.Add("0", uint8(32))
	f.Add("-128", uint8(8))
	f.Add("9223372036854775807", uint8(64))
	f.Fuzz(func(t *testing.T, s string, size uint8) {
		if strings.Contains(s, "\x00") {
			return
		}
		bits := 8 << (size % 4)
		r := wire.NewReader([]byte(s + "\x00"))
		got := r.Int0(bits, "number")
		want, err := strconv.ParseInt(s, 10, bits)
		failed := err != nil || s[0] == '+'
		if r.Failed() != failed || !failed && got != want {
			t.Errorf("%q in %d bits: got %d, %v; want %d, %v", s, bits, got, r.Err("test"), want, err)
		}
	})
}

func TestInt0ReadsWhatItWrites(t *testing.T) {
	for _, v := range []int64{0, 7, -12, math.MinInt64, math.MaxInt64} {
		w := wire.NewWriter(nil)
		w.Int0(v)
		b, err := w.Finish("test")
		if err != nil {
			t.Fatal(err)
		}
		r := wire.NewReader(b)
		if got := r.Int0(64, "number"); got != v || r.Failed() || r.Len() != 0 {
			t.Errorf("%d comes back as %d, error %v", v, got, r.Err("test"))
		}
	}
}
