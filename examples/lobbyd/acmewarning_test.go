package main

import (
	"crypto/tls"
	"net"
	"path/filepath"
	"testing"
)

// A player who connects while no certificate can be had causes a warning with the reason,
// but only once. A name that is not configured causes none.
func TestACMEWarning(t *testing.T) {
	l := start(t, append(anywhere(), "-http", "127.0.0.1:0", "-acme", acmeName,
		"-acme-directory", "https://"+free(t)+"/dir", "-acme-cache", filepath.Join(t.TempDir(), "cache"))...)
	for _, name := range []string{"other.example", acmeName, acmeName} {
		d := tls.Dialer{NetDialer: &net.Dialer{Timeout: patience}, Config: &tls.Config{ServerName: name}}
		if c, err := d.DialContext(t.Context(), "tcp", l.addr["http"]); err == nil {
			c.Close()
			t.Errorf("%s has a certificate", name)
		}
	}
	line := l.logged(t, "no certificate: clients cannot connect to -http")
	if line["level"] != "WARN" || line["reason"] != acmeName || line["error"] == nil {
		t.Errorf("%v", line)
	}
	l.end()
	for line := range l.logs {
		if line["level"] == "WARN" {
			t.Errorf("another warning: %v", line)
		}
	}
}
