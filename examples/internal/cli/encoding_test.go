package cli

import (
	"testing"
	"unicode/utf8"
)

func TestTextDecoderKnowsWebNames(t *testing.T) {
	for _, tt := range []struct{ name, bytes, want string }{
		{"windows-1251", "\xcf\xf0\xe8\xe2\xe5\xf2", "Привет"},
		{"CP1251", "\xd1\xe5\xf0\xe2\xe5\xf0 1", "Сервер 1"},
		{"Shift_JIS", "\x83\x5c\x83\x93", "ソン"}, // its second byte is a backslash
		{"sjis", "\x83T\x81[\x83o\x81[", "サーバー"},
		{"gbk", "\xb7\xfe\xce\xf1\xc6\xf7", "服务器"},
		{"gbk", "\xb7", "\ufffd"}, // cut
		{"windows-1252", "\x95 In \x99", "• In ™"},
		{"utf-8", "\xff", "\ufffd"},
	} {
		decode, err := TextDecoder(tt.name)
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if got := decode([]byte(tt.bytes)); got != tt.want || !utf8.ValidString(got) {
			t.Errorf("%s: %q decoded to %q, want %q", tt.name, tt.bytes, got, tt.want)
		}
	}
	if decode, err := TextDecoder(""); decode != nil || err != nil {
		t.Errorf("no name: %t, %v", decode != nil, err)
	}
	for _, name := range []string{"klingon", "replacement", " ", "iso-2022-kr"} {
		if _, err := TextDecoder(name); err == nil {
			t.Errorf("%q: no error", name)
		}
	}
}
