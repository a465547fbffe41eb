package cluster

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"

	"github.com/nats-io/nats.go"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// A TLS names files in PEM form. Certificates and keys are read again for each connection,
// so they can be renewed.
type TLS struct {
	CA   string // certificates of the authorities; "" means those of the system
	Cert string // certificate of this node; "" means none
	Key  string // of Cert
}

// A Login proves the identity of a node to a NATS server elsewhere. At most one kind is
// set; all but the user name are names of files, which are read again for each connection.
type Login struct {
	User, PasswordFile string
	TokenFile          string
	CredsFile          string // JWT and seed, as nsc writes it
	NKeyFile           string // seed
}

// config returns a configuration for connections between nodes and from clients. Both
// sides need a certificate of the CA.
func (t TLS) config() (*tls.Config, error) {
	if t.CA == "" || t.Cert == "" || t.Key == "" {
		return nil, errors.New("TLS of embedded NATS needs a CA, a certificate and a key")
	}
	b, err := os.ReadFile(t.CA)
	if err != nil {
		return nil, err
	}
	authorities := x509.NewCertPool()
	if !authorities.AppendCertsFromPEM(b) {
		return nil, fmt.Errorf("%s: there is no certificate in PEM form", t.CA)
	}
	if _, err := t.pair(); err != nil {
		return nil, err
	}
	return &tls.Config{
		MinVersion:           tls.VersionTLS12,
		RootCAs:              authorities,
		ClientCAs:            authorities,
		ClientAuth:           tls.RequireAndVerifyClientCert,
		GetCertificate:       func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return t.pair() },
		GetClientCertificate: func(*tls.CertificateRequestInfo) (*tls.Certificate, error) { return t.pair() },
	}, nil
}

func (t TLS) pair() (*tls.Certificate, error) {
	pair, err := tls.LoadX509KeyPair(t.Cert, t.Key)
	if err != nil {
		return nil, fmt.Errorf("%s and %s: %w", t.Cert, t.Key, err)
	}
	return &pair, nil
}

// options returns the options of a connection to a NATS server elsewhere.
func (t TLS) options() (all []nats.Option) {
	if t.CA != "" {
		all = append(all, nats.RootCAs(t.CA))
	}
	if t.Cert != "" || t.Key != "" {
		all = append(all, nats.ClientCert(t.Cert, t.Key))
	}
	return all
}

// options returns the options of a connection to a NATS server elsewhere.
func (l Login) options() ([]nats.Option, error) {
	for _, file := range []string{l.PasswordFile, l.TokenFile, l.CredsFile} {
		if file == "" {
			continue
		}
		if _, err := cli.SecretIn(file); err != nil {
			return nil, err
		}
	}
	switch {
	case l.PasswordFile != "":
		return []nats.Option{nats.UserInfoHandler(func() (user, password string) {
			password, _ = cli.SecretIn(l.PasswordFile) // NATS refuses ""
			return l.User, password
		})}, nil
	case l.TokenFile != "":
		return []nats.Option{nats.TokenHandler(func() string {
			token, _ := cli.SecretIn(l.TokenFile)
			return token
		})}, nil
	case l.CredsFile != "":
		return []nats.Option{nats.UserCredentials(l.CredsFile)}, nil
	case l.NKeyFile != "":
		key, err := nats.NkeyOptionFromSeed(l.NKeyFile)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.NKeyFile, err)
		}
		return []nats.Option{key}, nil
	}
	return nil, nil
}
