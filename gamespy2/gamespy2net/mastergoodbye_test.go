package gamespy2net_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/gamespy2/gamespy2net"
	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

// A server that stops says so once: no limit on its rate keeps it listed.
func TestMasterHearsGoodbyes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := &gamespy2net.Master{Games: []gamespy2net.Game{gmtest},
			Limits: gamespy2net.MasterLimits{Rates: lobbywire.Rates{PerSource: 5}}}
		enlist(t, m, otherServer, beat{key: instance}.wire(t))
		for i := range 100 {
			noAnswer(t, m, otherServer, beat{key: instance, pairs: []string{"hostname", fmt.Sprint(i)}}.wire(t))
		}
		wantListed(t, m, otherServer)
		noAnswer(t, m, otherServer, beat{key: instance, state: qr2.StateShutdown}.wire(t))
		wantListed(t, m)
	})
}
