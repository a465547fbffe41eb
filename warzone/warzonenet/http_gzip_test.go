package warzonenet

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
func (n *httpNet) listAs(method, accepted string) (r httpReply, list string, compressed bool) {
	n.t.Helper()
	r = n.doWith(player4, method+" /games", "", func(r *http.Request) { r.Header["Accept-Encoding"] = []string{accepted} })
	if r.status != http.StatusOK || r.header.Get("Vary") != "Accept-Encoding" {
		n.t.Fatalf("list %d %v", r.status, r.header)
	}
	if r.header.Get("Content-Encoding") != "gzip" {
		return r, r.body, false
	}
	if method == http.MethodHead {
		return r, "", true
	}
	unpacked, err := gzip.NewReader(strings.NewReader(r.body))
	fatalIf(n.t, err)
	b, err := io.ReadAll(unpacked)
	fatalIf(n.t, err)
	return r, string(b), true
}

// A client that accepts gzip, as the game does, gets the same list compressed.
func TestHTTPLobbyCompresses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n := startHTTPLobby(t, &HTTPLobby{MOTD: "Hello", Limits: withoutRates})
		if _, list, compressed := n.listAs("GET", "gzip"); compressed || list != `{"type":"header","motd":"Hello"}`+"\n" {
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
			if list != plain || compressed != want || compressed && len(r.body) > len(list)/4 || r.header.Get("Content-Length") != fmt.Sprint(len(r.body)) {
				t.Errorf("%q: compressed %v, %d of %d bytes", accepted, compressed, len(r.body), len(list))
			}
		}
		if r, _, compressed := n.listAs("HEAD", "gzip"); !compressed || r.body != "" || r.header.Get("Content-Length") == fmt.Sprint(len(plain)) {
			t.Errorf("HEAD: %+v", r)
		}
		fatalIf(t, n.lobby.SetMOTD("Good bye"))
		if _, list, _ := n.listAs("GET", "gzip"); !strings.Contains(list, "Good bye") {
			t.Error("the text of the lobby is old")
		}
	})
}

// The list is compressed once after a change, for at most a tenth of the time.
func TestHTTPListIsCompressedSeldom(t *testing.T) {
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
