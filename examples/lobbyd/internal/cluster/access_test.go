package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"log/slog"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nkeys"

	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// An authority issues certificates.
type authority struct {
	dir, file string
	cert      *x509.Certificate
	key       *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	t.Helper()
	a := &authority{dir: t.TempDir(), cert: &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "authority"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}}
	a.file, a.key = a.sign(t, "ca", a.cert, nil)
	return a
}

// sign writes a certificate and its key to files, and returns the name of the former.
func (a *authority) sign(t *testing.T, name string, c *x509.Certificate, by *ecdsa.PrivateKey,
) (path string, key *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if by == nil {
		by = key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, a.cert, &key.PublicKey, by)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(a.dir, name+".pem")
	toFile(t, path, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	toFile(t, keyOfCert(path), string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})))
	return path, key
}

func keyOfCert(file string) string { return strings.TrimSuffix(file, ".pem") + ".key" }

func toFile(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// issue returns a certificate for a loopback address.
func (a *authority) issue(t *testing.T, host string) TLS {
	t.Helper()
	file, _ := a.sign(t, host, &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: host}, IPAddresses: []net.IP{net.ParseIP(host)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}, a.key)
	return TLS{CA: a.file, Cert: file, Key: keyOfCert(file)}
}

// Nodes with certificates of one authority form a cluster. A node with a certificate of
// another authority stays outside, and the log states the reason.
func TestNodesOfOneAuthorityFormACluster(t *testing.T) {
	suite.Long(t, "elections")
	t.Parallel()
	at := places(t, 3, lasting)
	host, _, err := net.SplitHostPort(at[0].options.Cluster)
	if err != nil {
		t.Fatal(err)
	}
	insiders := newAuthority(t).issue(t, host)
	logged := make(chan string, 1000)
	for _, p := range at[:2] {
		p.options.TLS, p.options.Peers = insiders, p.options.Peers[:2]
		p.options.Logger = slog.New(slog.NewTextHandler(lines(logged), &slog.HandlerOptions{Level: slog.LevelWarn}))
	}
	nodes := runAll(t, at[:2])
	nodes[0].open(t, "192.0.2.1:2100")
	expect(t, soon, nodes, "warzone 192.0.2.1:2100")

	at[2].options.TLS, at[2].options.Peers = newAuthority(t).issue(t, host), at[2].options.Peers[:1]
	outsider := at[2].run(t)
	until(t, soon, "refused", func() bool {
		select {
		case line := <-logged:
			return strings.Contains(line, "TLS route handshake error")
		default:
			return false
		}
	})
	if got := outsider.listed(); len(got) > 0 {
		t.Errorf("an outsider lists %q", got)
	}
}

// A peer without a certificate, or with one of another authority, is no node.
func TestNodesNeedCertificates(t *testing.T) {
	authority := newAuthority(t)
	ours, err := authority.issue(t, "127.0.0.1").config()
	if err != nil {
		t.Fatal(err)
	}
	foreign := newAuthority(t).issue(t, "127.0.0.1")
	for name, test := range map[string]struct {
		peer *tls.Config
		want bool
	}{
		"a node":         {ours.Clone(), true},
		"no certificate": {&tls.Config{RootCAs: ours.RootCAs}, false},
		"another authority": {&tls.Config{RootCAs: ours.RootCAs, GetClientCertificate: func(
			*tls.CertificateRequestInfo) (*tls.Certificate, error) {
			return foreign.pair()
		}}, false},
	} {
		near, far := net.Pipe()
		test.peer.ServerName = "127.0.0.1"
		go func() {
			peer := tls.Client(far, test.peer)
			_, _ = peer.Read(make([]byte, 1)) // after the handshake
			far.Close()
		}()
		err := tls.Server(near, ours).Handshake()
		near.Close()
		if (err == nil) != test.want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A node proves its identity to a NATS server in each way.
func TestNodeLogsInToNATS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := func(name, text string) string { return toFile(t, filepath.Join(dir, name), text+"\n") }
	newKey := func() (public, file string) {
		pair, err := nkeys.CreateUser()
		if err != nil {
			t.Fatal(err)
		}
		public, err = pair.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		seed, err := pair.Seed()
		if err != nil {
			t.Fatal(err)
		}
		return public, secret(public, string(seed))
	}
	public, seed := newKey()
	_, otherSeed := newKey()
	trusts, creds := newOperator(t)
	_, otherCreds := newOperator(t)
	ours, others := newAuthority(t), newAuthority(t)
	cert := ours.issue(t, "127.0.0.1")
	encrypted, err := cert.config()
	if err != nil {
		t.Fatal(err)
	}
	ways := []struct {
		name         string
		server       server.Options
		right, wrong func(o *Options)
		want         string // why the wrong one fails
	}{
		{
			"password", server.Options{Username: "lobbyd", Password: "right"},
			func(o *Options) { o.Login = Login{User: "lobbyd", PasswordFile: secret("right", "right")} },
			func(o *Options) { o.Login = Login{User: "lobbyd", PasswordFile: secret("wrong", "wrong")} },
			"Authorization Violation",
		},
		{
			"token", server.Options{Authorization: "right"},
			func(o *Options) { o.Login = Login{TokenFile: secret("right token", "right")} },
			func(o *Options) { o.Login = Login{TokenFile: secret("wrong token", "wrong")} },
			"Authorization Violation",
		},
		{
			"nkey", server.Options{Nkeys: []*server.NkeyUser{{Nkey: public}}},
			func(o *Options) { o.Login = Login{NKeyFile: seed} },
			func(o *Options) { o.Login = Login{NKeyFile: otherSeed} },
			"Authorization Violation",
		},
		{
			"credentials", *trusts,
			func(o *Options) { o.Login = Login{CredsFile: secret("right.creds", creds)} },
			func(o *Options) { o.Login = Login{CredsFile: secret("wrong.creds", otherCreds)} },
			"Authorization Violation",
		},
		{
			"certificate", server.Options{TLSConfig: encrypted, TLSTimeout: handshakeTimeout},
			func(o *Options) { o.TLS = cert },
			func(o *Options) { o.TLS = TLS{CA: others.file} },
			"unknown authority",
		},
		{
			"no certificate", server.Options{TLSConfig: encrypted, TLSTimeout: handshakeTimeout},
			func(o *Options) { o.TLS = cert },
			func(o *Options) { o.TLS = TLS{CA: cert.CA} },
			"tls", // with TLS 1.3 the alert "certificate required" may come after the end
		},
	}
	for _, tt := range suite.Pick(ways[:1], ways) {
		t.Run(tt.name, func(t *testing.T) {
			tt.server.Port = server.RANDOM_PORT
			nats := startNATS(t, &tt.server)
			t.Cleanup(func() {
				nats.Shutdown()
				nats.WaitForShutdown()
			})
			for _, p := range places(t, 2, lasting) {
				p.options.URL, p.options.Cluster, p.options.Peers = nats.ClientURL(), "", nil
				if p.options.Name == "node0" {
					tt.right(&p.options)
					p.run(t).wait(t)
					continue
				}
				tt.wrong(&p.options)
				logged := make(chan string, 100)
				p.options.Logger = slog.New(slog.NewTextHandler(lines(logged), nil))
				n := p.run(t)
				select {
				case line := <-logged:
					if !strings.Contains(line, tt.want) {
						t.Errorf("it says %s", line)
					}
				case <-time.After(soon):
					t.Error("it does not say why")
				}
				if n.State().Connected {
					t.Error("connected")
				}
			}
		})
	}
}

// The error for an unusable file names the file.
func TestErrorsNameUnusableFiles(t *testing.T) {
	empty := toFile(t, filepath.Join(t.TempDir(), "empty"), "\n")
	cert := newAuthority(t).issue(t, "127.0.0.1")
	const url = "nats://127.0.0.1:1"
	for _, o := range []Options{
		{TLS: TLS{CA: empty, Cert: cert.Cert, Key: cert.Key}},
		{TLS: TLS{CA: cert.CA, Cert: empty, Key: cert.Key}},
		{TLS: TLS{CA: cert.CA, Cert: cert.CA, Key: empty}},
		{TLS: TLS{CA: cert.CA + empty, Cert: cert.Cert, Key: cert.Key}},
		{URL: url, TLS: TLS{CA: empty}},
		{URL: url, Login: Login{User: "lobbyd", PasswordFile: empty}},
		{URL: url, Login: Login{TokenFile: empty}},
		{URL: url, Login: Login{CredsFile: empty}},
		{URL: url, Login: Login{NKeyFile: empty}},
	} {
		c, err := Open(t.Context(), o)
		if err == nil {
			c.Close(t.Context())
		}
		if err == nil || !strings.Contains(err.Error(), empty) {
			t.Errorf("%+v, %+v: %v", o.TLS, o.Login, err)
		}
	}
	for _, o := range []Options{{TLS: TLS{CA: cert.CA}}, {Login: Login{TokenFile: empty}}} {
		if c, err := Open(t.Context(), o); err == nil {
			t.Errorf("%+v is accepted", o)
			c.Close(t.Context())
		}
	}
}
