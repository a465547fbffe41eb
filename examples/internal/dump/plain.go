package dump

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lobbywire/lobbywire/internal/hexfile"
)

// FormHex is the form of hexadecimal with any blanks and with comments.
const FormHex = "hexadecimal"

const (
	digits    = "0123456789"
	hexDigits = digits + "abcdefABCDEF"
)

// isHex reports whether s consists of hexadecimal digits, at least one.
func isHex(s string) bool { return s != "" && strings.Trim(s, hexDigits) == "" }

// readSeparated reads bytes such as aa:bb:cc.
func readSeparated(text string, _ int) (Text, bool, error) {
	line := strings.ReplaceAll(strings.TrimSpace(text), "\n", "")
	words := separatedWords(line)
	if len(words) < 2 || slices.ContainsFunc(words, func(w string) bool { return len(w) != 2 || !isHex(w) }) {
		return Text{}, false, nil
	}
	t := Text{Form: "hexadecimal with separators"}
	if strings.Contains(line, ",") && !strings.ContainsAny(line, "abcdefABCDEF") {
		return t, true,
			errors.New("the numbers may be decimal or hexadecimal: write 0x before each, or set [ ] around decimal ones")
	}
	b, err := decodeHex(strings.Join(words, ""))
	t.Packets = [][]byte{b}
	return t, true, err
}

// separatedWords returns the words between separators. A separator may also be at the
// end.
func separatedWords(line string) []string {
	if n := len(line); n > 0 && strings.ContainsRune(":-,", rune(line[n-1])) {
		line = line[:n-1]
	}
	return strings.Split(strings.NewReplacer(", ", ":", ",", ":", "-", ":").Replace(line), ":")
}

// readHex reads hexadecimal, in the form of our own files.
func readHex(text string, _ int) (Text, bool, error) {
	var digits, hexWords, words int
	comments := false
	for line := range strings.SplitSeq(text, "\n") {
		data, _, hasComment := strings.Cut(line, "#")
		comments = comments || hasComment
		for _, word := range strings.Fields(strings.TrimSuffix(strings.Replace(data, "<Buffer", "", 1), ">")) {
			words++
			digits += len(word)
			if isHex(strings.TrimPrefix(word, "0x")) {
				hexWords++
			}
		}
	}
	const certain = 4 // words of bytes; a few may be damaged
	if digits == 0 || hexWords < words && (hexWords < certain || 4*hexWords < 3*words || digits > 2*words) {
		return Text{}, false, nil
	}
	t, err := asHex(text)
	if err != nil && digits < 2*certain && !comments {
		return Text{}, false, nil
	}
	t.Weak = !comments
	return t, true, err
}

func asHex(text string) (Text, error) {
	t := Text{Form: FormHex}
	text = strings.TrimSpace(text)
	if inner, ok := strings.CutPrefix(text, "<Buffer"); ok {
		text = strings.TrimSuffix(inner, ">")
	}
	_, b, err := hexfile.Parse(strings.TrimPrefix(text, "0x"))
	if err != nil {
		return t, fmt.Errorf("not hexadecimal: %w", err)
	}
	t.Packets = [][]byte{b}
	return t, nil
}

// decodeHex decodes digits without blanks.
func decodeHex(digits string) ([]byte, error) {
	if len(digits)%2 == 1 {
		return nil, errors.New("an odd number of hexadecimal digits")
	}
	return hex.DecodeString(digits)
}

func withoutBlanks(s string) string { return strings.Join(strings.Fields(s), "") }

// readBase64 reads base64 of at least eight characters, in lines of one length.
func readBase64(text string, _ int) (Text, bool, error) {
	const least = 8
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i, line := range lines[:len(lines)-1] {
		if len(line) != len(lines[0]) || len(lines[i+1]) > len(line) {
			return Text{}, false, nil
		}
	}
	t, err := asBase64(text)
	if err != nil || len(lines[0]) < least {
		return Text{}, false, nil
	}
	t.Weak = true
	return t, true, nil
}

// asBase64 reads base64, with either alphabet, and padding or none.
func asBase64(text string) (Text, error) {
	digits := strings.TrimRight(strings.NewReplacer("\n", "", "-", "+", "_", "/").Replace(strings.TrimSpace(text)), "=")
	b, err := base64.RawStdEncoding.DecodeString(digits)
	if err != nil {
		return Text{Form: "base64"}, fmt.Errorf("not base64: %w", err)
	}
	return Text{Form: "base64", Packets: [][]byte{b}}, nil
}
