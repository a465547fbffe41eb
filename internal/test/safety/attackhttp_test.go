//go:build linux

package safety_test

import (
	"context"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/lobbywire/lobbywire/internal/test/nettest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp/wzhttpnet"
)

// attackedHTTP2 starts an HTTP lobby over TLS. Its attackers request lists over HTTP/2 and
// accept no byte of the answers.
func attackedHTTP2(t *testing.T) (targets []*target, end func() error) {
	serverTLS, clientTLS := nettest.Certificate()
	clientTLS.ServerName = "127.0.0.1"
	shutTLS := clientTLS.Clone()
	shutTLS.NextProtos = []string{"h2"}
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	lobby := newHTTPLobby()
	lobby.TLSConfig = serverTLS
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		lobby.ServeTLS(lobby.lobby.Limit(l), "", "")
	}()
	addr, requests := l.Addr().String(), shutWindows(250)
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: clientTLS, DisableKeepAlives: true}}
	s := &target{name: "wzhttpnet.Lobby, shut windows of HTTP/2", honest: func(ctx context.Context) error {
		_, err := (&wzhttpnet.Client{ListEvery: -1, HTTP: client}).List(ctx, "https://"+addr+"/lobby")
		return err
	}}
	for i := range 96 { // more than an address may have
		s.attack = append(s.attack, connect(i/48, addr, nil,
			func(ctx context.Context, conn net.Conn, _ [][]byte, sent *atomic.Int64) {
				c := tls.Client(conn, shutTLS)
				if _, err := c.Write(requests); err == nil {
					sent.Add(1)
					io.Copy(io.Discard, c)
				}
				every(ctx, time.Second)
			}))
	}
	return []*target{s}, func() error {
		err := errors.Join(lobby.Server.Close(), lobby.lobby.Close())
		<-ended
		return err
	}
}

// shutWindows returns requests for lists by a client that accepts no byte of an answer.
func shutWindows(requests int) []byte {
	b := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")
	const settings, headers, isWhole = 4, 1, 0x05                // END_STREAM and END_HEADERS
	b = appendFrame(b, settings, 0, 0, []byte{0, 4, 0, 0, 0, 0}) // INITIAL_WINDOW_SIZE is 0
	for i := range requests {
		const path = "/lobby/api/v1/games"
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
