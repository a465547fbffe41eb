package wzhttp

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// BasePath is the path of the protocol below the address of a lobby.
const BasePath = "/api/v1"

// QueryStarted is the query string of EndpointDelete when the game starts. No other
// endpoint uses a query string.
const QueryStarted = "started=1"

// An Endpoint is a method and a path of a lobby.
type Endpoint uint8

// The endpoints, with the bodies of request and answer.
const (
	EndpointList       Endpoint = iota + 1 // no body; lines, see ListReader
	EndpointCreate                         // Create; Created
	EndpointConnection                     // Connection; Status
	EndpointPatch                          // Patch; Status
	EndpointDelete                         // no body; the game ignores the answer
	EndpointJoinCheck                      // JoinCheck; Verdict
	EndpointJoin                           // JoinRequest; JoinReply
)

// String returns "list", "create", "connection", "patch", "delete", "joinCheck", "join" or a form
// such as "endpoint(9)".
func (e Endpoint) String() string {
	return wire.EnumName(e, "endpoint", "", "list", "create", "connection", "patch", "delete", "joinCheck", "join")
}

// An endpoint is a row of the table of endpoints.
type endpoint struct {
	method    string
	path      string // with placeholder for the id of a game
	codes     string // HTTP statuses that the game accepts, or "any"
	tolerated string // other statuses after which a host keeps its listing
	retries   int    // after status 429
	base      time.Duration
}

// placeholder stands for the id of a game, as in patterns of net/http.
const placeholder = "{id}"

const (
	anyStatus = "any"
	created   = "200 201 202"
)

// endpoints are in the order of the constants. The numbers are from the source code
// of 4.7.0.
var endpoints = [...]endpoint{
	{"GET", "/games", "200", "any", 0, 0},
	{"POST", "/game", created, "", 2, 5 * time.Second},
	{"POST", "/game/{id}/connection", created, "406 409 429", 2, 3 * time.Second},
	{"PATCH", "/game/{id}", created, "429", 0, 0},
	{"DELETE", "/game/{id}", anyStatus, anyStatus, 3, 3 * time.Second},
	{"POST", "/game/{id}/check-join-request", "200", anyStatus, 1, 3 * time.Second},
	{"POST", "/game/{id}/request-join", "200", anyStatus, 1, 2 * time.Second},
}

// row returns the row of e, or an empty row if e is unknown.
func (e Endpoint) row() endpoint {
	if e < 1 || int(e) > len(endpoints) {
		return endpoint{}
	}
	return endpoints[e-1]
}

// Method returns the HTTP method.
func (e Endpoint) Method() string { return e.row().method }

// Path returns the path after [BasePath]. Some endpoints contain the id of a game.
// For them, Path fails if id is not valid, see [ValidID].
func (e Endpoint) Path(id string) (string, error) {
	path := BasePath + e.row().path
	if !strings.Contains(path, placeholder) {
		return path, nil
	}
	if !ValidID(id) {
		return "", errorIn("id", validIDFault)
	}
	return strings.Replace(path, placeholder, id, 1), nil
}

// EndpointOf returns the endpoint of a request and the id of the game in its path.
// Anything may precede [BasePath] in the path.
func EndpointOf(method, path string) (e Endpoint, id string, ok bool) {
	at := strings.LastIndex(path, BasePath+"/")
	if at < 0 {
		return 0, "", false
	}
	path = path[at+len(BasePath):]
	for i, row := range endpoints {
		before, after, hasID := strings.Cut(row.path, placeholder)
		rest, ok := strings.CutPrefix(path, before)
		if row.method != method || !ok {
			continue
		}
		id, ok := strings.CutSuffix(rest, after)
		if ok && (hasID && ValidID(id) || !hasID && id == "") {
			return Endpoint(i + 1), id, true
		}
	}
	return 0, "", false
}

// Accepts reports whether the game treats an HTTP status as success. It does not
// follow redirects.
func (e Endpoint) Accepts(status int) bool { return contains(e.row().codes, status) }

// Tolerates reports whether the game's host keeps its listing after an answer with this
// HTTP status. Otherwise, or if a request to EndpointCreate or EndpointPatch gets no
// answer, the host sends a request to EndpointDelete and does not announce the game again.
func (e Endpoint) Tolerates(status int) bool {
	return e.Accepts(status) || contains(e.row().tolerated, status)
}

// contains reports whether a list of statuses contains a status.
func contains(list string, status int) bool {
	return list == anyStatus || slices.Contains(strings.Fields(list), strconv.Itoa(status))
}

// maxRetryDelay is the longest delay of a retry.
const maxRetryDelay = 10 * time.Second

// Retry returns the time that the game waits before its n-th retry, counted from 1, after
// an answer with status 429, and whether it retries at all. retryAfter is the header
// Retry-After of the answer, or 0. The game does not retry after other failures. For
// EndpointPatch see [PatchRetry].
func (e Endpoint) Retry(n int, retryAfter time.Duration) (delay time.Duration, ok bool) {
	row := e.row()
	if n < 1 || n > row.retries {
		return 0, false
	}
	shortest := min(row.base*time.Duration(n), maxRetryDelay)
	return min(max(retryAfter, shortest), maxRetryDelay), true
}

// BaseURL returns the URL of [BasePath] at a lobby. Users enter the address: a URL with
// http or https, or without a scheme, which means https. BaseURL removes slashes at its
// end; the game keeps them. It fails if the address contains a query or another scheme.
func BaseURL(address string) (string, error) {
	if !strings.Contains(address, "://") {
		address = "https://" + address
	}
	scheme, rest, _ := strings.Cut(address, "://")
	switch {
	case !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https"):
		return "", errorIn("address", wire.Invalid("has a scheme other than http and https"))
	case strings.ContainsAny(rest, "?# \t\r\n"):
		return "", errorIn("address", wire.Invalid("has a query, a fragment or white space"))
	}
	rest = strings.TrimRight(rest, "/")
	if rest == "" || rest[0] == '/' {
		return "", errorIn("address", wire.Invalid("has no host"))
	}
	return strings.ToLower(scheme) + "://" + rest + BasePath, nil
}
