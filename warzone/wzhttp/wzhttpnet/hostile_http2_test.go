package wzhttpnet

import (
	"crypto/tls"
	"encoding/binary"
	"io"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/internal/gamestest"
)

// shutWindows returns a preface of HTTP/2 with requests for a list by a client that accepts
// no byte of an answer.
func shutWindows(requests int) []byte {
	b := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	const settings, headers, isWhole = 4, 1, 0x05                // END_STREAM and END_HEADERS
	b = appendFrame(b, settings, 0, 0, []byte{0, 4, 0, 0, 0, 0}) // INITIAL_WINDOW_SIZE is 0
	for i := range requests {
		const path = "/api/v1/games"
		list := "\x82\x87\x01\x01x\x04" + string(byte(len(path))) + path // GET, https, host x, path
		b = appendFrame(b, headers, isWhole, uint32(2*i+1), []byte(list))
	}
	return b
}

func appendFrame(b []byte, kind, flags byte, stream uint32, payload []byte) []byte {
	b = append(b, 0, 0, byte(len(payload)), kind, flags)
	b = binary.BigEndian.AppendUint32(b, stream)
	return append(b, payload...)
}

// A client over HTTP/2 that does not accept the answers, on as many connections and with as
// many requests as it may have, occupies few goroutines, for a limited time. Others are
// served meanwhile.
func TestLobbyShutWindows(t *testing.T) {
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
