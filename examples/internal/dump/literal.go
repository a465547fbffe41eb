package dump

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Patterns of literals.
var (
	quoted      = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'`)
	byteEscape  = regexp.MustCompile(`\\x[0-9a-fA-F]|\\[0-7]{1,3}`)
	code        = regexp.MustCompile(`^[\w\s\[\](){}<>*&=:;+\\.$-]*$`)
	bytesMarker = regexp.MustCompile(`(?:\b[bB][rR]?|\[\]byte\()$`)
	ofHex       = regexp.MustCompile(`(?i)hex\w*\(\s*$`)
	comment     = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
)

// readQuoted reads string literals of C, Go, Python and others, which are one text if they
// follow each other.
func readQuoted(text string, _ int) (Text, bool, error) {
	places := quoted.FindAllStringIndex(text, -1)
	outside := quoted.ReplaceAllString(text, "")
	if len(places) == 0 || !code.MatchString(outside) {
		return Text{}, false, nil
	}
	before := strings.TrimRight(text[:places[0][0]], " ")
	var data []byte
	if ofHex.MatchString(before) {
		for _, p := range places {
			b, err := decodeHex(withoutBlanks(text[p[0]+1 : p[1]-1]))
			if err != nil {
				return Text{Form: "hexadecimal in a literal"}, true, err
			}
			data = append(data, b...)
		}
		return Text{Form: "hexadecimal in a literal", Packets: [][]byte{data}}, true, nil
	}
	isBytes := bytesMarker.MatchString(before)
	for _, p := range places {
		isBytes = isBytes || byteEscape.MatchString(text[p[0]:p[1]])
	}
	if !isBytes {
		return Text{}, false, nil
	}
	t := Text{Form: "a string literal"}
	for _, p := range places {
		b, err := unescape(text[p[0]+1 : p[1]-1])
		if err != nil {
			return t, true, err
		}
		data = append(data, b...)
	}
	t.Packets = [][]byte{data}
	return t, true, nil
}

// readEscapes reads a text with escapes such as \x01, without quotes.
func readEscapes(text string, _ int) (Text, bool, error) {
	line := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), "\\\n", ""), "\n", "")
	if !regexp.MustCompile(`^\\x[0-9a-fA-F]`).MatchString(line) {
		return Text{}, false, nil
	}
	b, err := unescape(line)
	return Text{Form: `text with \x escapes`, Packets: [][]byte{b}, Weak: true}, true, err
}

// simpleEscapes maps the letter of an escape to its byte.
var simpleEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', 'e': 0x1b,
	'\\': '\\', '"': '"', '\'': '\'', '?': '?',
}

// unescape returns what the inside of a literal means.
func unescape(s string) ([]byte, error) {
	var data []byte
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			data = append(data, s[i])
			i++
			continue
		}
		digits, base, bits := 0, 16, 8
		at := i + 2
		kind := byte(0)
		if i+1 < len(s) {
			kind = s[i+1]
		}
		switch {
		case kind == 'x':
			digits = 2
		case kind == 'u':
			digits, bits = 4, 32
		case kind == 'U':
			digits, bits = 8, 32
		case '0' <= kind && kind <= '7':
			at, base = i+1, 8
			for digits < 3 && at+digits < len(s) && '0' <= s[at+digits] && s[at+digits] <= '7' {
				digits++
			}
		case kind == '\n':
			i += 2
			continue
		default:
			b, ok := simpleEscapes[kind]
			if !ok {
				return nil, fmt.Errorf("no escape: %q", s[i:min(i+2, len(s))])
			}
			data = append(data, b)
			i += 2
			continue
		}
		end := min(at+digits, len(s))
		n, err := strconv.ParseUint(s[at:end], base, bits)
		if err != nil || end-at < digits {
			return nil, fmt.Errorf("no escape: %q", s[i:end])
		}
		if bits == 8 {
			data = append(data, byte(n))
		} else {
			data = utf8.AppendRune(data, rune(n))
		}
		i = end
	}
	return data, nil
}

// readArray reads the numbers of an array of C, Go, Python and others.
func readArray(text string, _ int) (Text, bool, error) {
	inside, bracketed := strings.TrimSpace(comment.ReplaceAllString(text, " ")), false
	for _, pair := range []string{"{}", "[]", "()"} {
		start, end := strings.LastIndexByte(inside, pair[0]), strings.IndexByte(inside, pair[1])
		if end < start {
			end = strings.LastIndexByte(inside, pair[1])
		}
		if start < 0 || end < start || strings.TrimSpace(inside[start+1:end]) == "" {
			continue
		}
		if !code.MatchString(inside[:start]) || !code.MatchString(inside[end+1:]) {
			return Text{}, false, nil
		}
		inside, bracketed = inside[start+1:end], true
		break
	}
	words := strings.FieldsFunc(inside, func(r rune) bool { return strings.ContainsRune(", \t\n", r) })
	isHex, decimal := false, true
	for _, w := range words {
		isHex = isHex || len(w) <= 4 && strings.HasPrefix(strings.ToLower(w), "0x")
		decimal = decimal && isDecimal(w)
	}
	if !isHex && (!bracketed || !decimal || len(words) < 2) {
		return Text{}, false, nil
	}
	t := Text{Form: "an array of numbers", Weak: !isHex}
	var data []byte
	zeros := false
	for _, w := range words {
		digits, base := w, 10
		if strings.HasPrefix(strings.ToLower(w), "0x") {
			digits, base = w[2:], 16
		}
		n, err := strconv.ParseUint(strings.TrimSuffix(digits, "u8"), base, 8)
		if err != nil {
			return t, true, fmt.Errorf("%q is not a byte", w)
		}
		zeros = zeros || base == 10 && len(digits) > 1 && digits[0] == '0'
		data = append(data, byte(n))
	}
	if zeros {
		return t, true, fmt.Errorf("numbers such as 010 may be decimal, octal or hexadecimal: write them as 0x0a")
	}
	t.Packets = [][]byte{data}
	return t, true, nil
}

func isDecimal(s string) bool {
	_, err := strconv.ParseUint(s, 10, 16)
	return err == nil
}
