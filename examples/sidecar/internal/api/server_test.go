package api_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

// Other paths and methods are refused in JSON, as all requests are.
func TestOtherRequestsAreRefusedInJSON(t *testing.T) {
	const noPath = `{"error":"no such path; /v1/openapi.json describes all"}`
	for _, tt := range []struct {
		server             *http.Server
		method, path       string
		code               int
		allow, wantMessage string
	}{
		{newServer("").Feed(), "GET", "/v1/states", 404, "", noPath},
		{newServer("").Feed(), "GET", "/", 404, "", noPath},
		{newServer("").Feed(), "POST", "/v1/state", 405, "GET, HEAD, PATCH, PUT",
			`{"error":"the path has the methods GET, HEAD, PATCH, PUT"}`},
		{newServer("").Watch(), "PUT", "/v1/state", 404, "", noPath},
		{newServer("").Watch(), "DELETE", "/healthz", 405, "GET, HEAD",
			`{"error":"the path has the methods GET, HEAD"}`},
	} {
		w := httptest.NewRecorder()
		tt.server.Handler.ServeHTTP(w, httptest.NewRequest(tt.method, "http://127.0.0.1"+tt.path, nil))
		if w.Code != tt.code || w.Body.String() != tt.wantMessage || w.Header().Get("Allow") != tt.allow {
			t.Errorf("%s %s: %d %s, Allow %q", tt.method, tt.path, w.Code, w.Body, w.Header().Get("Allow"))
		}
		if got := w.Header().Get("Content-Type"); got != "application/json; charset=utf-8" {
			t.Errorf("%s %s: Content-Type %q", tt.method, tt.path, got)
		}
	}
}
