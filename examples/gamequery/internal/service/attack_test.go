package service_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
)

// Whatever the paths of requests, the metrics have one line for each route and status.
func TestMetricsOfUnknownPaths(t *testing.T) {
	s := newService()
	for i := range 200 {
		for _, path := range []string{"//x%d", "//%%ff%d", "/v1/query/../x%d", "/v1//x%d", "/nosuch%d", "/v1/query;%d"} {
			for _, method := range []string{"GET", "POST", "OPTIONS", "TRACE", fmt.Sprint("M", i)} {
				ask(s, method+" "+fmt.Sprintf(path, i), "")
			}
		}
	}
	ask(s, "POST /v1/query", "")
	lines := strings.Count(ask(s, "/metrics", "").Body.String(), "\ngamequery_http_requests_total{")
	if lines == 0 || lines > 10 {
		t.Errorf("%d lines", lines)
	}
}

// What the mux answers itself, and preflights of pages, count as requests.
func TestAnswersOfTheMuxCount(t *testing.T) {
	for _, request := range []string{
		"GET //x", "GET /v1/../x", "GET /nosuch", "POST /v1/query", "OPTIONS /v1/query", "GET /v1/query",
	} {
		s := newService()
		s.Origins = []string{"*"}
		s.Door = &admission.Door{Rates: lobbywire.Rates{PerSource: 1}}
		ask(s, request, "", "Access-Control-Request-Method: GET")
		if w := ask(s, request, "", "Access-Control-Request-Method: GET"); w.Code != http.StatusTooManyRequests {
			t.Errorf("%s: %d", request, w.Code)
		}
	}
}
