package wire

import "testing"

func TestEnumNameNumbersTheUnknown(t *testing.T) {
	names := []string{1: "one", 2: "two"}
	for v, want := range map[int]string{1: "one", 2: "two", 0: "kind(0)", 3: "kind(3)", -1: "kind(-1)"} {
		if got := EnumName(v, "kind", names...); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
	if got := EnumName(^uint32(0), "kind", names...); got != "kind(4294967295)" {
		t.Errorf("the largest value is %q", got)
	}
}

func TestBitNamesNumberTheUnknown(t *testing.T) {
	names := []string{"a", "b", "c"}
	for _, tt := range []struct {
		set  uint8
		base int
		want string
	}{
		{0, 0, "none"}, {0, 16, "none"}, {1, 16, "a"}, {7, 10, "a|b|c"}, {5, 0, "a|c"},
		{0x18, 16, "0x18"}, {0x19, 16, "a|0x18"}, {0x1a, 10, "b|24"}, {0x18, 0, "none"}, {0x19, 0, "a"},
	} {
		if got := BitNames(tt.set, names, tt.base, "none"); got != tt.want {
			t.Errorf("%#x in base %d is %q, want %q", tt.set, tt.base, got, tt.want)
		}
	}
	if got := BitNames(uint16(0x83), []string{0: "a", 7: "high"}, 16, ""); got != "a|high|0x2" {
		t.Errorf("with bits that have no name: %q", got)
	}
}
