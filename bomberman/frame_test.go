package bomberman_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

// wantError checks that err has this kind, field and offset. nil means no error.
func wantError(t *testing.T, err, kind error, field string, offset int) {
	t.Helper()
	if kind == nil {
		if err != nil {
			t.Errorf("error %v, want none", err)
		}
		return
	}
	var e *lobbywire.Error
	if !errors.As(err, &e) || e.Field != field || e.Offset != offset || !errors.Is(err, kind) {
		t.Errorf("error %v, want %v in %q at byte %d", err, kind, field, offset)
	}
}

func TestNextFrameCountsBytesOrUTF16Units(t *testing.T) {
	truncated, invalid, tooLarge := lobbywire.ErrTruncated, lobbywire.ErrInvalid, lobbywire.ErrTooLarge
	for _, tt := range []struct {
		name    string
		in      string
		payload string
		rest    string
		kind    error
		field   string
		offset  int
		strict  error // kind of the error of Strict, if another
	}{
		{"a frame", "3{}\n", "{}", "", nil, "", 0, nil},
		{"a frame and more", "3{}\n17{", "{}", "17{", nil, "", 0, nil},
		{"bytes count, not characters", "31{\"universität\":\"TU Chemnitz\"}\n",
			`{"universität":"TU Chemnitz"}`, "", nil, "", 0, nil},
		{"newlines in the payload", "5{\n\n}\n", "{\n\n}", "", nil, "", 0, nil},
		{"white space in front of the payload, counted", "5  {}\n", "  {}", "", nil, "", 0, nil},
		{"CR counted", "4{}\r\n", "{}\r", "", nil, "", 0, nil},
		{"payload that is no object", "5\"ab\"\n", `"ab"`, "", nil, "", 0, nil},

		{"zeros in front", "0003{}\n", "{}", "", nil, "", 0, invalid},
		{"white space in front", " \t\r\n3{}\n", "{}", "", nil, "", 0, invalid},
		{"CR for the newline, LF not counted", "3{}\r\nx", "{}", "x", nil, "", 0, invalid},
		{"units of UTF-16", "8{\"ä\":1}\n", `{"ä":1}`, "", nil, "", 0, invalid},
		{"units of UTF-16, characters beyond the first plane", "9{\"💣\":1}\n4{", `{"💣":1}`, "4{", nil, "", 0, invalid},

		{"nothing", "", "", "", truncated, "", 0, nil},
		{"half a length", "1", "", "", truncated, "", 0, nil},
		{"no payload yet", "17{", "", "", truncated, "", 0, nil},
		{"no newline yet", "3{}", "", "", truncated, "", 0, nil},
		{"only white space", " \n", "", "", truncated, "", 0, invalid},
		{"only zeros", "000", "", "", truncated, "", 0, invalid},
		{"CR at the end", "3{}\r", "", "", truncated, "", 0, invalid},
		{"units of UTF-16, cut", "8{\"ä\":1}", "", "", truncated, "", 0, invalid},
		{"units of UTF-16, cut within a character", "10{\"ä\":1,\"\xf0\x9f", "", "", truncated, "", 0, invalid},

		{"no digits", "{}\n", "", "", invalid, "length", 0, nil},
		{"a sign", "+3{}\n", "", "", invalid, "length", 0, nil},
		{"a minus", "-3{}\n", "", "", invalid, "length", 0, nil},
		{"length 0", "0{", "", "", invalid, "length", 0, nil},
		{"length 2", "2{}\n", "", "", invalid, "length", 0, nil},
		{"length too small", "3{  }\n", "", "", invalid, "newline", 3, nil},
		{"length too large", "5{}\n3{}\n", "", "", invalid, "newline", 5, nil},
		{"CR and something else", "3{}\rx", "", "", invalid, "newline", 3, nil},
		{"not UTF-8", "4{\xff}x", "", "", invalid, "newline", 4, nil},
		{"half a pair of surrogates", "4{\"💣\"}\n", "", "", invalid, "newline", 4, nil},
		{"digits of another script", "٣{}\n", "", "", invalid, "length", 0, nil},

		{"length above the limit", "65538", "", "", tooLarge, "length", 0, nil},
		{"length above the limit, behind white space", "\n99999", "", "", tooLarge, "length", 1, invalid},
		{"huge length", "99999999999999999999", "", "", tooLarge, "length", 0, nil},
		{"11 digits", "00000000003", "", "", tooLarge, "length", 0, invalid},
		{"much white space", strings.Repeat("\n", 65), "", "", tooLarge, "length", 0, invalid},
		{"most white space and digits", strings.Repeat("\n", 64) + "0000000003{}\n", "{}", "", nil, "", 0, invalid},
	} {
		t.Run(tt.name, func(t *testing.T) {
			check := func(payload, rest []byte, err, kind error, field bool) {
				t.Helper()
				switch {
				case kind == nil:
					if err != nil || string(payload) != tt.payload || string(rest) != tt.rest {
						t.Errorf("%q, %q, %v; want %q, %q", payload, rest, err, tt.payload, tt.rest)
					}
				case payload != nil || string(rest) != tt.in:
					t.Errorf("%q, %q beside %v", payload, rest, err)
				case kind == truncated:
					if err != truncated {
						t.Errorf("error %v, want ErrTruncated itself", err)
					}
				case field:
					wantError(t, err, kind, tt.field, tt.offset)
				case !errors.Is(err, kind):
					t.Errorf("error %v, want %v", err, kind)
				}
			}
			payload, rest, err := bomberman.NextFrame([]byte(tt.in), bomberman.MaxPayload)
			check(payload, rest, err, tt.kind, true)
			payload, rest, err = new(bomberman.Framer).Next([]byte(tt.in))
			check(payload, rest, err, tt.kind, true)
			kind := tt.kind
			if tt.strict != nil {
				kind = tt.strict
			}
			payload, rest, err = (&bomberman.Framer{Options: bomberman.Options{Strict: true}}).Next([]byte(tt.in))
			check(payload, rest, err, kind, tt.strict == nil)
		})
	}
}

func TestNextFrameRefusesMoreThanItsLimit(t *testing.T) {
	long := func(n int) []byte {
		return append([]byte(`{"a":"`), append(bytes.Repeat([]byte("x"), n-8), `"}`...)...)
	}
	largest := append([]byte("65537"), append(long(bomberman.MaxPayload), '\n')...)
	for _, strict := range []bool{false, true} {
		payload, rest, err := (&bomberman.Framer{Options: bomberman.Options{Strict: strict}}).Next(largest)
		if err != nil || len(payload) != bomberman.MaxPayload || len(rest) != 0 {
			t.Errorf("strict %v: %d bytes, %d left, %v", strict, len(payload), len(rest), err)
		}
		if _, err := (bomberman.Options{Strict: strict}).ParseMessage(payload); !strings.Contains(err.Error(),
			"command at byte 65535: invalid") {
			t.Errorf("strict %v: %v", strict, err)
		}
	}
	_, _, err := bomberman.NextFrame([]byte("9"), 7)
	wantError(t, err, lobbywire.ErrTooLarge, "length", 0)
	_, _, err = bomberman.NextFrame([]byte("8{}"), 7)
	if err != lobbywire.ErrTruncated {
		t.Errorf("limit 7, length 8: %v", err)
	}
	if payload, _, err := bomberman.NextFrame(largest, 0); err != nil || len(payload) != bomberman.MaxPayload {
		t.Errorf("limit 0: %d bytes, %v", len(payload), err)
	}
	_, _, err = bomberman.NextFrame([]byte("65538"), 0)
	wantError(t, err, lobbywire.ErrTooLarge, "length", 0)
	_, _, err = bomberman.NextFrame([]byte("3{}\n"), -1)
	wantError(t, err, lobbywire.ErrTooLarge, "length", 0)
	_, _, err = bomberman.NextFrame([]byte("6{äöü}\n"), 5)
	wantError(t, err, lobbywire.ErrTooLarge, "message", 1)
}

func TestAppendFrameCountsBytesAndTheNewline(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload string
		want    string
		kind    error
	}{
		{"smallest", "{}", "3{}\n", nil},
		{"bytes count", `{"universität":"TU Chemnitz"}`, "31{\"universität\":\"TU Chemnitz\"}\n", nil},
		{"largest", strings.Repeat(" ", 65535), "65536" + strings.Repeat(" ", 65535) + "\n", nil},
		{"too short", "{", "", lobbywire.ErrInvalid},
		{"too long", strings.Repeat(" ", 65536), "", lobbywire.ErrTooLarge},
	} {
		got, err := bomberman.AppendFrame([]byte("x"), []byte(tt.payload))
		wantError(t, err, tt.kind, "message", -1)
		if string(got) != "x"+tt.want {
			t.Errorf("%s: %d bytes, want %d", tt.name, len(got), len(tt.want)+1)
		}
	}
}

func TestSplitReportsFramesCutAtTheEnd(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     string
		frames int
		kind   error
		field  string
		offset int
	}{
		{"between frames", "3{}\n3{}\n", 2, nil, "", 0},
		{"in white space", "3{}\n\r\n ", 1, nil, "", 0},
		{"in a length", "3{}\n1", 1, lobbywire.ErrTruncated, "length", 0},
		{"in a payload", "3{}\n17{", 1, lobbywire.ErrTruncated, "message", 2},
		{"before the newline", "3{}", 0, lobbywire.ErrTruncated, "message", 1},
	} {
		payloads, err := framing(bomberman.Options{}).Scan(strings.NewReader(tt.in))
		wantError(t, err, tt.kind, tt.field, tt.offset)
		if len(payloads) != tt.frames {
			t.Errorf("%s: %d frames, want %d", tt.name, len(payloads), tt.frames)
		}
	}
	// With Strict, white space at the end of a stream is an error.
	_, err := framing(bomberman.Options{Strict: true}).Scan(strings.NewReader("3{}\n "))
	wantError(t, err, lobbywire.ErrInvalid, "length", 0)
}

func TestAppendMessageFramesOrKeepsItsBuffer(t *testing.T) {
	got, err := bomberman.AppendMessage([]byte("x"), bomberman.Heartbeat{})
	if want := "x26{\"command\":\"xxHeartbeat\"}\n"; string(got) != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	given := []byte("x")
	got, err = bomberman.AppendMessage(given, nil)
	wantError(t, err, lobbywire.ErrInvalid, "message", -1)
	if string(got) != "x" {
		t.Errorf("given x, returned %q", got)
	}
	got, err = bomberman.AppendMessage(given, bomberman.PlayerAction{Action: 5})
	wantError(t, err, lobbywire.ErrInvalid, "content.action", -1)
	if string(got) != "x" {
		t.Errorf("given x, returned %q", got)
	}
}

func TestParseFrameTakesOneWholeFrame(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     string
		kind   error
		field  string
		offset int
	}{
		{"cut in the length", "2", lobbywire.ErrTruncated, "length", 0},
		{"cut in the payload", "26{\"command\":\"xxHeartbeat\"}", lobbywire.ErrTruncated, "message", 2},
		{"payload cut short, frame whole", "25{\"command\":\"xxHeartbeat\"\n", lobbywire.ErrInvalid, "", 26},
		{"two frames", "26{\"command\":\"xxHeartbeat\"}\n3", lobbywire.ErrTrailing, "", 28},
		{"no object", "5\"ab\"\n", lobbywire.ErrInvalid, "", 1},
		{"offsets count from the frame's start", "17{\"command\":\"\\x\"}\n", lobbywire.ErrInvalid, "command", 13},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := bomberman.ParseFrame([]byte(tt.in))
			wantError(t, err, tt.kind, tt.field, tt.offset)
		})
	}
}
