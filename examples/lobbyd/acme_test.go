package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// pebbleVariable is the environment variable with the path of pebble, the ACME server
// that Let's Encrypt has made for tests.
const pebbleVariable = "LOBBYD_PEBBLE"

// acmeName is the host name that certificates are for.
const acmeName = "lobby.example"

// Lobbyd gets a certificate from a real ACME server, by TLS-ALPN-01, when it starts. After
// a restart it uses the same certificate without that server.
func TestCertificateSurvivesACMEServer(t *testing.T) {
	suite.Long(t, "an ACME server")
	program := os.Getenv(pebbleVariable)
	if program == "" {
		suite.Missing(t, "$%s is not set: it is the path of pebble (go build github.com/letsencrypt/pebble/v2/cmd/pebble)",
			pebbleVariable)
	}
	dir := t.TempDir()
	cert, key, _ := writeCertificate(t, dir)
	t.Setenv("SSL_CERT_FILE", cert) // lobbyd uses the system's roots to verify the ACME server
	directory, management, lobby := programtest.UnusedAddr(t), programtest.UnusedAddr(t), programtest.UnusedAddr(t)
	args := append(anywhere(), "-http", lobby, "-motd", "Welcome", "-acme", acmeName,
		"-acme-directory", "https://"+directory+"/dir", "-acme-cache", filepath.Join(dir, "certificates"))
	_, port, err := net.SplitHostPort(lobby)
	if err != nil {
		t.Fatal(err)
	}
	stop := startPebble(t, program, directory, management, cert, key, port)
	roots := x509.NewCertPool()
	eventually(t, func() string {
		b, err := get(&tls.Config{InsecureSkipVerify: true}, management, "/roots/0")
		if err != nil || !roots.AppendCertsFromPEM(b) {
			return fmt.Sprintf("pebble has no root: %q, %v", b, err)
		}
		return ""
	})
	l := start(t, args...)
	if line := l.logged(t, "certificate"); line["name"] != acmeName || line["expires"] == nil {
		t.Errorf("%v", line)
	}
	if got := l.get(t, readyPath+"?certificate"); got != "ready\n" {
		t.Errorf("/readyz with the certificate: %q", got)
	}
	trusting := &tls.Config{RootCAs: roots, ServerName: acmeName}
	list := func() *x509.Certificate {
		t.Helper()
		var leaf *x509.Certificate
		config := trusting.Clone()
		config.VerifyConnection = func(s tls.ConnectionState) error {
			leaf = s.PeerCertificates[0]
			return nil
		}
		b, err := get(config, l.addr["http"], lobbyPath+"/api/v1/games")
		if want := `{"type":"header","motd":"Welcome"}` + "\n"; err != nil || string(b) != want {
			t.Fatalf("list %q, %v", b, err)
		}
		return leaf
	}
	first := list()
	if err := first.VerifyHostname(acmeName); err != nil {
		t.Error(err)
	}
	if _, err := get(&tls.Config{RootCAs: roots, ServerName: "other.example"}, l.addr["http"],
		lobbyPath+"/api/v1/games"); err == nil {
		t.Error("there is a certificate for another name")
	}
	stop()
	l.end()
	l = start(t, args...)
	if again := list(); !again.Equal(first) {
		t.Error("after a restart lobbyd has another certificate")
	}
}

// get requests a page over TLS.
func get(config *tls.Config, addr, path string) ([]byte, error) {
	c := &http.Client{Transport: &http.Transport{TLSClientConfig: config, DisableKeepAlives: true}, Timeout: patience}
	r, err := c.Get("https://" + addr + path)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	return io.ReadAll(r.Body)
}

// startPebble starts an ACME server that validates acmeName at a port of 127.0.0.1.
func startPebble(t *testing.T, program, directory, management, cert, key, port string) (stop func()) {
	t.Helper()
	validated, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{"pebble": map[string]any{
		"listenAddress": directory, "managementListenAddress": management, "certificate": cert, "privateKey": key,
		"tlsPort": validated, "keyAlgorithm": "ecdsa", "retryAfter": map[string]int{"authz": 1, "order": 1},
	}})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "pebble.json")
	if err := os.WriteFile(path, config, 0o600); err != nil {
		t.Fatal(err)
	}
	var said bytes.Buffer
	p := exec.Command(program, "-config", path, "-dnsserver", startDNS(t))
	p.Env = append(os.Environ(), "PEBBLE_VA_NOSLEEP=1", "PEBBLE_WFE_NONCEREJECT=0")
	p.Stdout, p.Stderr = &said, &said
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	stopped := false
	stop = func() {
		if stopped {
			return
		}
		stopped = true
		p.Process.Kill()
		p.Wait()
		if t.Failed() {
			t.Logf("pebble: %s", said.Bytes())
		}
	}
	t.Cleanup(stop)
	return stop
}

// startDNS runs a DNS server over TCP for pebble until the test ends. All names have
// the address 127.0.0.1.
func startDNS(t *testing.T) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	t.Cleanup(func() {
		l.Close()
		<-ended
	})
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if err := answerDNS(c); err != nil {
				t.Errorf("DNS: %v", err)
			}
			c.Close()
		}
	}()
	return l.Addr().String()
}

// answerDNS answers one question.
func answerDNS(c net.Conn) error {
	c.SetDeadline(time.Now().Add(patience))
	var length [2]byte
	if _, err := io.ReadFull(c, length[:]); err != nil {
		return err
	}
	b := make([]byte, binary.BigEndian.Uint16(length[:]))
	if _, err := io.ReadFull(c, b); err != nil {
		return err
	}
	var m dnsmessage.Message
	if err := m.Unpack(b); err != nil {
		return err
	}
	q := m.Questions[0]
	m.Response, m.Additionals = true, nil
	if q.Type == dnsmessage.TypeA {
		m.Answers = []dnsmessage.Resource{{
			Header: dnsmessage.ResourceHeader{Name: q.Name, Class: q.Class, TTL: 1},
			Body:   &dnsmessage.AResource{A: [4]byte{127, 0, 0, 1}},
		}}
	}
	answer, err := m.Pack()
	if err != nil {
		return err
	}
	_, err = c.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(answer))), answer...))
	return err
}
