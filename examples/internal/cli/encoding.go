package cli

import (
	"errors"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
)

// TextDecoder returns the decoder of an encoding, for the field Text of codecs and
// clients. Encodings have the names used by web pages, in any case: windows-1251,
// shift_jis, gbk and others. The name "" returns nil, for Windows-1252.
func TextDecoder(name string) (decode func([]byte) string, err error) {
	if name == "" {
		return nil, nil
	}
	e, err := htmlindex.Get(name)
	if err != nil || e == encoding.Replacement {
		return nil, errors.New("unknown encoding; there are windows-1251, shift_jis, gbk and the others of web pages")
	}
	return func(b []byte) string {
		text, err := e.NewDecoder().String(string(b))
		if err != nil { // no encoding of the index reports one: it decodes to U+FFFD
			text = string(b)
		}
		return strings.ToValidUTF8(text, "\ufffd")
	}, nil
}
