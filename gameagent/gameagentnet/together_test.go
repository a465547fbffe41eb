package gameagentnet_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// A server registers at a Master, and a Client finds it in the list and queries it,
// until the server is gone.
func TestServerMasterAndClient(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newWorld()
		pc, err := w.Network.Listen(masterHost)
		if err != nil {
			t.Fatal(err)
		}
		var m gamespy1net.Master
		served := make(chan struct{})
		go func() {
			m.Serve(pc)
			close(served)
		}()
		defer func() {
			m.Close()
			<-served
		}()
		_, _, leave := register(t, &w.Network, false)
		browse := func() (n int) {
			l, err := w.client.List(t.Context(), masterHost.String())
			if err != nil {
				t.Fatal(err)
			}
			targets, _ := l.Targets(t.Context())
			for target, r := range w.client.Scan(t.Context(), targets) {
				n++
				if r.Err != nil || r.Message.SessionName != duel().SessionName || target != gameHost {
					t.Errorf("%v: %+v", target, r)
				}
			}
			return n
		}
		synctest.Wait()
		if n := browse(); n != 1 {
			t.Errorf("%d servers at first", n)
		}
		time.Sleep(time.Hour)
		if n := browse(); n != 1 {
			t.Errorf("%d servers after an hour", n)
		}
		leave()
		time.Sleep(6 * time.Minute)
		if n := browse(); n != 0 {
			t.Errorf("%d servers after it left", n)
		}
	})
}
