package certificate

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"log/slog"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// write writes a certificate and its key.
func write(t *testing.T, cert, key string, expires time.Time) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{host}, NotAfter: expires}
	public, err := x509.CreateCertificate(rand.Reader, of, of, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	for path, b := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: public},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(b), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// Renewed files are served and logged without a client. If they cannot be read, the old certificate
// is served, and the log repeats this from time to time until they can.
func TestRenewedFilesAreServed(t *testing.T) {
	dir := t.TempDir()
	cert, key := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	synctest.Test(t, func(t *testing.T) {
		first := time.Now().Add(24 * time.Hour)
		write(t, cert, key, first)
		good, err := os.ReadFile(cert)
		if err != nil {
			t.Fatal(err)
		}
		var said lines
		k, err := New(Source{Cert: cert, Key: key}, slog.New(slog.NewTextHandler(&said, nil)))
		if err != nil {
			t.Fatal(err)
		}
		k.Start(t.Context())
		count := func(text string) int { return strings.Count(said.String(), text) }
		age := time.Now()
		change := func(do func() error) {
			t.Helper()
			err := do()
			age = age.Add(time.Hour)
			if _, missing := os.Stat(cert); missing == nil {
				err = errors.Join(err, os.Chtimes(cert, age, age))
			}
			if err != nil {
				t.Fatal(err)
			}
			time.Sleep(lookAtFiles + time.Second)
		}
		if count("msg=certificate name="+host) != 1 {
			t.Errorf("logged %s", said.String())
		}
		for i, spoil := range []func() error{
			func() error { return os.WriteFile(cert, nil, 0o600) },
			func() error { return os.WriteFile(cert, []byte("hello"), 0o600) },
			func() error { return os.WriteFile(cert, bytes.Repeat(good[:40], 2), 0o600) },
			func() error { return os.Remove(cert) },
		} {
			change(spoil)
			if got := k.Expiries()[host]; !got.Equal(first.Truncate(time.Second)) {
				t.Errorf("spoilt %d: the certificate expires %v", i, got)
			}
			if k.Unread() == nil {
				t.Errorf("spoilt %d: the files can be read", i)
			}
		}
		if count("level=WARN") != 1 || count("the old one is served") != 1 {
			t.Errorf("logged %s", said.String())
		}
		time.Sleep(warnEvery)
		if count("level=WARN") != 2 {
			t.Errorf("later logged %s", said.String())
		}
		second := first.Add(24 * time.Hour)
		change(func() error { write(t, cert, key, second); return nil })
		if got := k.Expiries()[host]; !got.Equal(second.Truncate(time.Second)) || count("msg=certificate") != 2 {
			t.Errorf("expires %v, logged %s", got, said.String())
		}
		if err := k.Unread(); err != nil {
			t.Errorf("after the new certificate: %v", err)
		}
		change(func() error { return os.WriteFile(key, []byte("another"), 0o600) })
		if count("level=WARN") != 3 {
			t.Errorf("another key: logged %s", said.String())
		}
	})
}
