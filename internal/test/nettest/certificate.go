package nettest

import (
	"crypto/tls"
	"crypto/x509"
	"net/http/httptest"
)

// Certificate returns configurations for a server on a loopback address and for a
// client that trusts it.
func Certificate() (server, client *tls.Config) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	roots := x509.NewCertPool()
	roots.AddCert(s.Certificate())
	return &tls.Config{Certificates: s.TLS.Certificates}, &tls.Config{RootCAs: roots}
}
