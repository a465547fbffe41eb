package masters

import "testing"

// A refusal has no servers, although its bytes may be addresses.
func TestRefusalsHaveNoServers(t *testing.T) {
	for list, want := range map[string]int{
		`\final\`: 0, "\x0a\x00\x00\x01\x64\x01\\final\\": 1,
		`\error\Wrong\final\`: 0, `\fatal\1\error\Wrong key\final\`: 0, `\echo\Nobody\final\`: 0, `\error\Wrong key`: 0,
	} {
		if n := serversIn([]byte(list)); n != want {
			t.Errorf("%q: %d servers, want %d", list, n, want)
		}
	}
}
