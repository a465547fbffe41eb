//go:build linux

package main

import (
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// shutWindows sends requests for a list over HTTP/2, and accepts no byte of an answer.
func shutWindows(t *testing.T, to io.Writer, requests int) {
	t.Helper()
	path, err := wzhttp.EndpointList.Path("")
	if err != nil {
		t.Fatal(err)
	}
	var sent bytes.Buffer
	sent.WriteString(http2.ClientPreface)
	f := http2.NewFramer(&sent, nil)
	f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	var header bytes.Buffer
	h := hpack.NewEncoder(&header)
	for i := range requests {
		header.Reset()
		for _, field := range []hpack.HeaderField{
			{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "a"},
			{Name: ":path", Value: lobbyPath + path},
		} {
			h.WriteField(field)
		}
		f.WriteHeaders(http2.HeadersFrameParam{
			StreamID: uint32(2*i + 1), BlockFragment: header.Bytes(), EndStream: true, EndHeaders: true,
		})
	}
	if _, err := to.Write(sent.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// Clients over HTTP/2 that accept no answer, on as many connections as one address may
// have, occupy few goroutines and little memory, for a limited time.
func TestShutWindowsOfOneAddress(t *testing.T) {
	cert, key, trusting := writeCertificate(t, t.TempDir())
	s := besiege(t, "-http", "127.0.0.1:0", "-tls-cert", cert, "-tls-key", key)
	config := trusting.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.NextProtos = []string{"h2"}
	idle, before := s.serve(t, "127.0.0.3"), s.p.vitals(t, s.addr)
	const conns = 64
	for range conns {
		c, err := (&tls.Dialer{NetDialer: dialFrom("127.0.0.2"), Config: config}).DialContext(t.Context(), "tcp",
			s.addr["http"])
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		shutWindows(t, c, 250)
		go io.Copy(io.Discard, c)
	}
	s.wantService(t, idle)
	during := s.p.vitals(t, s.addr)
	const answers, each = 64, 2 // goroutines of a connection
	if during.goroutines > before.goroutines+answers+each*conns+fewGoroutines {
		t.Errorf("%v, and before %v", during, before)
	}
	if during.live > before.live+conns<<18 {
		t.Errorf("%v, and before %v", during, before)
	}
	honest := &http.Client{Timeout: patience, Transport: &http.Transport{
		DialContext: dialFrom("127.0.0.3").DialContext, TLSClientConfig: config, ForceAttemptHTTP2: true,
	}}
	r, err := honest.Get("https://" + s.addr["http"] + lobbyPath + "/api/v1/games")
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("another client gets %s", r.Status)
	}
	if suite.IsLong() {
		s.p.awaitGoroutines(t, s.addr, before.goroutines+each*conns) // without answers after writeTimeout
	}
}
