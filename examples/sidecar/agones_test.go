package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Agones hears that the game is ready and healthy, and how many players it has, but
// nothing before the first state.
func TestAgones(t *testing.T) {
	suite.Localhost(t)
	var mu sync.Mutex
	calls := map[string]int{}
	sdk := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		mu.Lock()
		defer mu.Unlock()
		calls[r.Method+" "+r.URL.Path+" "+string(body)]++
		if len(calls) == 1 && calls["POST /ready {}"] == 1 {
			w.WriteHeader(http.StatusServiceUnavailable) // once: it starts later than the game
		}
	}))
	defer sdk.Close()
	at, err := url.Parse(sdk.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AGONES_SDK_HTTP_PORT", at.Port())
	r := start(t, nil)
	var task sync.WaitGroup
	task.Go(func() { r.reportToAgones(t.Context(), 5*time.Millisecond) })
	t.Cleanup(task.Wait) // the context of the test is done by then

	r.send(t, "PUT", "/v1/state", `{"max":8,"roster":[{"name":"Ann"}]}`)
	counted := func(body string) func() bool {
		return func() bool {
			mu.Lock()
			defer mu.Unlock()
			return calls["PATCH /v1beta1/counters/players "+body] > 0
		}
	}
	eventually(t, "one player", counted(`{"count":"1","capacity":"8"}`))
	r.send(t, "PATCH", "/v1/state", `{"roster":[]}`)
	eventually(t, "no player", counted(`{"count":"0","capacity":"8"}`))
	mu.Lock()
	defer mu.Unlock()
	if calls["POST /health {}"] == 0 {
		t.Error("never healthy")
	}
	delete(calls, "POST /health {}")
	want := map[string]int{
		"POST /ready {}": 2,
		`PATCH /v1beta1/counters/players {"count":"1","capacity":"8"}`: 1,
		`PATCH /v1beta1/counters/players {"count":"0","capacity":"8"}`: 1,
	}
	if diff := cmp.Diff(want, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
}
