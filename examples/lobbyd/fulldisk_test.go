package main

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/ban"
)

// byOperator sends a request as over the unix socket.
func (d *lobbyd) byOperator(path, body string) *httptest.ResponseRecorder {
	r, w := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)), httptest.NewRecorder()
	over := context.WithValue(r.Context(), http.LocalAddrContextKey, &net.UnixAddr{Net: "unix"})
	d.fronts.adminHandler().ServeHTTP(w, r.WithContext(over))
	return w
}

// Bans that operators give while the disk is full are in force, the status shows that they are not
// saved, and they are saved once there is space, as lists are. A missing directory stands for a
// full disk, which only root can make.
func TestBansOnAFullDiskAreSavedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := defaults()
		c.Data = filepath.Join(t.TempDir(), "data")
		var log logBuffer
		d := newLobbyd(c, &log)
		if err := d.lists.openData(t.Context()); err != nil {
			t.Fatal(err)
		}
		defer d.lists.closeData()
		d.rules.load(d.lists.data, d.lists.saved)
		const given = `{"prefix": "198.51.100.7"}`
		if w := d.byOperator("/ban", given); w.Code != http.StatusOK {
			t.Fatalf("%d: %s", w.Code, w.Body)
		}
		time.Sleep(time.Second)
		if err := os.Rename(c.Data, c.Data+".away"); err != nil {
			t.Fatal(err)
		}
		ask := map[string]string{
			`{"prefix": "203.0.113.0/24"}`:                "/ban",
			`{"pattern": "(?i)casino"}`:                   "/ban",
			`{"server": "192.0.2.1:6500", "yes": true}`:   "/ban",
			`{"official": "192.0.2.2:6500", "yes": true}`: "/ban",
			given: "/unban",
			`{"pattern": "x", "note": "n", "for": "720h"}`:     "/ban",
			`{"prefix": "2001:db8::/48", "reason": "a flood"}`: "/ban",
		}
		for body, path := range ask {
			w := d.byOperator(path, body)
			if said := w.Body.String(); w.Code != http.StatusInternalServerError ||
				!strings.Contains(said, "in force, but not saved") || !strings.Contains(said, "no such file") {
				t.Errorf("%s %s: %d, %s", path, body, w.Code, said)
			}
		}
		time.Sleep(time.Second)
		if all := d.rules.list(); len(all) != len(ask)-1 || d.fronts.status().Data.Saved {
			t.Errorf("%d are in force, saved %v", len(all), d.fronts.status().Data.Saved)
		}
		synctest.Wait()
		said := log.String()
		if strings.Count(said, "latest changes are not saved") != 1 || !strings.Contains(said, bansFile) {
			t.Errorf("log %s", said)
		}
		if err := os.Rename(c.Data+".away", c.Data); err != nil {
			t.Fatal(err)
		}
		time.Sleep(6 * time.Second)
		var saved ban.Ledger
		if _, err := saved.Load(filepath.Join(c.Data, bansFile)); err != nil {
			t.Fatal(err)
		}
		if active, _ := saved.Active(time.Now()); len(active) != len(ask)-1 || !d.fronts.status().Data.Saved {
			t.Errorf("saved %d, %v", len(active), d.fronts.status().Data.Saved)
		}
		synctest.Wait()
		if said := log.String(); !strings.Contains(said, "changes are saved again") {
			t.Errorf("log %s", said)
		}
	})
}
