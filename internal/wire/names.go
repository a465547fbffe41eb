package wire

import (
	"strconv"
	"strings"
)

// EnumName returns names[v]. If v has no name, it returns a form such as "type(7)".
func EnumName[T ~int | ~uint8 | ~uint32](v T, kind string, names ...string) string {
	if i := int64(v); i >= 0 && i < int64(len(names)) && names[i] != "" {
		return names[i]
	}
	return kind + "(" + strconv.FormatInt(int64(v), 10) + ")"
}

// BitNames returns the names of the bits of a set, from the lowest, joined by |. Bits
// without a name follow as a number in the base 10 or 16, or are left out if base is 0.
// If that leaves nothing, it returns empty.
func BitNames[T ~uint8 | ~uint16 | ~uint32](set T, names []string, base int, empty string) string {
	var all []string
	rest := uint64(set)
	for i, name := range names {
		if bit := uint64(1) << i; rest&bit != 0 && name != "" {
			all = append(all, name)
			rest &^= bit
		}
	}
	switch {
	case rest != 0 && base == 16:
		all = append(all, "0x"+strconv.FormatUint(rest, 16))
	case rest != 0 && base == 10:
		all = append(all, strconv.FormatUint(rest, 10))
	case len(all) == 0:
		return empty
	}
	return strings.Join(all, "|")
}
