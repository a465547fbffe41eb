package main

import (
	"crypto/tls"
	"log/slog"
	"net/netip"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"

	"github.com/lobbywire/lobbywire/examples/internal/warnings"
)

// load returns the configuration of a server over TLS, nil if there is none.
func (c tlsConfig) load(log *slog.Logger) (*tls.Config, error) {
	switch {
	case c.Cert != "":
		files := &certFiles{cert: c.Cert, key: c.Key}
		if _, err := files.get(nil); err != nil {
			return nil, err
		}
		return &tls.Config{GetCertificate: files.get}, nil
	case len(c.ACME) > 0:
		m := &autocert.Manager{
			Prompt:     autocert.AcceptTOS,
			HostPolicy: autocert.HostWhitelist(c.ACME...),
			Cache:      autocert.DirCache(c.Cache),
			Email:      c.Email,
		}
		if c.Directory != "" {
			m.Client = &acme.Client{DirectoryURL: c.Directory}
		}
		t := m.TLSConfig()
		t.GetCertificate = c.warning(t.GetCertificate, log)
		return t, nil
	}
	return nil, nil
}

// fetch gets the certificates from the ACME server in advance, so that the first player need
// not wait, and the log has the reason at once if there are none.
func (c tlsConfig) fetch(get getCertificate, log *slog.Logger) {
	for _, name := range c.ACME {
		go func() {
			cert, err := get(&tls.ClientHelloInfo{
				ServerName:       name, // of a client that takes the usual kind of certificate
				SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
				SupportedCurves:  []tls.CurveID{tls.CurveP256},
				CipherSuites:     []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
			})
			if err == nil && cert.Leaf != nil {
				log.Info("certificate", "name", name, "expires", cert.Leaf.NotAfter)
			}
		}()
	}
}

// warning returns get, and logs if there is no certificate for one of the names. Clients
// that name others cause no lines.
func (c tlsConfig) warning(get getCertificate, log *slog.Logger) getCertificate {
	all := &warnings.Log{Logger: log}
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		cert, err := get(hello)
		name := strings.TrimSuffix(strings.ToLower(hello.ServerName), ".")
		if err != nil && slices.Contains(c.ACME, name) {
			all.Warn("no certificate: clients cannot connect to -http", name, netip.Addr{}, "error", err)
		}
		return cert, err
	}
}

type getCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error)

// certFiles are a certificate and its key. They are read again when the certificate has
// changed, because another program renews it.
type certFiles struct {
	cert, key string

	mu      sync.Mutex
	changed time.Time
	last    *tls.Certificate
}

func (f *certFiles) get(*tls.ClientHelloInfo) (*tls.Certificate, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	info, err := os.Stat(f.cert)
	if err == nil && f.last != nil && info.ModTime().Equal(f.changed) {
		return f.last, nil
	}
	var read tls.Certificate
	if err == nil {
		read, err = tls.LoadX509KeyPair(f.cert, f.key)
	}
	if err != nil {
		if f.last != nil {
			return f.last, nil // while it is being renewed
		}
		return nil, err
	}
	f.changed, f.last = info.ModTime(), &read
	return f.last, nil
}
