package certificate

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/crypto/acme"
)

const host = "lobby.example"

// lines is what a Keeper logs.
type lines struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// A Keeper tries again, at growing intervals, until it has a certificate. Then it checks from
// time to time for a new one, and reports the certificate missing when it has expired. If it
// fails to get the new one, it tries again as soon as at first.
func TestKeeperTriesAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said lines
		k, err := New(Source{ACME: []string{host}, Cache: t.TempDir()}, slog.New(slog.NewTextHandler(&said, nil)))
		if err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		var tries []time.Duration
		lifetime := 2 * time.Hour
		k.config.GetCertificate = k.noting(func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
			tries = append(tries, time.Since(begin))
			if len(tries) < 4 || len(tries) == 6 {
				return nil, errors.New("the authority is away")
			}
			return &tls.Certificate{Leaf: &x509.Certificate{NotAfter: begin.Add(14*time.Minute + lifetime)}}, nil
		})
		ctx, cancel := context.WithCancel(t.Context())
		k.Start(ctx)
		time.Sleep(13 * time.Minute)
		if got := k.Missing(time.Now()); !slices.Equal(got, []string{host}) {
			t.Errorf("%q is missing while the authority is away", got)
		}
		if got := strings.Count(said.String(), "level=WARN"); got != 1 {
			t.Errorf("%d warnings: %s", got, said.String())
		}
		time.Sleep(2 * time.Minute)
		if got := k.Missing(time.Now()); len(got) > 0 {
			t.Errorf("%q is missing with a certificate", got)
		}
		if !strings.Contains(said.String(), "msg=certificate name="+host) {
			t.Errorf("%s", said.String())
		}
		time.Sleep(lifetime)
		if got := k.Missing(time.Now()); !slices.Equal(got, []string{host}) {
			t.Errorf("%q is missing when the certificate has expired", got)
		}
		time.Sleep(2 * time.Minute)
		cancel()
		synctest.Wait()
		const m = time.Minute
		if want := []time.Duration{0, 2 * m, 6 * m, 14 * m, 74 * m, 134 * m, 136 * m}; !slices.Equal(tries, want) {
			t.Errorf("tries after %v, want %v", tries, want)
		}
	})
}

// Only hellos of clients for configured names determine whether a certificate is missing.
func TestOnlyConfiguredNamesCount(t *testing.T) {
	k, err := New(Source{ACME: []string{"Lobby.example"}, Cache: t.TempDir()}, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	get := k.noting(func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		return &tls.Certificate{Leaf: &x509.Certificate{NotAfter: time.Now().Add(time.Hour)}}, nil
	})
	for _, tt := range []struct {
		hello tls.ClientHelloInfo
		holds bool
	}{
		{tls.ClientHelloInfo{ServerName: "other.example"}, false},
		{tls.ClientHelloInfo{ServerName: host, SupportedProtos: []string{acme.ALPNProto}}, false},
		{tls.ClientHelloInfo{ServerName: "Lobby.Example."}, true},
	} {
		if _, err := get(&tt.hello); err != nil {
			t.Fatal(err)
		}
		if holds := len(k.Missing(time.Now())) == 0; holds != tt.holds || len(k.Expiries()) != 1 {
			t.Errorf("after %q %q: %v", tt.hello.ServerName, tt.hello.SupportedProtos, k.Expiries())
		}
	}
}

// Without TLS nothing is missing. Files that do not exist are an error.
func TestMissingFilesAreErrors(t *testing.T) {
	k, err := New(Source{}, slog.New(slog.DiscardHandler))
	if err != nil || k.Config() != nil || len(k.Missing(time.Now())) > 0 {
		t.Errorf("without TLS: %v, %v", k.Config(), err)
	}
	k.Start(t.Context())
	if _, err := New(Source{Cert: "cert.pem", Key: "key.pem"}, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("no error")
	}
}
