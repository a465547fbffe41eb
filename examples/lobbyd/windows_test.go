//go:build linux

package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"io"
	"net/http"
	"sync"
	"testing"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"

	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// shutWindows sends requests for a list over HTTP/2, and accepts no byte of an answer.
func shutWindows(t *testing.T, to io.Writer, requests int) {
	t.Helper()
	var sent bytes.Buffer
	sent.WriteString(http2.ClientPreface)
	f := http2.NewFramer(&sent, nil)
	f.WriteSettings(http2.Setting{ID: http2.SettingInitialWindowSize, Val: 0})
	header := listHeader(t)
	for i := range requests {
		f.WriteHeaders(http2.HeadersFrameParam{
			StreamID: uint32(2*i + 1), BlockFragment: header, EndStream: true, EndHeaders: true,
		})
	}
	if _, err := to.Write(sent.Bytes()); err != nil {
		t.Fatal(err)
	}
}

// listHeader returns the header of a request for the list, which any number of requests can use.
func listHeader(t *testing.T) []byte {
	t.Helper()
	path, err := wzhttp.EndpointList.Path("")
	if err != nil {
		t.Fatal(err)
	}
	var header bytes.Buffer
	h := hpack.NewEncoder(&header)
	h.SetMaxDynamicTableSizeLimit(0)
	for _, field := range []hpack.HeaderField{
		{Name: ":method", Value: "GET"}, {Name: ":scheme", Value: "https"}, {Name: ":authority", Value: "a"},
		{Name: ":path", Value: lobbyPath + path},
	} {
		h.WriteField(field)
	}
	return header.Bytes()
}

// floodFrames sends rounds of requests that are reset at once, pings and settings, and then a header
// that continues, over HTTP/2, until the connection ends. It reads nothing.
func floodFrames(to io.Writer, header []byte, rounds int) {
	sent := bufio.NewWriterSize(to, 16<<10)
	sent.WriteString(http2.ClientPreface)
	f := http2.NewFramer(sent, nil)
	f.WriteSettings()
	for i := range rounds {
		id := uint32(2*i + 1)
		f.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: header, EndStream: true, EndHeaders: true})
		f.WriteRSTStream(id, http2.ErrCodeCancel)
		f.WritePing(false, [8]byte{})
		if f.WriteSettings() != nil {
			return
		}
	}
	last := uint32(2*rounds + 1)
	f.WriteHeaders(http2.HeadersFrameParam{StreamID: last, BlockFragment: header, EndStream: true})
	for range rounds {
		if f.WriteContinuation(last, false, []byte("\x00\x01x\x01y")) != nil {
			return
		}
	}
	sent.Flush()
}

// Floods of frames over HTTP/2, on as many connections as an address may have, occupy at most ten
// goroutines and 1 MiB for each. Others are served meanwhile.
func TestLobbydServesDuringFloodsOfFrames(t *testing.T) {
	cert, key, trusting := writeCertificate(t, t.TempDir())
	s := besiege(t, "-http", "127.0.0.1:0", "-tls-cert", cert, "-tls-key", key)
	config := trusting.Transport.(*http.Transport).TLSClientConfig.Clone()
	config.NextProtos = []string{"h2"}
	idle, before := s.serve(t, "127.0.0.3"), s.p.vitals(t, s.addr)
	conns, rounds := suite.Pick(16, 64), suite.Pick(2000, 20_000)
	header := listHeader(t)
	var flooding sync.WaitGroup
	open := 0
	for range conns {
		c, err := (&tls.Dialer{NetDialer: dialFrom("127.0.0.2"), Config: config}).DialContext(t.Context(), "tcp",
			s.addr["http"])
		if err != nil {
			continue // the flood of the others delays the handshake
		}
		open++
		defer flooding.Wait()
		defer c.Close()
		flooding.Go(func() { floodFrames(c, header, rounds) })
	}
	if open == 0 {
		t.Fatal("no connection is open")
	}
	s.wantService(t, idle)
	during := s.p.vitals(t, s.addr)
	t.Logf("before: %v, during: %v", before, during)
	const each = 2 + 8 // goroutines of a connection, and its requests
	if during.goroutines > before.goroutines+uint64(each*conns+fewGoroutines) {
		t.Errorf("%v, and before %v", during, before)
	}
	if during.live > before.live+uint64(conns)<<20 {
		t.Errorf("%v, and before %v", during, before)
	}
}

// Clients over HTTP/2 that accept no answer, on as many connections as one address may
// have, occupy few goroutines and little memory, for a limited time.
func TestShutWindowsOccupyLittle(t *testing.T) {
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
	const answers, each = 64, 2 // goroutines of a connection, and as many may be about to end
	if most := before.goroutines + 2*(answers+each*conns); during.goroutines > most {
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
