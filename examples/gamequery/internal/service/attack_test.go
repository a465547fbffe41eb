package service_test

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/gamequery/internal/service"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// The metrics have one line for each route and status, whatever the paths of requests.
func TestUnknownPathsShareAMetric(t *testing.T) {
	s := newService()
	s.Limiter = &admission.Limiter{Rates: lobbywire.Rates{PerSource: 1e6, PerPrefix: 1e6, Global: 1e6}}
	for i := range suite.Pick(20, 200) {
		for _, path := range []string{"//x%d", "//%%ff%d", "/v1/query/../x%d", "/v1//x%d", "/nosuch%d", "/v1/query;%d",
			"/%%ff%d", "/v1/%%00%%3c%d", "/v1/querry?x=%d", "/v1/query/%d/" + strings.Repeat("y", 1000),
		} {
			for _, method := range []string{"GET", "POST", "OPTIONS", "TRACE", fmt.Sprint("M", i)} {
				ask(s, method+" "+fmt.Sprintf(path, i), "")
			}
		}
	}
	for _, request := range []string{"POST /v1/query", "CONNECT /", "M //x", "PUT /v1/../probe"} {
		ask(s, request, "")
	}
	lines := strings.Count(ask(s, "/metrics", "").Body.String(), "\ngamequery_http_requests_total{")
	if lines == 0 || lines > 10 {
		t.Errorf("%d lines", lines)
	}
}

// Errors about paths and methods, redirects of the mux and preflights of pages count as requests.
func TestAnswersOfTheMuxCount(t *testing.T) {
	t.Parallel()
	for _, request := range []string{
		"GET //x", "GET /v1/../x", "GET /v1/../probe", "GET /nosuch", "GET /%ff", "GET /v1/querry", "CONNECT /",
		"POST /v1/query", "M /v1/scan", "OPTIONS /v1/query", "GET /v1/query", "GET /v1/games", "GET /", "HEAD /",
		"POST /",
	} {
		s := newService()
		s.Origins = []string{"*"}
		s.Limiter = &admission.Limiter{Rates: lobbywire.Rates{PerSource: 1}}
		ask(s, request, "", "Access-Control-Request-Method: GET")
		if w := ask(s, request, "", "Access-Control-Request-Method: GET"); w.Code != http.StatusTooManyRequests {
			t.Errorf("%s: %d", request, w.Code)
		}
	}
}

// A front is a service behind a proxy that names its clients.
type front struct {
	t   *testing.T
	url string
}

func open(t *testing.T, s *service.Service) front {
	s.Limiter.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return front{t, server.URL}
}

// send sends a request of a client. Its answer must be closed.
func (f front) send(client, method, path, body string) *http.Response {
	f.t.Helper()
	r, err := http.NewRequestWithContext(f.t.Context(), method, f.url+path, strings.NewReader(body))
	if err != nil {
		f.t.Fatal(err)
	}
	r.Header.Set("X-Forwarded-For", client)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { w.Body.Close() })
	return w
}

// A client may run two scans at one time, its prefix four, and all clients sixteen. Beyond that, a
// client without a scan takes the place of a scan of the prefix with most.
func TestScansOfClientsAreLimited(t *testing.T) {
	s, game := newService(), newGameServer(t)
	s.Timeout = time.Minute
	f := open(t, s)
	game.hold.Lock()
	release := sync.OnceFunc(game.hold.Unlock)
	defer release()
	scan := func(client string, want int) (lines *bufio.Scanner) {
		t.Helper()
		w := f.send(client, "POST", "/v1/scan?game=sqp", "no:port\n"+game.addr)
		lines = bufio.NewScanner(w.Body)
		if w.StatusCode != want || want == http.StatusOK && !lines.Scan() {
			t.Fatalf("a scan of %s: %d, want %d", client, w.StatusCode, want)
		}
		return lines // the first line has arrived, so the scan runs
	}
	var all []*bufio.Scanner
	for i := range 4 {
		for j := range 2 {
			client := fmt.Sprintf("198.51.%d.%d", i, j)
			all = append(all, scan(client, http.StatusOK), scan(client, http.StatusOK))
			scan(client, http.StatusTooManyRequests)
		}
		if i == 0 {
			all = append(all, scan("198.51.0.9", http.StatusOK)) // in the place of one of its neighbours
		}
	}
	for range 2 {
		all = append(all, scan("192.0.2.1", http.StatusOK))
	}
	release()
	whole, cut := 0, 0
	for _, lines := range all {
		switch lines.Scan(); {
		case strings.Contains(lines.Text(), `"players":`):
			whole++
		case strings.Contains(lines.Text(), `"code":"busy"`):
			cut++
		default:
			t.Errorf("a scan ends with %q", lines.Text())
		}
	}
	if whole != 16 || cut != 3 {
		t.Errorf("%d scans are whole, %d cut", whole, cut)
	}
}

// A scan whose place is taken ends, also if its client never sends the rest of the body.
func TestSlowBodiesLoseTheirPlace(t *testing.T) {
	s := newService()
	f := open(t, s)
	var slow []net.Conn
	for i := range 4 { // as many as a prefix may have
		c, err := net.Dial("tcp", strings.TrimPrefix(f.url, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /v1/scan?game=sqp HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 198.51.100.%d\r\n"+
			"Content-Length: 1000\r\nExpect: 100-continue\r\n\r\n", i/2)
		if line, err := bufio.NewReader(c).ReadString('\n'); err != nil || !strings.Contains(line, " 100 ") {
			t.Fatalf("%q, %v", line, err) // the service reads the body
		}
		slow = append(slow, c)
	}
	w := f.send("198.51.100.9", "POST", "/v1/scan?game=sqp", "no:port")
	if w.StatusCode != http.StatusOK {
		t.Fatalf("another client of the prefix: %d", w.StatusCode)
	}
	ended := make(chan string, len(slow))
	for _, c := range slow {
		go func() {
			line, _ := bufio.NewReader(c).ReadString('\n')
			ended <- line
		}()
	}
	select {
	case line := <-ended:
		if !strings.Contains(line, " 400 ") {
			t.Errorf("it ends with %q", line)
		}
	case <-time.After(time.Minute):
		t.Error("all go on")
	}
}

// Silent targets of a scan leave room for the queries of others.
func TestScansLeaveRoomForQueries(t *testing.T) {
	s, game, other := newService(), newGameServer(t), newGameServer(t)
	s.Timeout, s.MaxQueries = time.Minute, 8
	f := open(t, s)
	game.hold.Lock()
	defer game.hold.Unlock()
	var targets []string
	for i := range 10 { // different keys of one server
		targets = append(targets, strings.ToUpper(strings.Repeat("x", i))+".localhost:"+portOf(t, game.addr))
	}
	s.Guard.Resolver = resolver{netip.MustParseAddr("127.0.0.1")}
	w := f.send("198.51.100.1", "POST", "/v1/scan?game=sqp", "no:port\n"+strings.Join(targets[1:], "\n"))
	if lines := bufio.NewScanner(w.Body); !lines.Scan() {
		t.Fatal("the scan does not run")
	}
	<-game.arrived
	for range 3 {
		w := f.send("192.0.2.1", "GET", "/v1/query?game=sqp&address="+other.addr, "")
		text, err := io.ReadAll(w.Body)
		if err != nil || w.StatusCode != http.StatusOK || !strings.Contains(string(text), `"players":`) {
			t.Errorf("%v, %d: %s", err, w.StatusCode, text)
		}
	}
}

// A name with very many addresses makes the service query few of them.
func TestFewAddressesOfANameAreQueried(t *testing.T) {
	s, game := newService(), newGameServer(t)
	s.Guard.Allow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	port := portOf(t, game.addr)
	for others, answers := range map[int]bool{3: true, 4: false} {
		all := addresses{}
		for i := range others {
			all = append(all, netip.AddrFrom4([4]byte{127, 0, 0, byte(2 + i)})) // where nothing listens
		}
		s.Guard.Resolver = append(all, netip.MustParseAddr("127.0.0.1"))
		w := ask(s, fmt.Sprintf("/v1/query?game=sqp&address=of%d.example:%s", others, port), "")
		if got := strings.Contains(w.Body.String(), `"players":`); got != answers {
			t.Errorf("after %d others: %s", others, w.Body)
		}
	}
}

// addresses resolve all names to themselves.
type addresses []netip.Addr

func (a addresses) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) { return a, nil }

// resolver resolves all names to an address.
type resolver struct{ to netip.Addr }

func (r resolver) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return []netip.Addr{r.to}, nil
}

func portOf(t *testing.T, addr string) string {
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		t.Fatal(err)
	}
	return port
}

// A list is requested at the ports of masters only, and no parameter can speak another protocol.
func TestListsSpeakNoOtherProtocol(t *testing.T) {
	s := newService()
	for _, tt := range []struct {
		query url.Values
		want  string
	}{
		{url.Values{"protocol": {"gamespy2"}, "game": {"a"}, "key": {"b"}, "master": {"127.0.0.1:25"}}, "below 1024"},
		{url.Values{"protocol": {"bomberman"}, "master": {"127.0.0.1:80"}}, "below 1024"},
		{url.Values{"protocol": {"warzone"}, "master": {"127.0.0.1:443"}}, "below 1024"},
		{url.Values{"protocol": {"wzjson"}, "master": {"http://127.0.0.1/"}}, "want HOST:PORT"},
		{url.Values{"protocol": {"gameagent"}, "master": {"http://127.0.0.1:25600/"}}, "want HOST:PORT"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"127.0.0.1:25"}}, "below 1024"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"http://127.0.0.1:25/"}}, "below 1024"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"http://127.0.0.1:6379/"}}, "other services"},
		{url.Values{"protocol": {"gameagent"}, "master": {"127.0.0.1:11211"}}, "other services"},
		{url.Values{"protocol": {"warzone"}, "master": {"https://127.0.0.1:22/"}}, "below 1024"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"http://user:secret@127.0.0.1:5000/"}}, "a host and a path only"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"user:secret@127.0.0.1:5000"}}, "a host and a path only"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"user@127.0.0.1"}}, "a host and a path only"},
		{url.Values{"protocol": {"bomberman"}, "master": {"user@127.0.0.1:5000"}}, "as the host"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"ftp://127.0.0.1/"}}, "of http or https"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"file:///etc/passwd"}}, "of http or https"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"ftp://127.0.0.1:5000/"}}, "of http or https"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"http://127.0.0.1:5000/?a=b"}}, "a host and a path only"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"http://127.0.0.1:99999/"}}, "a host and a path only"},
		{url.Values{"protocol": {"wzhttp"}, "master": {"http:///"}}, "a host and a path only"},
		{url.Values{"protocol": {"gamespy2"}, "game": {"a\r\nMAIL FROM:<a@b>"}, "key": {"b"},
			"master": {"127.0.0.1:5000"}},
			"control characters"},
		{url.Values{"protocol": {"gamespy2"}, "game": {"a"}, "key": {"b\x00"}, "master": {"127.0.0.1:5000"}},
			"control characters"},
		{url.Values{"protocol": {"gamespy2"}, "game": {"a"}, "key": {"b"}, "filter": {"c\u0085d"},
			"master": {"127.0.0.1:5000"}},
			"control characters"},
		{url.Values{"protocol": {"gamespy2"}, "game": {"a"}, "key": {"b"}, "filter": {"c\xffd"},
			"master": {"127.0.0.1:5000"}},
			"control characters"},
		{url.Values{"protocol": {"gamespy2"}, "game": {"a"}, "key": {"b"}, "filter": {strings.Repeat("a", 1025)},
			"master": {"127.0.0.1:5000"}}, "at most 1024 bytes"},
		{url.Values{"protocol": {"warzone"}, "master": {"127.0.0.1\n:5000"}}, "control characters"},
		{url.Values{"protocol": {"warzone"}, "master": {strings.Repeat("a.", 127) + ":5000"}}, "too long"},
	} {
		w := ask(s, "/v1/list?"+tt.query.Encode(), "")
		if w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), tt.want) {
			t.Errorf("%v: %d %s", tt.query, w.Code, w.Body)
		}
	}
	for _, path := range []string{
		"/v1/query?game=sqp&address=127.0.0.1%0a:5000", "/v1/query?game=sqp&address=user@127.0.0.1:5000",
		"/probe?module=sqp&target=127.0.0.1%0d:5000", "/probe?module=sqp&target=127.0.0.1:53",
		"/v1/query?game=sqp&address=127.0.0.1%ff:5000", "/v1/query?game=ut&address=127.0.0.1:11210",
		"/v1/query?game=sqp&address=127.0.0.1:1900", "/probe?module=sqp&target=127.0.0.1:11211",
	} {
		if w := ask(s, path, ""); w.Code != http.StatusBadRequest {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	w := ask(s, "POST /v1/scan?game=sqp", "\ufeff"+`["a\r\nb:5000"]`, "Content-Type: application/json")
	if !strings.Contains(w.Body.String(), "control characters") {
		t.Errorf("scan: %s", w.Body)
	}
}

// An error gives the kind of a failure. It repeats no bytes of the answer, and reveals neither
// this machine nor its resolver.
func TestErrorsSayTheKindOnly(t *testing.T) {
	t.Parallel()
	const secret = "s3cret"
	repeats := func(got, sent string) bool { // as text, or as a number
		if len(sent) < 4 {
			return false
		}
		number := binary.BigEndian.Uint32([]byte(sent))
		return strings.Contains(got, secret) || strings.Contains(got, fmt.Sprint(number)) ||
			strings.Contains(got, fmt.Sprintf(" is %d", sent[0]))
	}
	said := "HTTP/1.1 " + secret + " " + secret + "\r\n" + secret + ": " + secret + "\r\n\r\n" + secret
	listen := func(banner string) string {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { l.Close() })
		go func() {
			for {
				c, err := l.Accept()
				if err != nil {
					return
				}
				fmt.Fprint(c, banner)
				go func() {
					io.Copy(io.Discard, io.LimitReader(c, 1)) // the request has begun
					c.Close()
				}()
			}
		}()
		return l.Addr().String()
	}
	banners := []string{
		said, "220 " + secret + " ESMTP\r\n",
		"HTTP/1.1 404 " + secret + "\r\n" + secret + ": " + secret + "\r\n\r\n" + secret,
		"HTTP/1.1 500 x\r\nContent-Type: application/json\r\n\r\n" +
			"{\"error\":{\"code\":\"" + secret + "\",\"message\":\"" + secret + "\"}}",
		"{\"error\":\"" + secret + "\"}\n", "\\error\\" + secret + "\\final\\", "",
	}
	s := newService()
	s.Timeout, s.Keep = 2*time.Second, time.Minute // a scan takes the answers of queries
	var asking sync.WaitGroup
	for _, banner := range banners {
		addr := listen(banner)
		for _, list := range []string{
			"gamespy2&game=a&key=b", "gameagent", "bomberman", "warzone", "wztext", "wzbinary", "wzjson",
			"wzhttp http://", "wzhttp https://", "warzone http://",
		} {
			asking.Go(func() {
				protocol, scheme, _ := strings.Cut(list, " ")
				w := ask(s, "/v1/list?protocol="+protocol+"&master="+url.QueryEscape(scheme+addr), "")
				if got := w.Body.String(); repeats(got, banner) || strings.Contains(got, "127.0.0.1") ||
					w.Code == http.StatusOK && !strings.Contains(got, `"error":`) && banner != "" {
					t.Errorf("%s of %.20q: %d %s", list, banner, w.Code, got)
				}
			})
		}
	}
	asking.Wait()
	addr := answering(t, secret)
	games := []string{"sqp", "gamespy2plain", "gamespy2challenge", "gamespy1", "gameagent"}
	check := func(path string) {
		w := ask(s, path, addr)
		if got := w.Body.String(); repeats(got, secret) || !strings.Contains(got, `"code":"invalid"`) {
			t.Errorf("%s: %s", path, got)
		}
	}
	for _, game := range games {
		asking.Go(func() { check("/v1/query?game=" + game + "&address=" + addr) })
	}
	asking.Wait()
	for _, game := range games {
		check("POST /v1/scan?game=" + game)
	}
	s.Guard.Resolver = failing{&net.DNSError{Err: "read udp 192.0.2.9:600->192.0.2.53:53: " + secret,
		Name: "a.example", Server: "192.0.2.53:53", IsTimeout: true}}
	for _, path := range []string{
		"/v1/query?game=sqp&address=a.example:5000", "/v1/list?protocol=warzone&master=a.example",
		"POST /v1/scan?game=sqp",
	} {
		w := ask(s, path, "a.example:5001")
		if got := w.Body.String(); !strings.Contains(got, `"code":"name"`) || strings.Contains(got, "192.0.2") ||
			strings.Contains(got, secret) {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// answering answers each datagram with a text, and returns its address.
func answering(t *testing.T, text string) string {
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		b := make([]byte, 64)
		for {
			_, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			conn.WriteTo([]byte(text), from)
		}
	}()
	return conn.LocalAddr().String()
}

// failing is a resolver that fails.
type failing struct{ err error }

func (f failing) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	return nil, f.err
}

// A probe with a short time limit reports that nothing is known, and does not affect other
// requests.
func TestHastyProbesDoNotAffectOthers(t *testing.T) {
	s, game := newService(), newGameServer(t)
	game.hold.Lock()
	const path = "/probe?module=sqp&target="
	w := ask(s, path+game.addr, "", "X-Prometheus-Scrape-Timeout-Seconds: 0.02")
	game.hold.Unlock()
	if got := w.Body.String(); w.Code != http.StatusOK || !strings.Contains(got, "probe_success 0\n") ||
		!strings.Contains(got, "gamequery_verdict{verdict=\"unknown\"} 1\n") {
		t.Errorf("%d %s", w.Code, got)
	}
	s.Timeout = time.Minute
	if got := ask(s, path+game.addr, "").Body.String(); !strings.Contains(got, "probe_success 1\n") {
		t.Error(got)
	}
}

// A prefix that varies its probes of one host, by names, spellings and times, so that none is
// shared, causes no more queries of the host than the limit, and leaves room for others. The probes
// use little memory, however long the names are.
func TestProbesWithChangingKeysAreLimited(t *testing.T) {
	s, game := newService(), newGameServer(t)
	s.Timeout = time.Minute
	s.Guard.Resolver = resolver{netip.MustParseAddr("127.0.0.1")}
	f := open(t, s)
	probe := func(client, target string, seconds int) string {
		path := "/probe?module=sqp&target=" + url.QueryEscape(target)
		r, err := http.NewRequestWithContext(t.Context(), "GET", f.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Forwarded-For", client)
		r.Header.Set("X-Prometheus-Scrape-Timeout-Seconds", fmt.Sprint(seconds))
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		b, err := io.ReadAll(w.Body)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	_, port, _ := strings.Cut(game.addr, ":")
	label := strings.Repeat("x", 60) + "."
	name := func(i int) string {
		return [...]string{
			fmt.Sprintf("n%d.example:", i), fmt.Sprintf("N%d.EXAMPLE.:", i),
			fmt.Sprintf("n%d.%sexample:", i, strings.Repeat(label, 3)),
		}[i%3] + port
	}
	const probes, perProbe, burst, perSecond = 300, 2, 200, 50 // requests of SQP
	probe("198.51.100.1", name(probes), 10)
	start, before, answered := time.Now(), suite.Heap(), 0
	for i := range probes {
		got := probe(fmt.Sprintf("198.51.100.%d", i%200), name(i), 2+i%3*4)
		if strings.Contains(got, "probe_success 1\n") {
			answered++
		}
	}
	requests, most := int(game.requests.Load()), perProbe*(burst+int(time.Since(start).Seconds()+1)*perSecond)
	after := suite.Heap()
	t.Logf("%d of %d probes answered by %d requests; %d KiB before, %d after",
		answered, probes, requests, before>>10, after>>10)
	if requests > most {
		t.Errorf("%d requests arrive, want at most %d", requests, most)
	}
	if each := (after - before) / probes; each > 8<<10 {
		t.Errorf("each probe takes %d bytes", each)
	}
	if got := probe("203.0.113.1", "another.example:"+port, 10); !strings.Contains(got, "probe_success 1\n") {
		t.Errorf("the probe of another prefix: %s", got)
	}
	got := probe("203.0.113.1", strings.Repeat(label, 300)+"example:"+port, 10)
	if strings.Contains(got, "probe_success 1\n") {
		t.Error("a name of 18 KB is queried")
	}
	runtime.KeepAlive(s)
}

// The memory that a probe keeps does not depend on the size of the answer.
func TestProbesKeepLittle(t *testing.T) {
	const probes = 120 // of one host at once
	s := newService()
	s.Guard.Resolver = resolver{netip.MustParseAddr("127.0.0.1")}
	port := portOf(t, answering(t, "\\hostname\\Duel\\numplayers\\3\\rule\\"+strings.Repeat("x", 50_000)+
		"\\final\\\\queryid\\1.1"))
	probe := func(i int) {
		t.Helper()
		w := ask(s, fmt.Sprintf("/probe?module=gamespy1&target=n%d.example:%s", i, port), "")
		if !strings.Contains(w.Body.String(), "gamequery_players 3\n") {
			t.Fatalf("%d %s", w.Code, w.Body)
		}
	}
	probe(0)
	before := suite.Heap()
	for i := range probes {
		probe(1 + i)
	}
	after := suite.Heap()
	t.Logf("%d KiB before, %d KiB with %d more probes", before>>10, after>>10, probes)
	if each := (after - before) / probes; each > 8<<10 {
		t.Errorf("each probe takes %d bytes", each)
	}
	runtime.KeepAlive(s)
}

// listAt returns the path of a list of a test master of GameSpy.
func listAt(addr string) string {
	return "/v1/list?protocol=gamespy2&game=a&key=secret&master=" + addr
}

func listed(i int) *sb2.Server {
	ip := netip.AddrFrom4([4]byte{8, 8, byte(i >> 8), byte(i)})
	return &sb2.Server{Flags: sb2.FlagUnsolicitedUDP | sb2.FlagPort, IP: ip, Port: 5000}
}

// startOf returns the start of a list.
func startOf() sb2.List {
	return sb2.List{ClientIP: netip.MustParseAddr("127.0.0.1"), DefaultPort: 6500}
}

// The lines of a list are written as the servers arrive.
func TestListsAreSentAsTheyArrive(t *testing.T) {
	next := make(chan bool)
	master := traffictest.GameSpyMaster(t, startOf(), func(add func(...*sb2.Server) error) {
		for i := range 3 {
			if add(listed(i)) != nil {
				return
			}
			<-next
		}
	})
	s := newService()
	s.Timeout = time.Minute
	f := open(t, s)
	lines := bufio.NewScanner(f.send("192.0.2.1", "GET", listAt(master), "").Body)
	for i := range 3 {
		if !lines.Scan() || !strings.Contains(lines.Text(), fmt.Sprintf(`"query":"8.8.0.%d:5000"`, i)) {
			t.Fatalf("line %d: %q", i, lines.Text())
		}
		next <- true
	}
	if lines.Scan() || lines.Err() != nil {
		t.Errorf("%q, %v after the end", lines.Text(), lines.Err())
	}
}

// A list is cut, with an error line, when it has too many servers, bytes, or bytes of lines, or a
// server with too long texts.
func TestListsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 20_000)
	withFields := startOf()
	withFields.Popular = []string{long}
	for range 4 {
		withFields.Keys = append(withFields.Keys, sb2.Key{Name: fmt.Sprint("key", len(withFields.Keys))})
	}
	fields := func(values ...string) *sb2.Server {
		server := listed(0)
		server.Flags |= sb2.FlagFields
		for i, v := range values {
			server.Fields = append(server.Fields, sb2.KeyValue{Key: withFields.Keys[i].Name, Value: v})
		}
		return server
	}
	for _, tt := range []struct {
		name  string
		start sb2.List
		row   *sb2.Server
		lines int // at most
	}{
		{"servers", startOf(), listed(0), 8192},
		{"bytes of lines", withFields, fields(long, "", "", ""), 110},
		{"bytes of texts", withFields, fields(long, long, long, long), 0},
		{"bytes", withFields, fields(strings.Repeat("y", 2000), "", "", ""), 140},
	} {
		master := traffictest.GameSpyMaster(t, tt.start, func(add func(...*sb2.Server) error) {
			for add(tt.row) == nil {
			}
		})
		s := newService()
		s.Timeout = time.Minute
		w := ask(s, listAt(master), "")
		lines := strings.Split(strings.TrimSpace(w.Body.String()), "\n")
		last := lines[len(lines)-1]
		if w.Code != http.StatusOK || !strings.Contains(last, "servers are missing") || len(lines)-1 > tt.lines ||
			w.Body.Len() > 2<<20+len(last)+1 {
			t.Errorf("%s: %d, %d lines, %d bytes, the last is %s", tt.name, w.Code, len(lines), w.Body.Len(), last)
		}
	}
}
