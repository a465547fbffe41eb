package wzhttpnet

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// listAs gets the list with an Accept-Encoding, and whether it was compressed.
func (n *httpNet) listAs(method, accepted string) (r gamestest.HTTPReply, list string, compressed bool) {
	n.T.Helper()
	r = n.DoWith(gamestest.Player4, method+" /games", "",
		func(r *http.Request) { r.Header["Accept-Encoding"] = []string{accepted} })
	if r.Status != http.StatusOK || r.Header.Get("Vary") != "Accept-Encoding" {
		n.T.Fatalf("list %d %v", r.Status, r.Header)
	}
	if r.Header.Get("Content-Encoding") != "gzip" {
		return r, r.Body, false
	}
	if method == http.MethodHead {
		return r, "", true
	}
	unpacked, err := gzip.NewReader(strings.NewReader(r.Body))
	fatalIf(n.T, err)
	b, err := io.ReadAll(unpacked)
	fatalIf(n.T, err)
	return r, string(b), true
}

// A client that accepts gzip, as the game does, gets the same list compressed.
func TestLobbyCompresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startLobby(t, &Lobby{MOTD: "Hello", NoRates: true})
		if _, list, compressed := n.listAs("GET", "gzip"); compressed ||
			list != `{"type":"header","motd":"Hello"}`+"\n" {
			t.Errorf("a list that fits a packet: %v %q", compressed, list)
		}
		for i := range 100 {
			gamestest.Add(t, n.games, httpGameAt(i))
		}
		_, plain, _ := n.listAs("GET", "identity")
		for accepted, want := range map[string]bool{
			"deflate, gzip, br, zstd": true, // of the game
			"gzip":                    true,
			"GZIP;q=0.5":              true,
			"br, gzip ; q=1":          true,
			"identity":                false,
			"gzip;q=0":                false,
			"gzip; q=0.000":           false,
			"br, zstd":                false,
			"notgzip":                 false,
		} {
			r, list, compressed := n.listAs("GET", accepted)
			if list != plain || compressed != want || compressed && len(r.Body) > len(list)/4 ||
				r.Header.Get("Content-Length") != fmt.Sprint(len(r.Body)) {
				t.Errorf("%q: compressed %v, %d of %d bytes", accepted, compressed, len(r.Body), len(list))
			}
		}
		if r, _, compressed := n.listAs("HEAD", "gzip"); !compressed || r.Body != "" ||
			r.Header.Get("Content-Length") == fmt.Sprint(len(plain)) {
			t.Errorf("HEAD: %+v", r)
		}
		fatalIf(t, n.lobby.SetMOTD("Good bye"))
		if _, list, _ := n.listAs("GET", "gzip"); !strings.Contains(list, "Good bye") {
			t.Error("the text of the lobby is old")
		}
	})
}

// The list is compressed once after a change, for at most a tenth of the time.
func TestListIsCompressedSeldom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c compressedList
		header, list := []byte("header\n"), bytes.Repeat([]byte("game\n"), 1000)
		first := c.of(header, list)
		if again := c.of(header, list); &again[0] != &first[0] {
			t.Error("compressed again without a change")
		}
		c.pace.took = time.Millisecond
		if early := c.of(header, list[:100]); &early[0] != &first[0] {
			t.Error("compressed again at once")
		}
		time.Sleep(9 * time.Millisecond)
		if late := c.of(header, list[:100]); &late[0] == &first[0] {
			t.Error("a change is not there in time")
		}
	})
}
