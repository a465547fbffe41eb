package main

import (
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/lobbywire/lobbywire/warzone/warzonegames"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// A game is restored with the join tokens that players have used.
func TestSavedGames(t *testing.T) {
	file := filepath.Join(t.TempDir(), "games.json")
	var log strings.Builder
	logger := slog.New(slog.NewTextHandler(&log, nil))
	e := warzonegames.Entry{
		Key:     netip.MustParseAddrPort("192.0.2.1:2100"),
		ID:      5,
		Source:  warzonegames.SourceHTTP,
		Expires: time.Now().Add(time.Hour).UTC().Truncate(time.Second),
	}
	e.Game.Name = "Z\xfcrich"
	e.HTTP.Mods = []wzhttp.Mod{{Name: "a", Hash: "b"}}
	used := warzonegames.UsedToken{Expires: e.Expires.Unix(), Nonce: [8]byte{0xff, 0xfe}, Player: [8]byte{0xfd}}
	if !e.HTTP.UseToken(used, time.Now()) {
		t.Fatal("the token is used")
	}
	s, err := loadGames(file, logger)
	if err != nil {
		t.Fatal(err)
	}
	s.Put(e)
	s.save()
	s, err = loadGames(file, logger)
	if err != nil || log.Len() > 0 {
		t.Fatalf("%v, log %q", err, log.String())
	}
	var restored []warzonegames.Entry
	s.Watch(func(e warzonegames.Entry) { restored = append(restored, e) }, nil)
	if diff := cmp.Diff([]warzonegames.Entry{e}, restored, cmpopts.EquateComparable(netip.AddrPort{})); diff != "" {
		t.Error(diff)
	}
}

// A file of games that cannot be read is kept aside, and lobbyd starts.
func TestSavedGamesUnreadable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "games.json")
	const earlier = `[{"id":5,"http":{"mods":""}}]`
	if err := os.WriteFile(file, []byte(earlier), 0o600); err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	s, err := loadGames(file, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil || len(s.games) > 0 || !strings.Contains(log.String(), file+".unreadable") {
		t.Errorf("%+v, %v, log %q", s, err, log.String())
	}
	if b, err := os.ReadFile(file + ".unreadable"); err != nil || string(b) != earlier {
		t.Errorf("%q, %v", b, err)
	}
}
