package formats

import (
	"errors"
	"testing"

	"github.com/lobbywire/lobbywire"
)

// A message in HTTP is read strictly to the end of its body.
func TestStrictRefusesABody(t *testing.T) {
	b := []byte("HTTP/1.1 200 OK\r\nContent-Length: 25\r\n\r\n{\"pass\":true,\"pass\":true}")
	strict := DefaultOptions()
	strict.Strict = true
	if _, err := parseHTTP(b, DefaultOptions(), wzhttpAnswer); err != nil {
		t.Error(err)
	}
	if _, err := parseHTTP(b, strict, wzhttpAnswer); !errors.Is(err, lobbywire.ErrInvalid) {
		t.Errorf("strictly: %v", err)
	}
}

// FuzzHTTP checks that the explanation of a message covers all bytes, and that a valid
// message is appended unchanged.
func FuzzHTTP(f *testing.F) {
	f.Add([]byte("PATCH /base/api/v1/game/G HTTP/1.1\r\nHost: 127.0.0.1:18471\r\nContent-Length: 10\r\n\r\n{\"ally\":2}"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n{\"pass\":true}"))
	f.Add([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" +
		"7\r\n{\"type\"\r\n10\r\n:\"header\"}\n{}\n  \r\n0\r\n\r\n"))
	f.Add([]byte("HTTP/1.0 404\r\n\r\nno"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, body := range []httpBody{wzhttpRequest, wzhttpAnswer} {
			e := explainHTTP(b, DefaultOptions(), body)
			at := 0
			for _, p := range e.Fields {
				if p.Offset != at || p.Length < 0 {
					t.Fatalf("%q: field %q is at %d+%d, want %d", b, p.Name, p.Offset, p.Length, at)
				}
				at += p.Length
			}
			if at != len(b) {
				t.Fatalf("%q: %d bytes explained", b, at)
			}
			m, err := parseHTTP(b, DefaultOptions(), body)
			if err != nil {
				continue
			}
			if again, err := m.AppendBinary(nil); string(again) != string(b) || err != nil {
				t.Fatalf("%q is appended as %q, %v", b, again, err)
			}
		}
	})
}
