package wzhttpnet

import (
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// shutWindows returns a preface of HTTP/2 with requests for a list by a client that accepts
// no byte of an answer.
func shutWindows(requests int) []byte {
	b := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	b = appendFrame(b, settingsFrame, 0, 0, []byte{0, 4, 0, 0, 0, 0}) // INITIAL_WINDOW_SIZE is 0
	for i := range requests {
		b = appendFrame(b, headersFrame, endStream|endHeaders, uint32(2*i+1), listHeader())
	}
	return b
}

func appendFrame(b []byte, kind, flags byte, stream uint32, payload []byte) []byte {
	b = append(b, byte(len(payload)>>16), byte(len(payload)>>8), byte(len(payload)), kind, flags)
	b = binary.BigEndian.AppendUint32(b, stream)
	return append(b, payload...)
}

// A client over HTTP/2 that does not accept the answers, on as many connections and with as
// many requests as it may have, occupies few goroutines, for a limited time. Others are
// served meanwhile.
func TestShutWindowsOccupyFewGoroutines(t *testing.T) {
	serverTLS, clientTLS := nettest.Certificate()
	clientTLS.ServerName = "127.0.0.1"
	shutTLS := clientTLS.Clone()
	shutTLS.NextProtos = []string{"h2"}
	synctest.Test(t, func(t *testing.T) {
		dial := serveLimited(t, new(Lobby), serverTLS)
		before := runtime.NumGoroutine()
		const conns = 2 * 64 // half of them beyond the limit
		for range conns {
			c := tls.Client(dial(gamestest.Host4), shutTLS)
			_, err := c.Write(shutWindows(250))
			fatalIf(t, err)
			go io.Copy(io.Discard, c)
		}
		synctest.Wait()
		const answers, each = 64, 3 // each connection has two goroutines there and one here
		const others = 10           // of the runtime and the package testing
		if n := runtime.NumGoroutine() - before; n > answers+each*conns+others {
			t.Errorf("%d goroutines for %d connections", n, conns)
		}
		staysOpen.test(t, "another client", tls.Client(dial(gamestest.Player4), clientTLS))
		time.Sleep(defaultLimits().Write)
		synctest.Wait()
		if n := runtime.NumGoroutine() - before; n > each*conns+others {
			t.Errorf("%d goroutines for %d connections after the time for an answer", n, conns)
		}
	})
}

// Kinds and flags of frames of HTTP/2.
const (
	headersFrame, priorityFrame, resetFrame, settingsFrame = 1, 2, 3, 4
	pingFrame, windowFrame, continuationFrame              = 6, 8, 9
	endStream, endHeaders                                  = 0x01, 0x04
)

// http2Floods are floods of frames that each cost a client little: what a connection sends at
// first, and what it then repeats. The number of the repetition chooses the stream.
var http2Floods = map[string]struct {
	first  []byte
	repeat func(b []byte, i int) []byte
}{
	"streams that are reset": {nil, func(b []byte, i int) []byte {
		b = appendFrame(b, headersFrame, endStream|endHeaders, uint32(2*i+1), listHeader())
		return appendFrame(b, resetFrame, 0, uint32(2*i+1), []byte{0, 0, 0, 8})
	}},
	"streams that are reset by a mistake": {nil, func(b []byte, i int) []byte {
		b = appendFrame(b, headersFrame, endStream|endHeaders, uint32(2*i+1), listHeader())
		return appendFrame(b, windowFrame, 0, uint32(2*i+1), []byte{0, 0, 0, 0}) // the server resets it
	}},
	"bodies that are reset": {nil, func(b []byte, i int) []byte {
		b = appendFrame(b, headersFrame, endHeaders, uint32(2*i+1), createHeader())
		return appendFrame(b, resetFrame, 0, uint32(2*i+1), []byte{0, 0, 0, 8})
	}},
	"headers that continue": {appendFrame(nil, headersFrame, endStream, 1, listHeader()), func(b []byte, _ int) []byte {
		return appendFrame(b, continuationFrame, 0, 1, bytes.Repeat([]byte("\x00\x01x\x01y"), 200))
	}},
	"headers that continue with nothing": {appendFrame(nil, headersFrame, endStream, 1, listHeader()),
		func(b []byte, _ int) []byte { return appendFrame(b, continuationFrame, 0, 1, nil) }},
	"headers that expand": {nil, func(b []byte, i int) []byte {
		long := "\x40\x01x\x7f\x81\x1e" + strings.Repeat("y", 4000) // of the table of headers from now on
		header := append(listHeader(), long+strings.Repeat("\xbe", 8000)...)
		return appendFrame(b, headersFrame, endStream|endHeaders, uint32(2*i+1), header)
	}},
	"pings":          {nil, func(b []byte, _ int) []byte { return appendFrame(b, pingFrame, 0, 0, make([]byte, 8)) }},
	"settings":       {nil, func(b []byte, _ int) []byte { return appendFrame(b, settingsFrame, 0, 0, nil) }},
	"window updates": {nil, func(b []byte, _ int) []byte { return appendFrame(b, windowFrame, 0, 0, []byte{0, 0, 0, 1}) }},
	"priorities": {nil, func(b []byte, i int) []byte {
		return appendFrame(b, priorityFrame, 0, uint32(2*i+1), []byte{0, 0, 0, 0, 1})
	}},
}

// listHeader returns the header of a request for the list of host x, over https.
func listHeader() []byte {
	const path = "/api/v1/games"
	return []byte("\x82\x87\x01\x01x\x04" + string(byte(len(path))) + path)
}

// createHeader returns the header of a request that announces a game.
func createHeader() []byte {
	const path = "/api/v1/game"
	return []byte("\x83\x87\x01\x01x\x04" + string(byte(len(path))) + path)
}

// A flood of frames over HTTP/2, of a client that reads no answer, occupies at most 1 MiB and ten
// goroutines for each connection, nothing once the connections have ended, and no line of a log.
// Others are served meanwhile.
func TestFloodsOfFramesOccupyLittle(t *testing.T) {
	serverTLS, clientTLS := nettest.Certificate()
	clientTLS.ServerName = "127.0.0.1"
	floodTLS := clientTLS.Clone()
	floodTLS.NextProtos = []string{"h2"}
	var logged bytes.Buffer
	log.SetOutput(&logged)
	defer log.SetOutput(os.Stderr)
	conns := suite.Pick(2, 2*64) // in the long form half of them are beyond the limit of an address
	const sent = 256 << 10       // more than the frames that a server of package net/http lets wait
	for name, flood := range http2Floods {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				dial := serveLimited(t, new(Lobby), serverTLS)
				before := resourcesNow()
				for range conns {
					c := tls.Client(dial(gamestest.Host4), floodTLS)
					_, err := c.Write(append(http2Preface(), flood.first...))
					fatalIf(t, err)
					go func() {
						b := make([]byte, 0, 32<<10)
						for i, left := 0, sent; left > 0 && err == nil; i++ {
							b = flood.repeat(b, i)
							if len(b) >= 8<<10 {
								_, err = c.Write(b)
								left, b = left-len(b), b[:0]
							}
						}
					}()
				}
				synctest.Wait()
				peak := resourcesNow()
				staysOpen.test(t, "another client", tls.Client(dial(gamestest.Player4), clientTLS))
				time.Sleep(defaultLimits().Idle + defaultLimits().Write)
				synctest.Wait()
				after := resourcesNow()
				t.Logf("before: %v, at the peak: %v, after: %v", before, peak, after)
				const each, ours, others = 2 + maxStreams, 1, 10 // goroutines: of a connection there, here, of the runtime
				if n := peak.goroutines - before.goroutines; n > (each+ours)*conns+others {
					t.Errorf("%d goroutines for %d connections", n, conns)
				}
				if n := after.goroutines - before.goroutines; n > others {
					t.Errorf("%d goroutines are left", n)
				}
				if peak.heap > before.heap+uint64(conns)<<20 {
					t.Errorf("more than 1 MiB for each of %d connections", conns)
				}
			})
		})
	}
	if logged.Len() > 0 {
		t.Errorf("a lobby without Logger logs %.200q", &logged)
	}
}

// A connection over HTTP/2 has at most eight requests at once, so the server resets the ninth.
func TestNinthRequestOfAConnectionIsReset(t *testing.T) {
	serverTLS, clientTLS := nettest.Certificate()
	clientTLS.ServerName, clientTLS.NextProtos = "127.0.0.1", []string{"h2"}
	synctest.Test(t, func(t *testing.T) {
		dial := serveLimited(t, &Lobby{NoRates: true}, serverTLS)
		c := tls.Client(dial(gamestest.Host4), clientTLS)
		requests := http2Preface()
		for i := range maxStreams + 1 {
			requests = appendFrame(requests, headersFrame, endHeaders, uint32(2*i+1), createHeader()) // the body never comes
		}
		_, err := c.Write(requests)
		fatalIf(t, err)
		var reset []uint32
		c.SetReadDeadline(time.Now().Add(time.Second))
		for {
			var head [9]byte
			if _, err := io.ReadFull(c, head[:]); err != nil {
				break
			}
			if head[3] == resetFrame {
				reset = append(reset, binary.BigEndian.Uint32(head[5:]))
			}
			_, err := io.CopyN(io.Discard, c, int64(head[0])<<16|int64(head[1])<<8|int64(head[2]))
			fatalIf(t, err)
		}
		if want := []uint32{2*maxStreams + 1}; !slices.Equal(reset, want) {
			t.Errorf("the streams %d are reset, want %d", reset, want)
		}
	})
}

// http2Preface returns what a client sends at first.
func http2Preface() []byte {
	return appendFrame([]byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"), settingsFrame, 0, 0, nil)
}

// resources are what a process uses.
type resources struct {
	heap       uint64
	goroutines int
}

func (r resources) String() string {
	return fmt.Sprintf("%d KiB of heap, %d goroutines", r.heap>>10, r.goroutines)
}

func resourcesNow() resources {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return resources{m.HeapAlloc, runtime.NumGoroutine()}
}
