package main

import (
	"crypto/tls"
	"net"
	"net/http"
	"path/filepath"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/programtest"
)

// A player who connects while no certificate is available causes a warning with the
// reason, but only once. A name that is not configured causes none.
func TestACMEWarnsOnce(t *testing.T) {
	l := start(t, append(anywhere(), "-http", "127.0.0.1:0", "-acme", acmeName,
		"-acme-directory", "https://"+programtest.UnusedAddr(t)+"/dir",
		"-acme-cache", filepath.Join(t.TempDir(), "cache"))...)
	for _, name := range []string{"other.example", acmeName, acmeName} {
		d := tls.Dialer{NetDialer: &net.Dialer{Timeout: patience}, Config: &tls.Config{ServerName: name}}
		if c, err := d.DialContext(t.Context(), "tcp", l.addr["http"]); err == nil {
			c.Close()
			t.Errorf("%s has a certificate", name)
		}
	}
	line := l.logged(t, "no certificate: clients cannot connect to -warzone-http")
	if line["level"] != "WARN" || line["name"] != acmeName || line["error"] == nil {
		t.Errorf("%v", line)
	}
	if got := l.get(t, readyPath); got != "ready but without a valid certificate of -warzone-http for "+acmeName+"\n" {
		t.Errorf("/readyz: %q", got)
	}
	answer, err := http.Get("http://" + l.addr["web"] + readyPath + "?certificate")
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("/readyz?certificate: %s", answer.Status)
	}
	if got := l.metric(t, `lobbyd_certificate_expiry_timestamp_seconds{name="`+acmeName+`"}`); got != "0" {
		t.Errorf("the certificate expires at %s", got)
	}
	l.end()
	for line := range l.logs {
		if line["level"] == "WARN" {
			t.Errorf("another warning: %v", line)
		}
	}
}
