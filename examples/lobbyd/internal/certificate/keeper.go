// Package certificate provides the certificates of a server over TLS, from files or by
// ACME, and reports missing ones.
package certificate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/acme"
	"golang.org/x/crypto/acme/autocert"
)

// Times of getting certificates by ACME. Authorities allow five failures for a name in an
// hour.
const (
	firstRetry = 2 * time.Minute
	maxRetry   = time.Hour
	lookEvery  = time.Hour        // at a certificate that is renewed without clients
	warnEvery  = 10 * time.Minute // for a name
)

// lookAtFiles is the time between looks at files that another program renews.
const lookAtFiles = time.Minute

// A Source states where certificates come from: files, or an ACME server.
type Source struct {
	Cert string // file
	Key  string // file

	ACME  []string // host names to get certificates for
	Cache string   // directory of these
	Email string   // contact address for the authority

	Directory string // URL of the ACME server; "" means Let's Encrypt
}

// A Keeper holds the certificates of a server. A nil Keeper has none and needs none.
type Keeper struct {
	source Source
	log    *slog.Logger
	files  *files // nil with ACME
	config *tls.Config

	mu   sync.Mutex
	held map[string]name
}

// A name is the state of the certificate for a host name.
type name struct {
	expires time.Time // zero if there is none
	warned  time.Time // when the log last had an error
}

// New returns a Keeper, nil if the source is empty. It logs which certificates it has, and
// why others are missing.
func New(s Source, log *slog.Logger) (*Keeper, error) {
	k := &Keeper{source: s, log: log, held: make(map[string]name)}
	switch {
	case s.Cert != "":
		k.files = &files{cert: s.Cert, key: s.Key, log: log}
		k.config = &tls.Config{GetCertificate: k.files.get}
		_, err := k.files.get(nil)
		return k, err
	case len(s.ACME) > 0:
		m := &autocert.Manager{
			Prompt:     autocert.AcceptTOS,
			HostPolicy: autocert.HostWhitelist(s.ACME...),
			Cache:      autocert.DirCache(s.Cache),
			Email:      s.Email,
		}
		if s.Directory != "" {
			m.Client = &acme.Client{DirectoryURL: s.Directory}
		}
		k.config = m.TLSConfig()
		k.config.GetCertificate = k.noting(k.config.GetCertificate)
		k.source.ACME = nil
		for _, host := range s.ACME {
			host = strings.ToLower(host)
			k.source.ACME = append(k.source.ACME, host)
			k.held[host] = name{}
		}
		return k, nil
	}
	return nil, nil
}

// Config returns the configuration of the server, nil if it does not use TLS.
func (k *Keeper) Config() *tls.Config {
	if k == nil {
		return nil
	}
	return k.config
}

// Start gets the certificates from the ACME server until ctx is done, so that the first player
// need not wait, and no player is needed to try again. It reads files again when they have
// changed.
func (k *Keeper) Start(ctx context.Context) {
	switch {
	case k == nil:
		return
	case k.files != nil:
		go k.look(ctx)
		return
	}
	for _, host := range k.source.ACME {
		go k.fetch(ctx, host)
	}
}

// look reads the files when they have changed, so that the log soon shows whether they can be
// read.
func (k *Keeper) look(ctx context.Context) {
	for {
		select {
		case <-time.After(lookAtFiles):
			_, _ = k.files.get(nil) // which logs errors
		case <-ctx.Done():
			return
		}
	}
}

// fetch gets the certificate for a name, and then looks at it from time to time.
func (k *Keeper) fetch(ctx context.Context, host string) {
	next := firstRetry
	for {
		_, err := k.config.GetCertificate(&tls.ClientHelloInfo{
			ServerName:       host, // like a client that accepts the usual kind of certificate
			SignatureSchemes: []tls.SignatureScheme{tls.ECDSAWithP256AndSHA256},
			SupportedCurves:  []tls.CurveID{tls.CurveP256},
			CipherSuites:     []uint16{tls.TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256},
		})
		pause := next
		next = min(2*next, maxRetry)
		if err == nil {
			pause, next = lookEvery, firstRetry
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

type getCertificate = func(*tls.ClientHelloInfo) (*tls.Certificate, error)

// noting returns get, and notes the certificate for one of the names, or logs why there is
// none. Clients that name others cause no lines, and neither do challenges of the authority.
func (k *Keeper) noting(get getCertificate) getCertificate {
	return func(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
		cert, err := get(hello)
		host := strings.TrimSuffix(strings.ToLower(hello.ServerName), ".")
		if slices.Contains(k.source.ACME, host) && !slices.Contains(hello.SupportedProtos, acme.ALPNProto) {
			k.note(host, cert, err)
		}
		return cert, err
	}
}

func (k *Keeper) note(host string, cert *tls.Certificate, err error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	n := k.held[host]
	now := time.Now()
	switch {
	case err != nil && now.Sub(n.warned) >= warnEvery:
		n.warned = now
		k.log.Warn("no certificate: clients cannot connect to -warzone-http", "name", host, "error", err)
	case err == nil && cert.Leaf != nil && !cert.Leaf.NotAfter.Equal(n.expires):
		n = name{expires: cert.Leaf.NotAfter}
		k.log.Info("certificate", "name", host, "expires", n.expires)
	}
	k.held[host] = n
}

// Expiries returns when the certificate for each name expires, the zero time if there is none.
func (k *Keeper) Expiries() map[string]time.Time {
	if k == nil {
		return nil
	}
	if k.files != nil {
		cert, err := k.files.get(nil)
		if err != nil || cert.Leaf == nil {
			return nil
		}
		return map[string]time.Time{nameOf(cert.Leaf): cert.Leaf.NotAfter}
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	all := make(map[string]time.Time)
	for host, n := range k.held {
		all[host] = n.expires
	}
	return all
}

// Unread returns why the files with a newer certificate cannot be read, or nil.
func (k *Keeper) Unread() error {
	if k == nil || k.files == nil {
		return nil
	}
	k.files.get(nil) // looks at them
	k.files.mu.Lock()
	defer k.files.mu.Unlock()
	return k.files.unread
}

// nameOf returns the first name in a certificate.
func nameOf(c *x509.Certificate) string {
	switch {
	case len(c.DNSNames) > 0:
		return c.DNSNames[0]
	case len(c.IPAddresses) > 0:
		return c.IPAddresses[0].String()
	}
	return c.Subject.CommonName
}

// Missing returns the names without a certificate that is valid now, in order.
func (k *Keeper) Missing(now time.Time) []string {
	all := k.Expiries()
	maps.DeleteFunc(all, func(_ string, expires time.Time) bool { return now.Before(expires) })
	return slices.Sorted(maps.Keys(all))
}
