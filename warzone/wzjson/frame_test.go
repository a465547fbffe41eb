package wzjson_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

func TestNextReadsOneObject(t *testing.T) {
	truncated, invalid, tooLarge := lobbywire.ErrTruncated, lobbywire.ErrInvalid, lobbywire.ErrTooLarge
	for _, tt := range []struct {
		name    string
		in      string
		limit   int
		payload string
		rest    string
		kind    error
		offset  int
	}{
		{"an object", `{}`, 99, `{}`, "", nil, 0},
		{"an object and a newline", "{}\n", 99, `{}`, "\n", nil, 0},
		{"white space in front", " \r\n\t{}{", 99, `{}`, "{", nil, 0},
		{"no white space between", `{}{}`, 99, `{}`, "{}", nil, 0},
		{"objects in objects", `{"a":{"b":{}},"c":[{}]}x`, 99, `{"a":{"b":{}},"c":[{}]}`, "x", nil, 0},
		{"braces in texts", `{"}":"{{"}`, 99, `{"}":"{{"}`, "", nil, 0},
		{"quotes in texts", `{"\"}\\":""}}`, 99, `{"\"}\\":""}`, "}", nil, 0},
		{"what is no JSON, but has braces", `{a]}`, 99, `{a]}`, "", nil, 0},
		{"of the longest size", `{   }`, 5, `{   }`, "", nil, 0},

		{"nothing", ``, 99, "", "", truncated, 0},
		{"white space", " \n", 99, "", "", truncated, 0},
		{"half an object", `{"a":{}`, 99, "", "", truncated, 0},
		{"half a text", `{"}`, 99, "", "", truncated, 0},
		{"half an escape", `{"\`, 99, "", "", truncated, 0},

		{"a text", `"a"`, 99, "", "", invalid, 0},
		{"a closing brace", `{}}`[2:], 99, "", "", invalid, 0},
		{"a comment", " // {}\n", 99, "", "", invalid, 1},
		{"a byte order mark", "\xef\xbb\xbf{}", 99, "", "", invalid, 0},
		{"a line break in a text", "{\"a\n{}", 99, "", "", invalid, 0},
		{"too long", `{    }`, 5, "", "", tooLarge, 0},
		{"too long, cut", `{    `, 5, "", "", tooLarge, 0},
		{"too much white space", "\n\n\n\n", 4, "", "", tooLarge, 4},
		{"no limit is no limit above", `{}`, -1, "", "", tooLarge, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			framer := wzjson.Framer{Options: wzjson.Options{MaxFrame: tt.limit}}
			payload, rest, err := framer.Next([]byte(tt.in))
			if tt.kind == nil {
				if err != nil || string(payload) != tt.payload || string(rest) != tt.rest {
					t.Errorf("%q, %q, %v", payload, rest, err)
				}
				return
			}
			if payload != nil || string(rest) != tt.in {
				t.Errorf("%q, %q beside %v", payload, rest, err)
			}
			if tt.kind == truncated {
				if err != truncated {
					t.Errorf("error %v, want ErrTruncated itself", err)
				}
				return
			}
			wantError(t, err, tt.kind, "", tt.offset)
		})
	}
}

func TestAppendFrameTakesOneObject(t *testing.T) {
	for _, tt := range []struct {
		name    string
		payload string
		kind    error
	}{
		{"an object", `{"a":[1]}`, nil},
		{"the largest", "{" + strings.Repeat(" ", wzjson.MaxFrame-2) + "}", nil},
		{"too large", "{" + strings.Repeat(" ", wzjson.MaxFrame-1) + "}", lobbywire.ErrTooLarge},
		{"half an object", `{`, lobbywire.ErrInvalid},
		{"two objects", `{}{}`, lobbywire.ErrInvalid},
		{"white space in front", ` {}`, lobbywire.ErrInvalid},
		{"no object", `1`, lobbywire.ErrInvalid},
		{"nothing", ``, lobbywire.ErrInvalid},
	} {
		got, err := wzjson.AppendFrame([]byte("x"), []byte(tt.payload))
		wantError(t, err, tt.kind, "", -1)
		want := "x"
		if tt.kind == nil {
			want += tt.payload + "\n"
		}
		if string(got) != want {
			t.Errorf("%s: %d bytes, want %d", tt.name, len(got), len(want))
		}
	}
	got, err := wzjson.AppendMessage([]byte("x"), wzjson.List{})
	if want := "x" + message(`"command":"list"`) + "\n"; string(got) != want || err != nil {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	got, err = wzjson.AppendMessage([]byte("x"), wzjson.Goodbye{})
	wantError(t, err, lobbywire.ErrInvalid, "lobbyquery.query.id", -1)
	if string(got) != "x" {
		t.Errorf("given x, returned %q", got)
	}
}

func TestSplitReportsFramesCutAtTheEnd(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     string
		frames int
		kind   error
	}{
		{"between messages", "{}\n{}", 2, nil},
		{"in white space", "{}\n \r\n", 1, nil},
		{"in a message", "{}\n{", 1, lobbywire.ErrTruncated},
	} {
		payloads, err := framing(wzjson.Options{}).Scan(strings.NewReader(tt.in))
		if !errors.Is(err, tt.kind) || len(payloads) != tt.frames {
			t.Errorf("%s: %d frames, %v", tt.name, len(payloads), err)
		}
	}
	_, err := framing(wzjson.Options{}).Scan(strings.NewReader("{\"a\":\"" + strings.Repeat("x", 2*wzjson.MaxFrame)))
	wantError(t, err, lobbywire.ErrTooLarge, "", 0)
}
