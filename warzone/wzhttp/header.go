package wzhttp

import "strings"

// Values of HTTP headers that the game sends. A lobby should not require them.
const (
	AcceptList  = "application/jsonl" // Accept of EndpointList; also the Content-Type of a list
	AcceptJSON  = "application/json"  // Accept of the other endpoints
	ContentType = "application/json"  // of bodies, both ways
)

// tokenScheme is the scheme of the header Authorization.
const tokenScheme = "HostToken"

// Authorization returns the header Authorization that a host sends in all
// requests after [Create].
func Authorization(hostToken string) string { return tokenScheme + " " + hostToken }

// HostToken returns the token in a header Authorization.
func HostToken(authorization string) (token string, ok bool) {
	scheme, token, ok := strings.Cut(authorization, " ")
	token = strings.TrimLeft(token, " ")
	if !ok || !strings.EqualFold(scheme, tokenScheme) || !validToken(token) {
		return "", false
	}
	return token, true
}
