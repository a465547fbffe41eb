package wzjson_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
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

// head is the part of a message before its command.
const head = `{"lobbyquery":{"version":1,"query":{"command":`

// message returns a message with these members in its query.
func message(members string) string { return `{"lobbyquery":{"version":1,"query":{` + members + `}}}` }

func TestParseMessageReadsTheEnvelope(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     string
		want   wzjson.Message
		kind   error
		field  string
		offset int
	}{
		{"version behind the query", `{"lobbyquery":{"query":{"command":"list"},"version":1}}`,
			wzjson.List{}, nil, "", 0},
		{"unknown command", message(`"a":1,"command":"x"`),
			wzjson.Unknown{Command: "x", Extra: map[string]json.RawMessage{"a": []byte("1")}}, nil, "", 0},
		{"members at each level", `{"a":1,"lobbyquery":{"b":2,"version":1,"query":{"command":"list","c":3}},"d":4}`,
			wzjson.List{
				Extra: map[string]json.RawMessage{"c": []byte("3")},
				Envelope: wzjson.Envelope{
					EnvelopeExtra: map[string]json.RawMessage{"b": []byte("2")},
					RootExtra:     map[string]json.RawMessage{"a": []byte("1"), "d": []byte("4")},
				},
			}, nil, "", 0},
		{"version 2", `{"lobbyquery":{"version":2,"query":{"command":"x"}}}`, nil, lobbywire.ErrUnsupported,
			"lobbyquery.version", 25},
		{"version 2 behind the query", `{"lobbyquery":{"query":{"command":"list"},"version":2}}`, nil,
			lobbywire.ErrUnsupported, "lobbyquery.version", 52},
		{"version 1.0", `{"lobbyquery":{"version":1.0,`, nil, lobbywire.ErrInvalid, "lobbyquery.version", 25},
		{"no version", `{"lobbyquery":{"query":{"command":"list"}}}`, nil, lobbywire.ErrInvalid,
			"lobbyquery.version", 41},
		{"no query", `{"lobbyquery":{"version":1}}`, nil, lobbywire.ErrInvalid, "lobbyquery.query", 26},
		{"no lobbyquery", `{"command":"list"}`, nil, lobbywire.ErrInvalid, "lobbyquery", 17},
		{"lobbyquery in capitals", `{"LobbyQuery":{}}`, nil, lobbywire.ErrInvalid, "lobbyquery", 16},
		{"two lobbyqueries", message(`"command":"list"`)[:52] + `}},"lobbyquery":{}}`, nil,
			lobbywire.ErrInvalid, "lobbyquery", 55},
		{"two queries", `{"lobbyquery":{"query":{"command":"list"},"query":{}}}`, nil, lobbywire.ErrInvalid,
			"lobbyquery.query", 42},
		{"query that is no object", `{"lobbyquery":{"query":"list"`, nil, lobbywire.ErrInvalid, "lobbyquery.query", 23},
		{"nothing", "", nil, lobbywire.ErrTruncated, "", 0},
		{"two messages", message(`"command":"list"`) + "\n{", nil, lobbywire.ErrTrailing, "", 56},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := wzjson.ParseMessage([]byte(tt.in))
			wantError(t, err, tt.kind, tt.field, tt.offset)
			if diff := cmp.Diff(tt.want, got, compare); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	_, err := wzjson.Options{MaxFrame: 10}.ParseMessage([]byte(message(`"command":"list"`)))
	wantError(t, err, lobbywire.ErrTooLarge, "", 0)
}

func TestPeekMessageReadsTheCommandAlone(t *testing.T) {
	got, err := wzjson.PeekMessage([]byte(`{"lobbyquery":{"query":{"id":1,"command":"list",,,`))
	if _, ok := got.(wzjson.List); !ok || err != nil {
		t.Errorf("peeked %#v, %v", got, err)
	}
	_, err = wzjson.PeekMessage([]byte(`{"lobbyquery":{"query":{}`))
	wantError(t, err, lobbywire.ErrInvalid, "lobbyquery.query.command", 24)
}
