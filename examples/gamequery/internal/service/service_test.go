package service_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/output"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/reach"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/service"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/verdict"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/internal/test/nettest"
)

// newService returns a service that may query 127.0.0.1.
func newService() *service.Service {
	return &service.Service{
		Guard:   reach.Guard{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}},
		Limiter: &admission.Limiter{Rates: lobbywire.Rates{PerSource: 1000, PerPrefix: 1000}},
		Judge:   verdict.Judge{Slow: time.Minute, Row: 2},
		Timeout: time.Minute, Attempts: 1,
		Keep: time.Minute, KeepList: time.Minute,
		MaxQueries: 100, MaxTargets: 10,
	}
}

// A gameServer answers SQP, and counts requests. It waits while it is held.
type gameServer struct {
	addr     string
	requests atomic.Int64
	arrived  chan struct{} // has room for a signal that there were requests
	hold     sync.Mutex
}

func newGameServer(t *testing.T) *gameServer {
	t.Helper()
	pc, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	g := &gameServer{addr: pc.LocalAddr().String(), arrived: make(chan struct{}, 1)}
	info := traffictest.Golden(t, "sqp/testdata/golden/answer_info.hex")
	done := make(chan struct{})
	go func() {
		defer close(done)
		b := make([]byte, 2048)
		for {
			_, from, err := pc.ReadFromUDPAddrPort(b)
			if err != nil {
				return
			}
			g.requests.Add(1)
			select {
			case g.arrived <- struct{}{}:
			default:
			}
			answer := []byte{0, 1, 2, 3, 4}
			if b[0] != 0 {
				answer = append([]byte{1, 1, 2, 3, 4}, info[5:]...)
			}
			g.hold.Lock()
			_, err = pc.WriteToUDPAddrPort(answer, from)
			g.hold.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		pc.Close()
		<-done
	})
	return g
}

// ask sends a request. A method may come before the path.
func ask(s http.Handler, path, body string, headers ...string) *httptest.ResponseRecorder {
	method, rest, ok := strings.Cut(path, " ")
	if !ok {
		method, rest = http.MethodGet, path
	}
	r := httptest.NewRequest(method, rest, strings.NewReader(body))
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, r)
	return w
}

// A document is the part of openapi.json that tests read.
type document struct {
	Paths map[string]map[string]struct {
		OperationID string
		Parameters  []struct {
			Name     string
			Required bool
		}
		RequestBody json.RawMessage
		Responses   map[string]struct {
			Content map[string]struct{ Schema map[string]any }
		}
	}
}

func readDocument(t *testing.T, s http.Handler) (d document) {
	t.Helper()
	w := ask(s, "/v1/openapi.json", "")
	if err := json.Unmarshal(w.Body.Bytes(), &d); err != nil || len(d.Paths) == 0 {
		t.Fatal(w.Code, err)
	}
	return d
}

// openapi.json describes all answers: their status, type and form.
func TestAnswersAsDocumented(t *testing.T) {
	t.Parallel()
	s, game := newService(), newGameServer(t)
	d, lines := readDocument(t, s), programtest.ParseSchema(t, output.Schema)
	address, closed := url.QueryEscape(game.addr), nettest.ClosedUDP(t)
	for _, tt := range []struct {
		path, body string
		status     string
		want       string // in the body
	}{
		{"/v1/query?game=sqp&address=" + address, "", "200", `"players":`},
		{"/v1/query?game=SQP&full=0&address=" + address, "", "200", `"players":`},
		{"/v1/query?game=sqp&address=" + closed, "", "200", `"code":"refused","message":"connection refused"`},
		{"/v1/query?game=sqp&address=127.0.0.2:5000", "", "403", `"code":"forbidden"`},
		{"/v1/query?game=sqp&address=[::ffff:10.0.0.1]:5000", "", "403", `"code":"forbidden"`},
		{"/v1/query?game=sqp&address=2130706433:5000", "", "200", `"code":"name"`},
		{"/v1/query?game=sqp&address=127.0.0.1", "", "400", "port is missing"},
		{"/v1/query?game=sqp&address=127.0.0.1:53", "", "400", "ports below 1024"},
		{"/v1/query?game=sqp&address=127.0.0.1:5000-5010", "", "400", "want one port"},
		{"/v1/query?game=sqp", "", "400", "the host is missing"},
		{"/v1/query?game=chess&address=127.0.0.1:5000", "", "400", "a game that /v1/games lists\""},
		{"/v1/query?game=warzone&address=127.0.0.1:5000", "", "400", "a game that /v1/games lists\""},
		{"/v1/query?game=battlefeild2&address=127.0.0.1:5000", "", "400", "did you mean battlefield2?"},
		{"/v1/query?game=gamespy3&address=127.0.0.1:5000", "", "400", "did you mean gamespy1 or gamespy2?"},
		{"/v1/query?game=A2S&address=127.0.0.1:5000", "", "400", "A2S"},
		{"/v1/query?game=" + strings.Repeat("x", 1024) + "&address=127.0.0.1:5000", "", "400", "lists\""},
		{"/v1/query?game=%3cb%3esqp%3c/b%3e&address=127.0.0.1:5000", "", "400", "lists\""},
		{"/v1/list?protocol=bombermen&master=127.0.0.1", "", "400", "did you mean bomberman?"},
		{"/v1/list?protocol=wzhtp&master=127.0.0.1", "", "400", "did you mean wzhttp?"},
		{"POST /v1/scan?game=game-agent", "127.0.0.1:5000", "400", "did you mean gameagent?"},
		{"/probe?module=spq&target=127.0.0.1:5000", "", "400", "did you mean "},
		{"/probe?module=sqp%1b%5b31m%ff&target=127.0.0.1:5000", "", "400", "lists\n"},
		{"/v1/query?game=sqp&full=yes&address=127.0.0.1:5000", "", "400", "want 0 or 1"},
		{"/v1/query?game=sqp&adress=127.0.0.1:5000", "", "400", "the parameters are"},
		{"/v1/query?game=sqp&address=127.0.0.1:5000&address=127.0.0.1:5001", "", "400", "each once"},
		{"/v1/list?protocol=gameagent&master=" + closed, "", "200", `"code":"refused"`},
		{"/v1/list?protocol=wzhttp&master=http://127.0.0.2:5000/", "", "403", `"code":"forbidden"`},
		{"/v1/list?protocol=warzone&master=10.0.0.1", "", "403", `"code":"forbidden"`},
		{"/v1/list?protocol=sqp&master=127.0.0.1", "", "400", "or wzjson\""},
		{"/v1/list?protocol=gamespy2&master=127.0.0.1", "", "400", "needs game and key"},
		{"/v1/list?protocol=warzone&master=127.0.0.1:1-2", "", "400", "want one port"},
		{"POST /v1/scan?game=sqp", game.addr + " mine\n# all\n127.0.0.2:5000\nno:port\n", "200", `"target":"no:port"`},
		{"POST /v1/scan?game=sqp", "", "400", "no addresses"},
		{"POST /v1/scan?game=sqp", strings.Repeat("127.0.0.1:1025\n", 11), "413", "at most 10"},
		{"POST /v1/scan?game=sqp", `["` + game.addr + `"]`, "200", `"players":`},
		{"POST /v1/scan?game=sqp", " \r\n\t[\n  \"" + game.addr + `"]`, "200", `"players":`},
		{"POST /v1/scan?game=sqp", "[::ffff:10.0.0.1]:5000", "200", `"code":"forbidden"`},
		{"POST /v1/scan?game=sqp", "[fe80::1]:5000\n[\"", "200", `"target":"[\""`},
		{"POST /v1/scan?game=sqp", `["127.0.0.1:5000",]`, "400", "want a list of addresses in JSON"},
		{"POST /v1/scan?game=sqp", `["127.0.0.1:5000`, "400", "want a list of addresses in JSON"},
		{"POST /v1/scan?game=sqp", `[]`, "400", "no addresses"},
		{"POST /v1/scan?game=sqp", `{"addresses": ["127.0.0.1:5000"]}`, "400", "want a list of addresses in JSON"},
		{"POST /v1/scan?game=sqp", "[" + strings.Repeat(`"127.0.0.1:1025",`, 10) + `"127.0.0.1:1025"]`, "413", "at most 10"},
		{"/probe?module=sqp&target=" + address, "", "200", "probe_success 1\n"},
		{"/probe?module=sqp&target=" + closed, "", "200", "gamequery_verdict{verdict=\"refused\"} 1\n"},
		{"/probe?module=sqp&target=" + nettest.ClosedUDP(t), "", "200", "gamequery_failures_in_a_row 2\n"},
		{"/probe?module=sqp&target=127.0.0.2:5000", "", "403", "not public"},
		{"/probe?module=sqp", "", "400", "target: "},
		{"/probe?target=127.0.0.1:5000", "", "400", "module: "},
		{"/", "", "200", "GET   /v1/query?game=&address=  "},
		{"/v1/games", "", "200", `{"game":"ut3","title":"Unreal Tournament 3","protocol":"gamespy2",`},
		{"/healthz", "", "200", "ok\n"},
		{"/metrics", "", "200", `gamequery_http_results_total{from="made",kind="query"}`},
		{"/v1/schema.json", "", "200", "$schema"},
	} {
		w := ask(s, tt.path, tt.body)
		target := strings.TrimPrefix(tt.path, "POST ")
		path, _, _ := strings.Cut(target, "?")
		method := "get"
		if target != tt.path {
			method = "post"
		}
		content := d.Paths[path][method].Responses[tt.status].Content
		mediaType, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
		form, documented := content[mediaType]
		if got := w.Result().Status[:3]; got != tt.status || !strings.Contains(w.Body.String(), tt.want) || !documented {
			t.Errorf("%s: %s, %s, documented %v: %s", tt.path, got, mediaType, documented, w.Body)
			continue
		}
		schema := lines
		switch {
		case form.Schema["$ref"] == "schema.json":
		case form.Schema["properties"] != nil:
			schema = programtest.ParseSchema(t, textOf(t, form.Schema))
		default:
			continue
		}
		for dec := json.NewDecoder(w.Body); ; {
			var line map[string]any
			err := dec.Decode(&line)
			if err == io.EOF {
				break
			}
			if err == nil {
				err = schema.Check("", line)
			}
			if err != nil {
				t.Fatalf("%s: %v", tt.path, err)
			}
		}
	}
}

// textOf returns a value of JSON as text.
func textOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// Clients may keep the table of games, and find in it the names that requests take.
func TestGamesMayBeCached(t *testing.T) {
	s := newService()
	w := ask(s, "/v1/games", "")
	var table struct {
		Games []struct {
			Game, Protocol string
			Aliases        []string
		}
	}
	if err := json.Unmarshal(w.Body.Bytes(), &table); err != nil || w.Header().Get("Cache-Control") != "max-age=3600" ||
		len(table.Games) < 100 {
		t.Fatalf("%v, %d games, %v", err, len(table.Games), w.Header())
	}
	for _, g := range table.Games {
		for _, name := range append(g.Aliases, g.Game) {
			w := ask(s, "/v1/query?game="+url.QueryEscape(name)+"&address=127.0.0.1:53", "")
			if isGame := strings.Contains(w.Body.String(), "ports below 1024"); isGame != (g.Protocol != "warzone") {
				t.Errorf("%s: %s", name, w.Body)
			}
			usual := ask(s, "/v1/query?game="+url.QueryEscape(name)+"&address=10.0.0.1", "") // at its usual port
			if strings.Contains(usual.Body.String(), "other services") {
				t.Errorf("%s: %s", name, usual.Body)
			}
		}
	}
}

// The index lists all paths, with links to the ones that need no parameters. Browsers get a
// page that loads nothing, other clients get lines.
func TestIndexHasAllPaths(t *testing.T) {
	s := newService()
	d := readDocument(t, s)
	const browser = "Accept: text/html,application/xhtml+xml,*/*;q=0.8"
	page, lines := ask(s, "/?q=<b>", "", browser), ask(s, "/", "", "Accept: */*")
	for _, w := range []*httptest.ResponseRecorder{page, lines} {
		if w.Code != http.StatusOK || w.Header().Get("Vary") != "Accept" {
			t.Errorf("%d, %v", w.Code, w.Header())
		}
		for path, methods := range d.Paths {
			for method := range methods {
				if path != "/" && !regexp.MustCompile(`\b`+strings.ToUpper(method)+`\b.*`+path).MatchString(w.Body.String()) {
					t.Errorf("no %s %s in\n%s", method, path, w.Body)
				}
			}
		}
	}
	if got := lines.Header().Get("Content-Type"); got != "text/plain; charset=utf-8" {
		t.Errorf("lines are %s", got)
	}
	text := page.Body.String()
	if got := page.Header().Get("Content-Type"); got != "text/html; charset=utf-8" {
		t.Errorf("the page is %s", got)
	}
	if regexp.MustCompile(`(?i)<b>|://|src=|<script|<style|<link|&[^a#]`).MatchString(text) {
		t.Errorf("the page is\n%s", text)
	}
	links := regexp.MustCompile(`href="([^"]*)"`).FindAllStringSubmatch(text, -1)
	for _, link := range links {
		if w := ask(s, "/"+link[1], ""); w.Code != http.StatusOK {
			t.Errorf("%s: %d", link[1], w.Code)
		}
	}
	if len(links) != 5 {
		t.Errorf("%d links", len(links))
	}
	w := ask(s, "POST /", "", browser)
	if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %d %v", w.Code, w.Header())
	}
}

// openapi.json lists the parameters that the service takes, and no other paths.
func TestParametersAreDocumented(t *testing.T) {
	s, ids := newService(), map[string]bool{"": true}
	for path, methods := range readDocument(t, s).Paths {
		for method, operation := range methods {
			if ids[operation.OperationID] {
				t.Errorf("%s %s: the operationId %q is not unique", method, path, operation.OperationID)
			}
			ids[operation.OperationID] = true
			values := url.Values{}
			for _, p := range operation.Parameters {
				values.Set(p.Name, "x")
			}
			w := ask(s, strings.ToUpper(method)+" "+path+"?"+values.Encode(), "")
			if w.Code == http.StatusNotFound || w.Code == http.StatusMethodNotAllowed ||
				strings.Contains(w.Body.String(), "the parameters are") {
				t.Errorf("%s %s: %d %s", method, path, w.Code, w.Body)
			}
		}
	}
	for _, path := range []string{"/v1/", "/v2/query", "/v1/query/x"} {
		if w := ask(s, path, ""); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// Requests for other paths and with other methods get an error in JSON, which names the nearest
// path or the right method, and nothing from the request.
func TestOtherPathsGetHelpfulErrors(t *testing.T) {
	s, schema := newService(), programtest.ParseSchema(t, output.Schema)
	const secret = "s3cret"
	long := strings.Repeat("x", 10_000)
	for _, tt := range []struct {
		request string
		status  int
		want    string // in the message
		allow   string
	}{
		{"GET /v1/querry", 404, "did you mean /v1/query?", ""},
		{"GET /v1/query/", 404, "did you mean /v1/query?", ""},
		{"GET /v1/Query", 404, "did you mean /v1/query?", ""},
		{"GET /query?game=sqp", 404, "did you mean /v1/query?", ""},
		{"GET /api/v2/list", 404, "did you mean /v1/list?", ""},
		{"GET /openapi.json", 404, "did you mean /v1/openapi.json?", ""},
		{"GET /health", 404, "did you mean /healthz?", ""},
		{"PUT /v1/prob", 404, "did you mean /probe?", ""},
		{"GET /favicon.ico", 404, "no such path", ""},
		{"GET /v1/", 404, "no such path", ""},
		{"GET /v1", 404, "no such path", ""},
		{"GET /%ff", 404, "no such path", ""},
		{"GET /%00%1b%5b31m", 404, "no such path", ""},
		{"GET /" + secret, 404, "no such path", ""},
		{"GET /v1/query%0a" + secret, 404, "no such path", ""},
		{"GET /v1/%3cscript%3e" + secret, 404, "no such path", ""},
		{"GET /" + long, 404, "no such path", ""},
		{"GET //" + secret + "/%3cscript%3e", 404, "no such path", ""},
		{"GET /" + secret + "/../v2/lis", 404, "did you mean /v1/list?", ""},
		{"POST /v1/query", 405, "want the method GET", "GET, HEAD"},
		{"OPTIONS /v1/query", 405, "want the method GET", "GET, HEAD"},
		{"GET /v1/scan", 405, "want the method POST", "POST"},
		{"DELETE /healthz", 405, "want the method GET", "GET, HEAD"},
		{"CONNECT a.example:1", 404, "no such path", ""},
		{"OPTIONS *", 404, "no such path", ""},
		{secret + " /probe", 405, "want the method GET", "GET, HEAD"},
	} {
		w := ask(s, tt.request, "")
		var line map[string]any
		err := json.Unmarshal(w.Body.Bytes(), &line)
		if err == nil {
			err = schema.Check("", line)
		}
		text := w.Body.String()
		if err != nil || w.Code != tt.status || !strings.Contains(text, tt.want) ||
			w.Header().Get("Allow") != tt.allow || w.Header().Get("Content-Type") != "application/json" {
			t.Errorf("%.50s: %v, %d, %v: %s", tt.request, err, w.Code, w.Header(), text)
		}
		if strings.Contains(text, secret) || strings.Contains(text, "script") || strings.Contains(tt.want, "no such") &&
			strings.Contains(text, "mean") {
			t.Errorf("%.50s: %s", tt.request, text)
		}
	}
}

func TestDashboardUsesExistingMetrics(t *testing.T) {
	s := newService()
	ask(s, "/v1/query?game=sqp&address="+nettest.ClosedUDP(t), "")
	programtest.CheckDashboard(t, "../../grafana/http.json", programtest.Labels(ask(s, "/metrics", "").Body.String()))
}

// Many requests for one server cause one query, and so do later ones for a while.
func TestRequestsShareAQuery(t *testing.T) {
	s, game := newService(), newGameServer(t)
	s.Timeout = 10 * time.Second
	game.hold.Lock()
	var asking sync.WaitGroup
	for range 50 {
		asking.Go(func() {
			w := ask(s, "/v1/query?game=sqp&address="+game.addr, "")
			if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "players") {
				t.Errorf("%d %s", w.Code, w.Body)
			}
		})
	}
	<-game.arrived
	game.hold.Unlock()
	asking.Wait()
	w := ask(s, "/v1/query?game=sqp&address="+game.addr, "")
	got := game.requests.Load()
	if got != 2 || w.Header().Get("Cache-Control") != "max-age=60" { // a challenge and a query
		t.Errorf("%d requests, %v", got, w.Header())
	}
}

// refusedOf sends n requests for different ports at once, and returns how many get 429.
func refusedOf(n int, path string) int {
	s := newService()
	s.MaxQueries = 2 * n
	var refused atomic.Int64
	var asking sync.WaitGroup
	for port := range n {
		asking.Go(func() {
			if w := ask(s, fmt.Sprint(path, 1025+port), ""); w.Code == http.StatusTooManyRequests {
				refused.Add(1)
			}
		})
	}
	asking.Wait()
	return int(refused.Load())
}

// Beyond a limit the answer is 429 with Retry-After.
func TestBeyondALimitIs429(t *testing.T) {
	t.Run("queries at one time", func(t *testing.T) {
		s, game, closed := newService(), newGameServer(t), nettest.ClosedUDP(t)
		s.MaxQueries, s.Timeout = 1, 10*time.Second
		game.hold.Lock()
		var asking sync.WaitGroup
		asking.Go(func() { ask(s, "/v1/query?game=sqp&address="+game.addr, "") })
		<-game.arrived
		wantRefused(t, ask(s, "/v1/query?game=sqp&address="+closed, ""))
		game.hold.Unlock()
		asking.Wait()
		if w := ask(s, "/v1/query?game=sqp&address="+closed, ""); w.Code != http.StatusOK {
			t.Errorf("later: %d", w.Code)
		}
	})
	t.Run("targets of scans", func(t *testing.T) {
		s := newService()
		s.MaxTargets = 2000
		if w := ask(s, "POST /v1/scan?game=sqp", strings.Repeat("127.0.0.2:5000\n", 900)); w.Code != http.StatusOK {
			t.Fatal(w.Code)
		}
		wantRefused(t, ask(s, "POST /v1/scan?game=sqp", strings.Repeat("127.0.0.2:5000\n", 900)))
	})
	t.Run("queries of a host", func(t *testing.T) {
		if refusedOf(300, "/v1/query?game=sqp&address=127.0.0.1:") == 0 {
			t.Error("none is refused")
		}
	})
	t.Run("lists of a host", func(t *testing.T) {
		if refusedOf(300, "/v1/list?protocol=warzone&master=127.0.0.1:") == 0 {
			t.Error("none is refused")
		}
	})
	t.Run("requests", func(t *testing.T) {
		s := newService()
		s.Limiter = &admission.Limiter{Rates: lobbywire.Rates{PerSource: 2}}
		for range 2 {
			if w := ask(s, "/v1/schema.json", ""); w.Code != http.StatusOK {
				t.Fatal(w.Code)
			}
		}
		wantRefused(t, ask(s, "/v1/schema.json", ""))
	})
}

func wantRefused(t *testing.T, w *httptest.ResponseRecorder) {
	t.Helper()
	if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
}

// Pages of other origins may read answers only if a flag says so.
func TestOtherOriginsNeedTheFlag(t *testing.T) {
	const ours, theirs = "https://ours.example", "https://theirs.example"
	for _, tt := range []struct {
		origins []string
		origin  string
		want    string
	}{
		{nil, ours, ""},
		{[]string{ours}, ours, ours},
		{[]string{ours}, theirs, ""},
		{[]string{"*"}, theirs, "*"},
	} {
		s := newService()
		s.Origins = tt.origins
		w := ask(s, "/v1/schema.json", "", "Origin: "+tt.origin)
		if got := w.Header().Get("Access-Control-Allow-Origin"); got != tt.want {
			t.Errorf("%v for %s: %q", tt.origins, tt.origin, got)
		}
		w = ask(s, "OPTIONS /v1/scan", "", "Origin: "+tt.origin, "Access-Control-Request-Method: POST")
		if ok := w.Code == http.StatusNoContent; ok != (tt.want != "") {
			t.Errorf("%v for %s: preflight %d", tt.origins, tt.origin, w.Code)
		}
		if got := ask(s, "/probe", "", "Origin: "+tt.origin).Header().Get("Access-Control-Allow-Origin"); got != "" {
			t.Errorf("probe: %q", got)
		}
	}
}

// A lobby cannot redirect the service to addresses that it must not reach.
func TestRedirectsOfMastersAreNotFollowed(t *testing.T) {
	var reached atomic.Bool
	l, err := net.Listen("tcp", "127.0.0.2:0")
	if err != nil {
		t.Skip(err) // some systems have 127.0.0.1 only
	}
	private := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Store(true) })}
	go private.Serve(l)
	defer private.Close()
	lobby := httptest.NewServer(http.RedirectHandler("http://"+l.Addr().String()+"/", http.StatusFound))
	defer lobby.Close()
	w := ask(newService(), "/v1/list?protocol=wzhttp&master="+url.QueryEscape(lobby.URL), "")
	if !strings.Contains(w.Body.String(), `"error"`) || reached.Load() {
		t.Errorf("reached %v: %d %s", reached.Load(), w.Code, w.Body)
	}
}
