package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/agones"
	sidecarstate "github.com/lobbywire/lobbywire/examples/sidecar/internal/state"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Agones gets only counts that are known, and a capacity that it does not refuse.
func TestAgonesGetsKnownCounts(t *testing.T) {
	for state, want := range map[string]string{
		`{}`:                                     `{}`,
		`{"players":5}`:                          `{"count":"5"}`,
		`{"max":16}`:                             `{"capacity":"16"}`,
		`{"players":0,"max":16}`:                 `{"count":"0","capacity":"16"}`,
		`{"players":17,"max":16}`:                `{"count":"17","capacity":"17"}`,
		`{"max":1,"roster":[{},{}]}`:             `{"count":"2","capacity":"2"}`,
		`{"roster":[]}`:                          `{"count":"0"}`,
		`{"players":3,"max":0,"roster":[{}]}`:    `{"count":"3","capacity":"3"}`,
		`{"players":1,"max":8,"roster":[{},{}]}`: `{"count":"2","capacity":"8"}`,
	} {
		v, err := sidecarstate.Parse([]byte(state))
		if err != nil {
			t.Fatal(err)
		}
		got, err := json.Marshal(counterOf(v))
		if err != nil || string(got) != want {
			t.Errorf("%s: %s, %v, want %s", state, got, err, want)
		}
	}
}

// A count that Agones refuses is logged with the reason, and sent again when it changes.
func TestAgonesRefusalIsLogged(t *testing.T) {
	suite.Localhost(t)
	sdk := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPatch {
			http.Error(w, "no counter players\x1b[2J", http.StatusNotFound)
		}
	}))
	defer sdk.Close()
	at, err := url.Parse(sdk.URL)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("AGONES_SDK_HTTP_PORT", at.Port())
	member := fleetMember{sidecar: agones.New()}
	for range 2 { // a refusal is tried again
		err = member.report(t.Context(), lobbywire.View{Players: new(1)})
		const want = "/v1beta1/counters/players: 404 Not Found: \"no counter players\\x1b[2J\""
		if err == nil || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("error %v", err)
		}
	}
}

// Agones receives that the game is ready and healthy, and the number of its players, but
// nothing before the first state.
func TestAgonesFollowsTheGame(t *testing.T) {
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
