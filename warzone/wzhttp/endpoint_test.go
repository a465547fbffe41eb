package wzhttp_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

func TestEndpointsHavePathsAndStatuses(t *testing.T) {
	for _, tt := range []struct {
		e         wzhttp.Endpoint
		request   string
		accepts   []int
		tolerates []int // besides
	}{
		{wzhttp.EndpointList, "GET /api/v1/games", []int{200}, []int{201, 404, 429}},
		{wzhttp.EndpointCreate, "POST /api/v1/game", []int{200, 201, 202}, nil},
		{wzhttp.EndpointConnection, "POST /api/v1/game/G7/connection", []int{200, 201, 202}, []int{406, 409, 429}},
		{wzhttp.EndpointPatch, "PATCH /api/v1/game/G7", []int{200, 201, 202}, []int{429}},
		{wzhttp.EndpointDelete, "DELETE /api/v1/game/G7", []int{200, 204, 404, 500}, nil},
		{wzhttp.EndpointJoinCheck, "POST /api/v1/game/G7/check-join-request", []int{200}, []int{201, 404, 429, 500}},
		{wzhttp.EndpointJoin, "POST /api/v1/game/G7/request-join", []int{200}, []int{201, 403}},
	} {
		path, err := tt.e.Path("G7")
		if got := tt.e.Method() + " " + path; got != tt.request || err != nil {
			t.Errorf("request %q, %v, want %q", got, err, tt.request)
		}
		for _, status := range []int{200, 201, 202, 204, 301, 403, 404, 406, 409, 429, 500} {
			accepts, tolerates := false, false
			for _, s := range tt.accepts {
				accepts = accepts || s == status
			}
			for _, s := range tt.tolerates {
				tolerates = tolerates || s == status
			}
			if tt.e == wzhttp.EndpointDelete {
				accepts = true
			}
			if tt.e.Accepts(status) != accepts {
				t.Errorf("%s accepts %d: %v", tt.request, status, !accepts)
			}
			isHostCall := tt.e == wzhttp.EndpointCreate || tt.e == wzhttp.EndpointConnection ||
				tt.e == wzhttp.EndpointPatch
			if isHostCall && tt.e.Tolerates(status) != (accepts || tolerates) {
				t.Errorf("%s tolerates %d: %v", tt.request, status, tt.e.Tolerates(status))
			}
			if !isHostCall && !tt.e.Tolerates(status) {
				t.Errorf("%s does not tolerate %d", tt.request, status)
			}
		}
		id := ""
		if strings.Contains(tt.request, "G7") {
			id = "G7"
		}
		for _, prefix := range []string{"", "/", "/base", "/api/v1/games"} {
			e, gotID, ok := wzhttp.EndpointOf(tt.e.Method(), prefix+path)
			if e != tt.e || gotID != id || !ok {
				t.Errorf("%s %s: %v, %q, %v", tt.e.Method(), prefix+path, e, gotID, ok)
			}
		}
	}
	for _, tt := range []struct{ method, path string }{
		{"POST", "/api/v1/games"}, {"GET", "/api/v1/game"}, {"GET", "/api/v1/gamesx"}, {"GET", "/games"},
		{"get", "/api/v1/games"},
		{"PATCH", "/api/v1/game/"}, {"PATCH", "/api/v1/game/a/b"}, {"PATCH", "/api/v1/game/a%2fb"},
		{"POST", "/api/v1/game/a/"}, {"", ""},
	} {
		if e, id, ok := wzhttp.EndpointOf(tt.method, tt.path); ok {
			t.Errorf("%s %s is %v of %q", tt.method, tt.path, e, id)
		}
	}
	for _, e := range []wzhttp.Endpoint{0, 8, 255} {
		if e.Method() != "" || e.Accepts(200) || e.Tolerates(200) {
			t.Errorf("endpoint %d is one", e)
		}
	}
}

func TestIDsAreSafeInPaths(t *testing.T) {
	for id, want := range map[string]bool{
		"G7K2Q": true, "a-b_C9": true, "": false, ".": false, "..": false, "a.b": false, "a/b": false, "a b": false,
		"1.2.3.4": false, "::1": false, "a%20": false, "é": false, "a?": false, "a\n": false,
		strings.Repeat("a", wzhttp.MaxID): true, strings.Repeat("a", wzhttp.MaxID+1): false,
	} {
		if wzhttp.ValidID(id) != want {
			t.Errorf("%q: valid is %v", id, !want)
		}
		if _, err := wzhttp.EndpointPatch.Path(id); (err == nil) != want || err != nil &&
			!errors.Is(err, lobbywire.ErrInvalid) {
			t.Errorf("PATCH with %q: %v", id, err)
		}
		if _, err := wzhttp.EndpointList.Path(id); err != nil {
			t.Errorf("list with %q: %v", id, err)
		}
	}
}

func TestRetriesFollowTheEndpoint(t *testing.T) {
	const s = time.Second
	for _, tt := range []struct {
		e     wzhttp.Endpoint
		n     int
		after time.Duration
		want  time.Duration
		ok    bool
	}{
		{wzhttp.EndpointCreate, 1, 8 * s, 8 * s, true},
		{wzhttp.EndpointCreate, 2, 8 * s, 10 * s, true},
		{wzhttp.EndpointCreate, 3, 8 * s, 0, false},
		{wzhttp.EndpointCreate, 0, 0, 0, false},
		{wzhttp.EndpointCreate, 1, 0, 5 * s, true},
		{wzhttp.EndpointCreate, 1, time.Hour, 10 * s, true},
		{wzhttp.EndpointCreate, 1, -time.Hour, 5 * s, true},
		{wzhttp.EndpointConnection, 2, 0, 6 * s, true},
		{wzhttp.EndpointDelete, 3, 0, 9 * s, true},
		{wzhttp.EndpointDelete, 4, 0, 0, false},
		{wzhttp.EndpointJoinCheck, 1, 0, 3 * s, true},
		{wzhttp.EndpointJoin, 1, 0, 2 * s, true},
		{wzhttp.EndpointJoin, 2, 0, 0, false},
		{wzhttp.EndpointList, 1, s, 0, false},
		{wzhttp.EndpointPatch, 1, s, 0, false},
	} {
		got, ok := tt.e.Retry(tt.n, tt.after)
		if got != tt.want || ok != tt.ok {
			t.Errorf("%s %d, retry %d after %v: %v, %v; want %v", tt.e.Method(), tt.e, tt.n, tt.after, got, ok, tt.want)
		}
	}
	for n, want := range []time.Duration{s, s, 2 * s, 3 * s, 4 * s, 5 * s, 5 * s} {
		if got := wzhttp.CheckIn(n); got != want {
			t.Errorf("check-in %d after %v, want %v", n, got, want)
		}
	}
}

func TestBaseURLDefaultsToHTTPS(t *testing.T) {
	for _, tt := range []struct{ address, want string }{
		{"lobby.example", "https://lobby.example/api/v1"},
		{"lobby.example:8443/x", "https://lobby.example:8443/x/api/v1"},
		{"http://127.0.0.1:8080", "http://127.0.0.1:8080/api/v1"},
		{"HTTPS://lobby.example/x//", "https://lobby.example/x/api/v1"},
		{"[2001:db8::7]:80", "https://[2001:db8::7]:80/api/v1"},
		{"ftp://lobby.example", ""},
		{"://lobby.example", ""},
		{"http://", ""},
		{"http:///x", ""},
		{"", ""},
		{"lobby.example?x", ""},
		{"lobby.example#x", ""},
		{"lobby.example\nx", ""},
	} {
		got, err := wzhttp.BaseURL(tt.address)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%q: %q, %v", tt.address, got, err)
		}
	}
}

func TestHeadersHoldOneToken(t *testing.T) {
	for _, tt := range []struct{ header, want string }{
		{wzhttp.Authorization("secret-1"), "secret-1"},
		{"hosttoken  secret-1", "secret-1"},
		{"HostToken", ""},
		{"HostToken ", ""},
		{"HostToken a b", ""},
		{"Bearer secret-1", ""},
		{"", ""},
	} {
		got, ok := wzhttp.HostToken(tt.header)
		if got != tt.want || ok != (tt.want != "") {
			t.Errorf("%q: %q, %v", tt.header, got, ok)
		}
	}
}
