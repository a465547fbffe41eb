package main

import (
	"errors"

	"github.com/spf13/pflag"

	"github.com/lobbywire/lobbywire/examples/lobbyd/internal/cluster"
)

// newAccessFlags adds the flags of certificates and logins in a cluster.
func newAccessFlags(flags *pflag.FlagSet, c *clusterConfig) {
	flags.StringVar(&c.CA, "cluster-ca", c.CA,
		"require TLS, with certificates of the authority in this `file`")
	flags.StringVar(&c.Cert, "cluster-cert", c.Cert, "`file` with the certificate of this node")
	flags.StringVar(&c.Key, "cluster-key", c.Key, "`file` with the key of this certificate")
	flags.StringVar(&c.User, "nats-user", c.User, "`name` of the user at the NATS server")
	flags.StringVar(&c.PasswordFile, "nats-password-file", c.PasswordFile, "`file` with the password of this user")
	flags.StringVar(&c.TokenFile, "nats-token-file", c.TokenFile, "`file` with a token for the NATS server")
	flags.StringVar(&c.CredsFile, "nats-creds-file", c.CredsFile,
		"`file` with credentials for the NATS server, as nsc writes it")
	flags.StringVar(&c.NKeyFile, "nats-nkey-file", c.NKeyFile, "`file` with the seed of an nkey for the NATS server")
}

func (c clusterConfig) tls() cluster.TLS { return cluster.TLS{CA: c.CA, Cert: c.Cert, Key: c.Key} }

func (c clusterConfig) login() cluster.Login {
	return cluster.Login{User: c.User, PasswordFile: c.PasswordFile, TokenFile: c.TokenFile, CredsFile: c.CredsFile,
		NKeyFile: c.NKeyFile}
}

// checkAccess refuses half a configuration of certificates and logins, and several logins.
func (c clusterConfig) checkAccess() error {
	hasTLS, hasLogin := c.tls() != cluster.TLS{}, c.login() != cluster.Login{}
	logins := 0
	for _, file := range []string{c.PasswordFile, c.TokenFile, c.CredsFile, c.NKeyFile} {
		if file != "" {
			logins++
		}
	}
	switch {
	case c.NATS == "" && (hasTLS || hasLogin):
		return errors.New("certificates and logins of a cluster need -nats")
	case c.NATS == embedded && hasLogin:
		return errors.New("-nats-user and the other logins are for an external NATS server; " +
			"nodes with -nats embedded use a secret")
	case (c.User == "") != (c.PasswordFile == ""):
		return errors.New("-nats-user and -nats-password-file go together")
	case logins > 1:
		return errors.New("use one of -nats-user, -nats-token-file, -nats-creds-file and -nats-nkey-file")
	case (c.Cert == "") != (c.Key == ""):
		return errors.New("-cluster-cert and -cluster-key go together")
	case c.NATS == embedded && hasTLS && (c.CA == "" || c.Cert == ""):
		return errors.New("between nodes with -nats embedded, TLS needs -cluster-ca, -cluster-cert and -cluster-key")
	case c.NATS == embedded && hasTLS && c.Routes == "" && c.Listen == "":
		return errors.New("-cluster-cert is for connections to -routes, which is off")
	}
	return nil
}
