package colour

import "strings"

// seriousSam reads the code at the start of a text. It returns its size, which is 0 if there
// is none. Like the engine, it accepts a code that the text cuts short.
func seriousSam(text string) (size int, colour string) {
	if text[0] != '^' || len(text) < 2 {
		return 0, ""
	}
	switch text[1] {
	case 'c':
		end := min(len(text), 8)
		if colour, ok := hex(text[2:end]); ok {
			return end, colour
		}
		return end, unchanged
	case 'a':
		return min(len(text), 4), unchanged
	case 'f':
		return min(len(text), 3), unchanged
	case 'r', 'o', 'C':
		return 2, ""
	case 'b', 'i', 'A', 'F', 'B', 'I':
		return 2, unchanged
	case '^':
		return 2, circumflex
	}
	return 0, ""
}

// The colours of Quake III, by the last three bits of the digit.
var quakeColours = [8]string{"#000000", "#ff0000", "#00ff00", "#ffff00", "#0000ff", "#00ffff", "#ff00ff", ""}

// The colours of Minecraft, by the hexadecimal digit.
var minecraftColours = [16]string{
	"#000000", "#0000aa", "#00aa00", "#00aaaa", "#aa0000", "#aa00aa", "#ffaa00", "#aaaaaa",
	"#555555", "#5555ff", "#55ff55", "#55ffff", "#ff5555", "#ff55ff", "#ffff55", "",
}

// quake reads the code at the start of a text, as seriousSam does.
func quake(text string) (size int, colour string) {
	if text[0] == '^' {
		if len(text) < 2 || text[1] < '0' || text[1] > '9' {
			return 0, ""
		}
		return 2, quakeColours[(text[1]-'0')&7]
	}
	rest, found := strings.CutPrefix(text, sign)
	if !found || rest == "" {
		return 0, ""
	}
	size = len(sign) + 1
	switch code := rest[0] | lower; {
	case code == 'x':
		return sixDigits(text, size)
	case code == 'r':
		return size, ""
	case code >= 'k' && code <= 'o':
		return size, unchanged // bold and other formats
	default:
		if i := strings.IndexByte("0123456789abcdef", code); i >= 0 {
			return size, minecraftColours[i]
		}
		return 0, ""
	}
}

const (
	sign  = "§"
	lower = 0x20 // the bit that makes a letter lower-case
)

// sixDigits reads the colour after §x: six signs with a digit each.
func sixDigits(text string, size int) (end int, colour string) {
	digits := make([]byte, 0, 6)
	for end = size; len(digits) < cap(digits); end += len(sign) + 1 {
		rest, found := strings.CutPrefix(text[end:], sign)
		if !found || rest == "" {
			return size, unchanged
		}
		digits = append(digits, rest[0])
	}
	if colour, ok := hex(string(digits)); ok {
		return end, colour
	}
	return size, unchanged
}
