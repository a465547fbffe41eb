package main

import (
	"crypto/tls"
	"os"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// load returns the configuration of a server over TLS, nil if there is none.
func (c tlsConfig) load() (*tls.Config, error) {
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
		return m.TLSConfig(), nil
	}
	return nil, nil
}

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
