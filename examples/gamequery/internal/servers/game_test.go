package servers

import (
	"testing"

	"github.com/lobbywire/lobbywire"
)

func TestAnsweredGivesReasons(t *testing.T) {
	var s lobbywire.ServerStats
	s.Received, s.Sent = 9, 4
	const counts = "received 9 datagrams, sent 4"
	if got := answered(s); got != counts {
		t.Errorf("without a reason: %q", got)
	}
	s.Unverified, s.Unknown = 3, 2
	const want = counts + "; not answered: 3 with a wrong or expired challenge, 2 malformed or of another protocol"
	if got := answered(s); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
