package main

import (
	"errors"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

// The variables of secrets that are in no file.
const (
	tokenVariable  = "LOBBYD_ADMIN_TOKEN"
	secretVariable = "LOBBYD_CLUSTER_SECRET"
	keyVariable    = "LOBBYD_WARZONE_KEY"
)

// readSecrets reads the secrets that c names.
func (c *config) readSecrets() (err error) {
	c.Admin.token, err = cli.ReadSecret(c.Admin.TokenFile, tokenVariable)
	if err != nil {
		return err
	}
	c.Cluster.secret, err = cli.ReadSecret(c.Cluster.SecretFile, secretVariable)
	if err != nil {
		return err
	}
	c.Warzone.key, err = cli.ReadSecret(c.Warzone.KeyFile, keyVariable)
	if err != nil {
		return err
	}
	if !c.Admin.Listen.off() && c.Admin.token == "" {
		return errors.New("-admin-listen needs a token, in -admin-token-file or in $" + tokenVariable)
	}
	return nil
}
