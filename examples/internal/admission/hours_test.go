package admission_test

import (
	"encoding/binary"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/examples/internal/admission"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// Clients that come and go for hours, with and without requests, leave nothing behind.
func TestClientsLeaveNothingOverHours(t *testing.T) {
	limiter := &admission.Limiter{Rates: lobbywire.Rates{PerSource: 1}}
	open(t, limiter, admission.ConnLimits{PerAddress: 4}, func(t *testing.T, h *house) {
		clients := uint32(0)
		dial := func() net.Conn {
			c, err := h.network.DialFrom(netip.AddrFrom4([4]byte(binary.BigEndian.AppendUint32(nil, 10<<24+clients<<8/3))))(
				t.Context(), "tcp", at().String())
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		hour := func() int {
			for range 60 {
				for range suite.Pick(3, 30) {
					clients++
					for i := range 6 { // two of them beyond the limit
						c := dial()
						if i%3 > 0 {
							caller := &caller{t, c}
							caller.ask("/")
							caller.ask("/nosuch")
						}
						defer c.Close()
						if i%2 > 0 {
							c.Close()
						}
					}
				}
				time.Sleep(time.Minute)
			}
			return suite.Heap()
		}
		hour() // fills the tables
		first := hour()
		last := hour()
		time.Sleep(time.Hour)
		after := suite.Heap()
		t.Logf("%d KiB after two hours, %d after three with %d clients, %d after an hour without any",
			first>>10, last>>10, clients, after>>10)
		if last-first > 128<<10 || after-first > 128<<10 {
			t.Errorf("it has grown by %d bytes, and by %d in the end", last-first, after-first)
		}
	})
}
