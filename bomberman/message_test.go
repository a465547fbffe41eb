package bomberman_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/bomberman"
)

func TestParseMessageChoosesTheTypeByTheCommand(t *testing.T) {
	type heartbeat = bomberman.Heartbeat
	type unknown = bomberman.Unknown
	for _, tt := range []struct {
		name   string
		in     string
		want   bomberman.Message
		kind   error
		field  string
		offset int
		strict error
	}{
		{"known", `{"command":"xxHeartbeat"}`, heartbeat{}, nil, "", 0, nil},
		{"white space around", " {\"command\" : \"xxHeartbeat\"\t}\r\n", heartbeat{}, nil, "", 0, nil},
		{"escapes in the command", `{"c\u006fmmand":"xx\u0048eartbeat"}`, heartbeat{}, nil, "", 0, nil},
		{"content before the command", `{"content":{"action":1},"command":"gsPlayerAction"}`,
			bomberman.PlayerAction{Action: 1}, nil, "", 0, nil},
		{"unknown members around the command", `{"a":1,"command":"xxHeartbeat","b":2}`,
			heartbeat{Envelope: bomberman.Envelope{EnvelopeExtra: map[string]json.RawMessage{"a": []byte("1"),
				"b": []byte("2")}}}, nil, "", 0, nil},
		{"unknown command", `{"command":"xxheartbeat"}`, unknown{Command: "xxheartbeat"}, nil, "", 0, nil},
		{"unknown command with content", `{"content":[1 ],"command":""}`, unknown{Content: []byte("[1 ]")}, nil, "",
			0, lobbywire.ErrInvalid},
		{"text for content", `{"command":"gsRegisterPlayer","content":"Tokyo"}`,
			unknown{Command: "gsRegisterPlayer", Content: []byte(`"Tokyo"`)}, nil, "", 0, lobbywire.ErrInvalid},
		{"text for content, before the command", `{"content":"Tokyo","command":"gsRegisterPlayer"}`,
			unknown{Command: "gsRegisterPlayer", Content: []byte(`"Tokyo"`)}, nil, "", 0, lobbywire.ErrInvalid},
		{"null for content that has to be there", `{"command":"gsRegisterPlayer","content":null}`, nil,
			lobbywire.ErrInvalid, "content", 40, nil},
		{"no content", `{"command":"gsRegisterPlayer"}`, nil, lobbywire.ErrInvalid, "content", 29, nil},
		{"no command", `{"content":{}}`, nil, lobbywire.ErrInvalid, "command", 13, nil},
		{"command in capitals", `{"COMMAND":"xxHeartbeat"}`, nil, lobbywire.ErrInvalid, "command", 24, nil},
		{"command that is no text", `{"command":1}`, nil, lobbywire.ErrInvalid, "command", 11, nil},
		{"two commands", `{"command":"xxHeartbeat","command":"xxHeartbeat"}`, nil,
			lobbywire.ErrInvalid, "command", 25, nil},
		{"broken content before the command", `{"content":{"a":tru},"command":"x"}`, nil,
			lobbywire.ErrInvalid, "content", 11, nil},
		{"an array", `[{"command":"xxHeartbeat"}]`, nil, lobbywire.ErrInvalid, "", 0, nil},
		{"nothing", ``, nil, lobbywire.ErrTruncated, "", 0, nil},
		{"cut after the command", `{"command":"gsPlayerAction"`, nil, lobbywire.ErrTruncated, "", 27, nil},
		{"text behind", `{"command":"xxHeartbeat"}x`, nil, lobbywire.ErrTrailing, "", 25, nil},
		{"byte order mark", "\xef\xbb\xbf{\"command\":\"xxHeartbeat\"}", nil, lobbywire.ErrInvalid, "", 0, nil},
		{"comment", "{\"command\":\"xxHeartbeat\" // alive\n}", nil, lobbywire.ErrInvalid, "", 25, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bomberman.ParseMessage([]byte(tt.in))
			wantError(t, err, tt.kind, tt.field, tt.offset)
			if diff := cmp.Diff(tt.want, got, compare); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			kind := tt.strict
			if kind == nil {
				kind = tt.kind
			}
			if _, err := (bomberman.Options{Strict: true}).ParseMessage([]byte(tt.in)); !errors.Is(err, kind) {
				t.Errorf("strict: %v, want %v", err, kind)
			}
		})
	}
}

func TestParseMessageRefusesMoreThanItsLimit(t *testing.T) {
	in := []byte(`{"command":"xxHeartbeat"}`)
	if _, err := (bomberman.Options{MaxPayload: len(in)}).ParseMessage(in); err != nil {
		t.Error(err)
	}
	_, err := bomberman.Options{MaxPayload: len(in) - 1}.ParseMessage(in)
	wantError(t, err, lobbywire.ErrTooLarge, "", 0)
}

func TestPeekMessageReadsTheCommandAlone(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     string
		want   bomberman.Message
		kind   error
		field  string
		offset int
	}{
		{"known", `{"command":"msQueryGameServers"}`, bomberman.QueryGameServers{}, nil, "", 0},
		{"unknown", `{"command":"Größe"}`, bomberman.Unknown{Command: "Größe"}, nil, "", 0},
		{"the rest is broken", `{"command":"xxHeartbeat",,,`, bomberman.Heartbeat{}, nil, "", 0},
		{"behind the content", `{"content":[{"command":"x"}],"command":"xxHeartbeat"`,
			bomberman.Heartbeat{}, nil, "", 0},
		{"none", `{"content":{}}`, nil, lobbywire.ErrInvalid, "command", 13},
		{"cut", `{"command":"xxHeart`, nil, lobbywire.ErrTruncated, "command", 11},
		{"no object", `1`, nil, lobbywire.ErrInvalid, "", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bomberman.PeekMessage([]byte(tt.in))
			wantError(t, err, tt.kind, tt.field, tt.offset)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
