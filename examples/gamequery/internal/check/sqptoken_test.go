package check

import (
	"net/netip"
	"testing"
)

// usedUp is a server whose tokens are valid for one query, be it answered or not, as
// go-svrquery's are.
func usedUp(right toy) toy {
	known := map[netip.AddrPort]bool{}
	return toy{func(from netip.AddrPort, req []byte) []byte {
		isQuery := len(req) > 0 && req[0] == 1
		if isQuery && !known[from] {
			return nil
		}
		answer := right.respond(from, req)
		known[from] = !isQuery && (known[from] || answer != nil)
		return answer
	}, right.set}
}

// outstanding is a server that has one token for a client, and sends no other before it has
// answered a query, as Unity's SDK in C#.
func outstanding(right toy) toy {
	known := map[netip.AddrPort]bool{}
	return toy{func(from netip.AddrPort, req []byte) []byte {
		isChallenge := len(req) > 0 && req[0] == 0
		if isChallenge && known[from] {
			return nil
		}
		answer := right.respond(from, req)
		if answer != nil {
			known[from] = isChallenge
		}
		return answer
	}, right.set}
}

// Either life of tokens is right, and no case takes it for a fault.
func TestLivesOfTokens(t *testing.T) {
	for name, change := range map[string]func(toy) toy{"used up": usedUp, "outstanding": outstanding} {
		r := change(toySQP()).check(sqpSuite())
		for _, f := range r.Findings {
			if f.Result != Pass {
				t.Errorf("%s: %s %s: %s", name, f.ID, f.Sentence, f.Why)
			}
		}
	}
}
