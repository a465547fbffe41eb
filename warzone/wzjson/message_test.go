package wzjson_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/laws"
	"github.com/lobbywire/lobbywire/warzone/wzjson"
)

// wantError checks that err is what is wanted: no error if kind is nil.
func wantError(t *testing.T, err, kind error, field string, offset int) {
	t.Helper()
	if kind == nil {
		if err != nil {
			t.Errorf("error %v, want none", err)
		}
		return
	}
	want := &lobbywire.Error{Proto: "wzjson", Field: field, Offset: offset, Err: kind}
	if err == nil || err.Error() != want.Error() || !errors.Is(err, kind) {
		t.Errorf("error %v, want %v", err, want)
	}
}

// head is what is in front of the command, head's length the offset of that.
const head = `{"lobbyquery":{"version":1,"query":{"command":`

// message returns a message with the given members in its query.
func message(members string) string { return `{"lobbyquery":{"version":1,"query":{` + members + `}}}` }

// A parseCase is what is in a query and what it means.
type parseCase[M laws.Message] struct {
	name   string
	query  string
	want   M
	kind   error // nil if it is read
	field  string
	offset int
	strict error  // what Strict says, if another
	out    string // the query that is sent again, if not the same
}

// testParse checks cases by default and by Strict, and both directions.
func testParse[M laws.Message](t *testing.T, parse func(wzjson.Options, []byte) (M, error), cases []parseCase[M]) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			in := []byte(message(tt.query))
			got, err := parse(wzjson.Options{}, in)
			wantError(t, err, tt.kind, tt.field, tt.offset)
			if diff := cmp.Diff(tt.want, got, compare); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			kind := tt.strict
			if kind == nil {
				kind = tt.kind
			}
			if _, err := parse(wzjson.Options{Strict: true}, in); !errors.Is(err, kind) {
				t.Errorf("strict: %v, want %v", err, kind)
			}
			if tt.kind != nil {
				return
			}
			out := tt.out
			if out == "" {
				out = tt.query
			}
			b, err := tt.want.MarshalBinary()
			if err != nil || string(b) != message(out) {
				t.Errorf("sent again as %s, %v", b, err)
			}
		})
	}
}

// A refusal is a message that cannot be sent.
type refusal struct {
	name    string
	message laws.Message
	kind    error
	field   string
}

func testRefusals(t *testing.T, refusals []refusal) {
	t.Helper()
	for _, tt := range refusals {
		t.Run(tt.name, func(t *testing.T) {
			_, err := tt.message.MarshalBinary()
			wantError(t, err, tt.kind, tt.field, -1)
			laws.Append(t, tt.message)
		})
	}
}

func TestEnvelope(t *testing.T) {
	for _, tt := range []struct {
		name   string
		in     string
		want   wzjson.Message
		kind   error
		field  string
		offset int
	}{
		{"version behind the query", `{"lobbyquery":{"query":{"command":"list"},"version":1}}`, wzjson.List{}, nil, "", 0},
		{"unknown command", message(`"a":1,"command":"x"`), wzjson.Unknown{Command: "x", Extra: map[string]json.RawMessage{"a": []byte("1")}}, nil, "", 0},
		{"members at each level", `{"a":1,"lobbyquery":{"b":2,"version":1,"query":{"command":"list","c":3}},"d":4}`, wzjson.List{
			Extra: map[string]json.RawMessage{"c": []byte("3")},
			Envelope: wzjson.Envelope{
				EnvelopeExtra: map[string]json.RawMessage{"b": []byte("2")},
				RootExtra:     map[string]json.RawMessage{"a": []byte("1"), "d": []byte("4")},
			},
		}, nil, "", 0},
		{"version 2", `{"lobbyquery":{"version":2,"query":{"command":"x"}}}`, nil, lobbywire.ErrUnsupported, "lobbyquery.version", 25},
		{"version 2 behind the query", `{"lobbyquery":{"query":{"command":"list"},"version":2}}`, nil, lobbywire.ErrUnsupported, "lobbyquery.version", 52},
		{"version 1.0", `{"lobbyquery":{"version":1.0,`, nil, lobbywire.ErrInvalid, "lobbyquery.version", 25},
		{"no version", `{"lobbyquery":{"query":{"command":"list"}}}`, nil, lobbywire.ErrInvalid, "lobbyquery.version", 41},
		{"no query", `{"lobbyquery":{"version":1}}`, nil, lobbywire.ErrInvalid, "lobbyquery.query", 26},
		{"no lobbyquery", `{"command":"list"}`, nil, lobbywire.ErrInvalid, "lobbyquery", 17},
		{"lobbyquery in capitals", `{"LobbyQuery":{}}`, nil, lobbywire.ErrInvalid, "lobbyquery", 16},
		{"two lobbyqueries", message(`"command":"list"`)[:52] + `}},"lobbyquery":{}}`, nil, lobbywire.ErrInvalid, "lobbyquery", 55},
		{"two queries", `{"lobbyquery":{"query":{"command":"list"},"query":{}}}`, nil, lobbywire.ErrInvalid, "lobbyquery.query", 42},
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

// TestCommands dispatches a message of each command.

func TestCommands(t *testing.T) {
	for command, m := range map[string]wzjson.Message{
		wzjson.CommandAdd:          wzjson.Add{Name: "a", Map: "b", Tech: "T1", Players: 2},
		wzjson.CommandAddAck:       wzjson.AddAck{ID: "a"},
		wzjson.CommandUpdate:       wzjson.Update{ID: "a"},
		wzjson.CommandUpdateAck:    wzjson.Ack{Command: wzjson.CommandUpdateAck},
		wzjson.CommandList:         wzjson.List{},
		wzjson.CommandListAck:      wzjson.ListAck{Games: []wzjson.Game{}},
		wzjson.CommandHeartbeat:    wzjson.Heartbeat{ID: "a"},
		wzjson.CommandHeartbeatAck: wzjson.Ack{Command: wzjson.CommandHeartbeatAck},
		wzjson.CommandGoodbye:      wzjson.Goodbye{ID: "a"},
		wzjson.CommandGoodbyeAck:   wzjson.Ack{Command: wzjson.CommandGoodbyeAck},
		wzjson.CommandError:        wzjson.Error{Message: "a"},
		"launch":                   wzjson.Unknown{Command: "launch"},
	} {
		b, err := m.MarshalBinary()
		if err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		for _, strict := range []bool{false, true} {
			got, err := wzjson.Options{Strict: strict}.ParseMessage(b)
			if diff := cmp.Diff(m, got, compare); diff != "" || err != nil {
				t.Errorf("%s, strict %v: %v (-want +got):\n%s", command, strict, err, diff)
			}
		}
		if got, err := wzjson.PeekCommand(b); got != command || err != nil {
			t.Errorf("%s: peeked %q, %v", command, got, err)
		}
	}
	got, err := wzjson.PeekCommand([]byte(`{"lobbyquery":{"query":{"id":1,"command":"list",,,`))
	if got != wzjson.CommandList || err != nil {
		t.Errorf("peeked %q, %v", got, err)
	}
	_, err = wzjson.PeekCommand([]byte(`{"lobbyquery":{"query":{}`))
	wantError(t, err, lobbywire.ErrInvalid, "lobbyquery.query.command", 24)
}
