package main

import (
	"crypto/tls"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// newCheckCommand returns the command check.
func newCheckCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "check FILE",
		Short: "Check a configuration file",
		Long: `Check reads a configuration file as -config does, with the secrets and certificates
that it names, and says what is wrong. It opens no sockets and writes nothing.

Run it as the user of lobbyd, with its environment. It does not know of sockets that
systemd opens for lobbyd.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			c, err := load([]string{"--config", args[0]})
			if err != nil {
				return err
			}
			if err := c.checkWhole(); err != nil {
				return &usageError{err}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: ok\n", args[0])
			return err
		},
		DisableFlagsInUseLine: true,
	}
}

// checkWhole refuses a configuration that would keep lobbyd from starting, as far as files
// show.
func (c config) checkWhole() error {
	_, errs := c.dataDir()
	errs = errors.Join(errs, c.checkUseful(func(_ string, at address) bool { return !at.off() }))
	for _, pair := range []struct{ cert, key, name string }{
		{c.Warzone.TLS.Cert, c.Warzone.TLS.Key, "warzone.tls"},
		{c.Cluster.Cert, c.Cluster.Key, "cluster"},
	} {
		if pair.cert == "" {
			continue
		}
		if _, err := tls.LoadX509KeyPair(pair.cert, pair.key); err != nil {
			errs = errors.Join(errs, fmt.Errorf("certificate of %s: %w", pair.name, err))
		}
	}
	for _, file := range []string{c.Cluster.CA, c.Cluster.PasswordFile, c.Cluster.TokenFile, c.Cluster.CredsFile,
		c.Cluster.NKeyFile} {
		if file == "" {
			continue
		}
		if _, err := os.ReadFile(file); err != nil {
			errs = errors.Join(errs, err)
		}
	}
	return errs
}
