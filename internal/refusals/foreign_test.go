package refusals

import (
	"net/netip"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
)

func TestProtocolOfKnowsForeignRequests(t *testing.T) {
	for _, tt := range []struct {
		input string
		want  error
	}{
		{"", nil},
		{"GET", nil},
		{"GET ", ErrHTTP},
		{"POST", ErrHTTP},
		{"PATCH /api/v1/game/AAAAAAB HTTP/1.1\r\n", ErrHTTP},
		{"\x16\x03\x01\x02\x00", ErrTLS},
		{"\x16", nil},
		{"PROXY TCP4 192.0.2.7 198.51.100.1 51234 9990\r\n", errProxied},
		{"PROX", errProxied},
		{"\r\n\r\n\x00\r\nQUIT\n\x21\x11\x00\x0c", errProxied},
		{"QUIT\n\x21\x11", errProxied},
		{"QUIT\n", nil},
		{"\r\n\r\n", nil},
		{"\\heartbeat\\7778\\gamename\\ut\\", errLegacy},
		{"\x03\x01\x02\x03\x04localip0\x00192.168.1.2\x00", errGameSpy},
		{"\x03\x01\x02\x03\x04", nil},
		{"\x03\x01\x02\x03\x04\x00", nil},
		{"\xff\xff\xff\xffheartbeat DarkPlaces\n", errQuake},
		{"addg\x00", errWarzone},
		{"gaId\x00", errWarzone},
		{"list\x00", nil},
		{`43{"command":"msQueryGameServers"}`, errBomberman},
		{"43", nil},
		{"{}", nil},
		{"0;challenge;0;players;1", errGameAgent},
		{"q", errGameAgent},
		{"question", nil},
	} {
		if got := ProtocolOf([]byte(tt.input)); got != tt.want {
			t.Errorf("%q: %v, want %v", tt.input, got, tt.want)
		}
	}
}

// Reporters pass on a bounded number of events, and count the others.
func TestReporterCountsWhatItMisses(t *testing.T) {
	synctest.Test(t, countWhatIsMissed)
}

func countWhatIsMissed(t *testing.T) {
	var got []lobbywire.Refusal
	r := Reporter{To: func(r lobbywire.Refusal) { got = append(got, r) }}
	from := netip.MustParseAddrPort("192.0.2.7:6500")
	for range 1000 {
		r.Report(lobbywire.Refusal{From: from, Reason: lobbywire.ReasonChallenge})
	}
	pending := len(got)
	r.Report(lobbywire.Refusal{From: from, Reason: lobbywire.ReasonKey})
	if last := got[len(got)-1]; pending == 0 || pending > 64 || len(got) != pending+1 ||
		last.Reason != lobbywire.ReasonKey || last.Missed != uint64(1000-pending) {
		t.Errorf("%d pending, then %+v", pending, last)
	}
	(*Reporter)(nil).Report(got[0])
	new(Reporter).Foreign(from, nil)
}
