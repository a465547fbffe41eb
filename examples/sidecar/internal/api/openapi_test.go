package api_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/api"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/registrations"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/servers"
	"github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
)

// A description is the part of an OpenAPI file that the tests use.
type description struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				}
			}
		}
	}
	Components struct {
		Schemas map[string]json.RawMessage
	}
}

func described(t *testing.T) (d description) {
	t.Helper()
	if err := json.Unmarshal(api.OpenAPI, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// An exchange is a request, and the status of the answer.
type exchange struct {
	method, path string
	header       http.Header
	body         string
	code         int
}

const token = "a token of the tests"

// exchanges cause every response of the description.
func exchanges() []exchange {
	with := func(name, value string) http.Header { return http.Header{name: {value}} }
	tooLong := strings.Repeat(" ", state.MaxText+1)
	return []exchange{
		{"GET", "/healthz", nil, "", 503},
		{"PUT", "/v1/state", nil,
			`{"name":"Duel","roster":[{"name":"Ann","bot":false}],"rules":[{"key":"a","value":"b"}]}`, 204},
		{"PATCH", "/v1/state", with("If-Match", "*"), `{"max":3}`, 204},
		{"PATCH", "/v1/state", with("If-Match", `"x"`), `{"max":4}`, 412},
		{"PUT", "/v1/state", with("If-Match", `"x", "y"`), `{}`, 412},
		{"PUT", "/v1/state", nil, `{"name":3}`, 400},
		{"PATCH", "/v1/state", nil, `{"name":`, 400},
		{"PUT", "/v1/state", nil, tooLong, 413},
		{"PATCH", "/v1/state", nil, tooLong, 413},
		{"GET", "/v1/state", nil, "", 200},
		{"GET", "/v1/state", with("If-None-Match", "*"), "", 304},
		{"GET", "/v1/status", nil, "", 200},
		{"GET", "/v1/openapi.json", nil, "", 200},
		{"GET", "/healthz", nil, "", 200},
		{"GET", "/metrics", nil, "", 200},
		{"GET", "/v1/state", with("Host", "game.example"), "", 403},
		{"PUT", "/v1/state", with("Host", "game.example"), "{}", 403},
		{"PATCH", "/v1/state", with("Host", "game.example:7790"), "{}", 403},
		{"GET", "/v1/status", with("Host", "game.example"), "", 403},
		{"GET", "/healthz", with("Host", "game.example"), "", 403},
		{"GET", "/metrics", with("Host", "game.example"), "", 403},
		{"PUT", "/v1/state", nil, busyState, 503},
		{"PATCH", "/v1/state", nil, busyState, 503},
		{"GET", "/v1/state", with("Authorization", "Bearer x"), "", 401},
		{"PUT", "/v1/state", with("Authorization", "Basic "+token), "{}", 401},
		{"PATCH", "/v1/state", with("Authorization", "Bearer "), "{}", 401},
	}
}

// newServer returns a server of the interface with this token.
func newServer(token string) *api.Server {
	s := &api.Server{Token: token}
	s.State = state.New(lobbywire.View{}, func(lobbywire.View) {}, func(error) {})
	s.Status = func() api.Status {
		now := s.State.Now()
		status := api.Status{
			State:     api.StateStatus{From: "here", Health: api.Fresh, Heard: &now.Heard, Tag: now.Tag},
			Protocols: []servers.Status{{Protocol: "sqp", Changed: []string{"name"}, Error: "closed"}},
			Masters: []registrations.Status{{Protocol: "gamespy2", Standing: "refused", Since: time.Now(),
				Reason: "wrong key"}},
		}
		if now.Heard.IsZero() {
			status.State.Health = api.Waiting
		}
		return status
	}
	return s
}

// The server answers as openapi.json describes, with every status that it lists and no
// other.
func TestServerAnswersAsOpenAPIDescribes(t *testing.T) {
	d := described(t)
	open, closed := newServer("").Feed().Handler, newServer(token).Feed().Handler
	seen := map[string]map[string]bool{}
	for _, x := range exchanges() {
		r := httptest.NewRequest(x.method, "http://127.0.0.1:7790"+x.path, strings.NewReader(x.body))
		maps.Copy(r.Header, x.header)
		if host := x.header.Get("Host"); host != "" {
			r.Host = host
		}
		w := httptest.NewRecorder()
		h := open
		if x.header.Get("Authorization") != "" {
			h = closed
		}
		if x.body == busyState {
			busy(t, w, r)
		} else {
			h.ServeHTTP(w, r)
		}
		if w.Code != x.code {
			t.Errorf("%s %s %v %.40s: status %d, want %d: %s", x.method, x.path, x.header, x.body, w.Code, x.code, w.Body)
			continue
		}
		operation := x.method + " " + x.path
		if seen[operation] == nil {
			seen[operation] = map[string]bool{}
		}
		seen[operation][strconv.Itoa(w.Code)] = true
		checkBody(t, d, x, w)
	}
	want := map[string]map[string]bool{}
	for path, methods := range d.Paths {
		for method, operation := range methods {
			codes := map[string]bool{}
			for code := range operation.Responses {
				codes[code] = true
			}
			want[strings.ToUpper(method)+" "+path] = codes
		}
	}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("responses (-described +seen):\n%s", diff)
	}
}

// checkBody checks the body of a response, its type and its schema.
func checkBody(t *testing.T, d description, x exchange, w *httptest.ResponseRecorder) {
	t.Helper()
	content := d.Paths[x.path][strings.ToLower(x.method)].Responses[strconv.Itoa(w.Code)].Content
	kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
	if len(content) == 0 {
		if w.Body.Len() > 0 {
			t.Errorf("%s %s: status %d has a body", x.method, x.path, w.Code)
		}
		return
	}
	if _, ok := content[kind]; !ok {
		t.Errorf("%s %s: status %d has Content-Type %q", x.method, x.path, w.Code, kind)
	}
	schema, isNamed := strings.CutPrefix(content[kind].Schema.Ref, "#/components/schemas/")
	if !isNamed {
		return
	}
	var body any
	if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
		t.Fatal(err)
	}
	if err := programtest.ParseSchema(t, string(d.Components.Schemas[schema])).Check("", body); err != nil {
		t.Errorf("%s %s: %v", x.method, x.path, err)
	}
}

// The description lists all members of a state.
func TestOpenAPIHasAllMembersOfAState(t *testing.T) {
	d := described(t)
	full := lobbywire.View{
		Name: "n", Game: "g", Map: "m", Mode: "m", Version: "v", Host: "h", Port: 1,
		Players: new(1), Bots: new(1), Max: new(1), Password: new(true), Mods: []string{"m"}, Spectators: new(1),
		MaxSpectators: new(1),
		Roster:        []lobbywire.Player{{Name: "n", Score: new(1), Ping: new(1), Team: "t", Bot: new(true)}},
		Teams:         []lobbywire.Team{{Name: "n", Score: new(1)}},
		Rules:         []lobbywire.Rule{{Key: "k", Value: "v"}},
	}
	text, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	var members map[string]any
	if err := json.Unmarshal(text, &members); err != nil {
		t.Fatal(err)
	}
	schema := programtest.ParseSchema(t, string(d.Components.Schemas["State"]))
	if err := schema.Check("", members); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(members)), slices.Sorted(maps.Keys(schema.Properties))); diff != "" {
		t.Errorf("members (-View +State):\n%s", diff)
	}
}
