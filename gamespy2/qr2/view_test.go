package qr2_test

import (
	"testing"

	"github.com/lobbywire/lobbywire/gamespy2/qr2"
)

func TestViewOfAHeartbeatHasItsKeys(t *testing.T) {
	m, err := qr2.ParseHeartbeat(load(t, "heartbeat_first"))
	if err != nil {
		t.Fatal(err)
	}
	v := m.View()
	if v.Name != "GameSpy QR2 Sample" || v.Map != "gmtmap1" || *v.Players != 5 || *v.Max != 32 || len(v.Roster) != 5 ||
		len(v.Teams) != 2 {
		t.Errorf("%+v", v)
	}
	if v.Roster[0].Name != "Joe Player" || *v.Roster[0].Score != 4 || v.Teams[1].Name != "Blue" {
		t.Errorf("players %+v, teams %+v", v.Roster, v.Teams)
	}
	m, err = qr2.ParseHeartbeat(load(t, "heartbeat_shutdown"))
	if err != nil {
		t.Fatal(err)
	}
	if v := m.View(); v.Game != "gmtest" || v.Name != "" || v.Players != nil || len(v.Roster) != 0 {
		t.Errorf("without keys of the game: %+v", v)
	}
}
