package dump

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// readQuoted reads string literals of C, Go, Python and others, which are one text if they
// follow each other.
func readQuoted(text string, _ int) (Text, bool, error) {
	literals, before, behind := cutLiterals(text)
	if len(literals) == 0 || !isCode(before) || !isCode(behind) {
		return Text{}, false, nil
	}
	t, decode := Text{Form: "a string literal"}, unescape
	switch {
	case callsHex(before):
		t.Form = "hexadecimal in a literal"
		decode = func(s string) ([]byte, error) { return decodeHex(withoutBlanks(s)) }
	case !marksBytes(before) && !slices.ContainsFunc(literals, hasByteEscape):
		return Text{}, false, nil
	}
	var data []byte
	for _, s := range literals {
		b, err := decode(s)
		if err != nil {
			return t, true, err
		}
		data = append(data, b...)
	}
	t.Packets = [][]byte{data}
	return t, true, nil
}

// cutLiterals returns the contents of the string literals in a text, the text before the
// first one, and all other text.
func cutLiterals(text string) (literals []string, before, behind string) {
	unclosed := make(map[byte]int) // by quote: no literal that starts before this place has an end
	var between strings.Builder
	start := 0
	for i := 0; i < len(text); i++ {
		quote := text[i]
		if quote != '"' && quote != '\'' || i < unclosed[quote] {
			continue
		}
		end, closed := endOfLiteral(text, i)
		if !closed {
			unclosed[quote] = end
			continue
		}
		if len(literals) == 0 {
			before = text[:i]
		} else {
			between.WriteString(text[start:i])
		}
		literals = append(literals, text[i+1:end])
		i, start = end, end+1
	}
	return literals, before, between.String() + text[start:]
}

// endOfLiteral returns the place of the quote that ends the literal at start. If there is none,
// it returns the end of the literal: the end of the text or of an escaped line.
func endOfLiteral(text string, start int) (end int, closed bool) {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case text[start]:
			return i, true
		case '\\':
			i++
			if i < len(text) && text[i] == '\n' {
				return i, false
			}
		}
	}
	return len(text), false
}

const (
	wordCharacters = digits + "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
	codeCharacters = wordCharacters + " \t\n[](){}<>*&=:;+\\.$-"
)

// isCode reports whether s can be code around literals and numbers.
func isCode(s string) bool { return strings.Trim(s, codeCharacters) == "" }

// lastWord returns the word at the end of code, in small letters.
func lastWord(code string) string {
	return strings.ToLower(code[len(strings.TrimRight(code, wordCharacters)):])
}

// callsHex reports whether code ends with the call of a function that decodes hexadecimal.
func callsHex(code string) bool {
	function, ok := strings.CutSuffix(strings.TrimRight(code, " \t\n"), "(")
	return ok && strings.Contains(lastWord(function), "hex")
}

// marksBytes reports whether code ends with a mark that makes a literal bytes, not text.
func marksBytes(code string) bool {
	code = strings.TrimRight(code, " ")
	word := lastWord(code)
	return word == "b" || word == "br" || strings.HasSuffix(code, "[]byte(")
}

// hasByteEscape reports whether a literal has an escape such as \x01 or \001.
func hasByteEscape(literal string) bool {
	for {
		_, escape, found := strings.Cut(literal, `\`)
		if !found {
			return false
		}
		if startsHexEscape(literal[len(literal)-len(escape)-1:]) || escape != "" && '0' <= escape[0] && escape[0] <= '7' {
			return true
		}
		literal = escape
	}
}

// startsHexEscape reports whether s starts with an escape such as \x01.
func startsHexEscape(s string) bool {
	return len(s) > 2 && strings.HasPrefix(s, `\x`) && isHex(s[2:3])
}

// readEscapes reads a text with escapes such as \x01, without quotes.
func readEscapes(text string, _ int) (Text, bool, error) {
	line := strings.ReplaceAll(strings.ReplaceAll(strings.TrimSpace(text), "\\\n", ""), "\n", "")
	if !startsHexEscape(line) {
		return Text{}, false, nil
	}
	b, err := unescape(line)
	return Text{Form: `text with \x escapes`, Packets: [][]byte{b}, Weak: true}, true, err
}

// readPlainEscapes reads a text with escapes such as %01 or \01, without quotes. A text that
// starts with one \ escape may be a message of GameSpy, so two are needed.
func readPlainEscapes(text string, _ int) (Text, bool, error) {
	line := strings.TrimSpace(text)
	for _, escape := range []struct {
		mark  string
		least int // number of escapes at the start
	}{{"%", 1}, {`\`, 2}} {
		parts := strings.Split(line, escape.mark)
		if parts[0] != "" || len(parts) <= escape.least {
			continue
		}
		var data []byte
		for i, part := range parts[1:] {
			b, err := hex.DecodeString(part[:min(len(part), 2)])
			if err != nil || len(b) == 0 || i+1 < escape.least && len(part) > 2 {
				data = nil
				break
			}
			data = append(append(data, b...), part[2:]...)
		}
		if data != nil {
			t := Text{Form: "text with " + escape.mark + "HH escapes", Packets: [][]byte{data}, Weak: true}
			return t, true, nil
		}
	}
	return Text{}, false, nil
}

// simpleEscapes maps the letter of an escape to its byte.
var simpleEscapes = map[byte]byte{
	'a': '\a', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t', 'v': '\v', 'e': 0x1b,
	'\\': '\\', '"': '"', '\'': '\'', '?': '?',
}

// unescape returns the bytes that the content of a literal stands for.
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
	inside, bracketed := strings.TrimSpace(withoutComments(text)), false
	for _, pair := range []string{"{}", "[]", "()"} {
		start, end := strings.LastIndexByte(inside, pair[0]), strings.IndexByte(inside, pair[1])
		if end < start {
			end = strings.LastIndexByte(inside, pair[1])
		}
		if start < 0 || end < start || strings.TrimSpace(inside[start+1:end]) == "" {
			continue
		}
		if !isCode(inside[:start]) || !isCode(inside[end+1:]) {
			return Text{}, false, nil
		}
		inside, bracketed = inside[start+1:end], true
		break
	}
	inside = strings.ReplaceAll(inside, "(byte)", "")
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
	data, err := numbers(words)
	if err == nil {
		t.Packets = [][]byte{data}
	}
	return t, true, err
}

// numbers converts words to bytes. They are signed, as in Java, if one is
// negative.
func numbers(words []string) (data []byte, err error) {
	zeros, signed, unsigned := false, false, false
	for _, w := range words {
		digits, base := w, 10
		if strings.HasPrefix(strings.ToLower(w), "0x") {
			digits, base = w[2:], 16
		}
		n, err := strconv.ParseInt(strings.TrimSuffix(digits, "u8"), base, 16)
		if err != nil || n < -128 || n > 255 || n < 0 && base == 16 {
			return nil, fmt.Errorf("%q is not a byte", w)
		}
		zeros = zeros || base == 10 && len(digits) > 1 && digits[0] == '0'
		signed = signed || n < 0
		unsigned = unsigned || n > 127 && base == 10
		data = append(data, byte(n))
	}
	switch {
	case zeros:
		return nil, errors.New("numbers such as 010 may be decimal, octal or hexadecimal: write them as 0x0a")
	case signed && unsigned:
		return nil, errors.New("some bytes are negative and some are over 127")
	}
	return data, nil
}

// readBuffer reads a buffer of Node as JSON.
func readBuffer(text string, _ int) (Text, bool, error) {
	var buffer struct {
		Type string
		Data []int
	}
	if err := json.Unmarshal([]byte(text), &buffer); err != nil || buffer.Type != "Buffer" {
		return Text{}, false, nil
	}
	t := Text{Form: "a buffer of Node as JSON"}
	data := make([]byte, len(buffer.Data))
	for i, n := range buffer.Data {
		if n < 0 || n > 255 {
			return t, true, fmt.Errorf("%d is not a byte", n)
		}
		data[i] = byte(n)
	}
	t.Packets = [][]byte{data}
	return t, true, nil
}

// withoutComments returns code with a blank for each comment of C or Go.
func withoutComments(code string) string {
	var b strings.Builder
	last := strings.LastIndex(code, "*/")
	for i := 0; i < len(code); {
		size := 0
		switch rest := code[i:]; {
		case strings.HasPrefix(rest, "//"):
			line, _, _ := strings.Cut(rest, "\n")
			size = len(line)
		case strings.HasPrefix(rest, "/*") && i+2 <= last:
			size = 2 + strings.Index(rest[2:], "*/") + 2
		}
		if size == 0 {
			b.WriteByte(code[i])
			i++
			continue
		}
		b.WriteByte(' ')
		i += size
	}
	return b.String()
}

func isDecimal(s string) bool {
	_, err := strconv.ParseInt(s, 10, 16)
	return err == nil
}
