package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// Secrets come from environment variables or files. Flags would be visible to other
// users.
const (
	tokenVariable  = "LOBBYD_ADMIN_TOKEN"
	secretVariable = "LOBBYD_CLUSTER_SECRET"
	keyVariable    = "LOBBYD_WARZONE_KEY"
	minSecret      = 16 // bytes, so that it cannot be guessed
)

// readSecret returns the content of the file or, if there is no file, the variable.
// It returns "" if neither is set.
func readSecret(file, variable string) (string, error) {
	secret, from := os.Getenv(variable), "$"+variable
	if file != "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		secret, from = strings.TrimSpace(string(b)), file
		if secret == "" {
			return "", fmt.Errorf("%s is empty", file)
		}
	}
	if secret != "" && len(secret) < minSecret {
		return "", fmt.Errorf("%s has %d bytes, but needs %d so that nobody can guess it", from, len(secret), minSecret)
	}
	return secret, nil
}

// readSecrets reads the secrets that c names.
func (c *config) readSecrets() (err error) {
	c.Admin.token, err = readSecret(c.Admin.TokenFile, tokenVariable)
	if err != nil {
		return err
	}
	c.Cluster.secret, err = readSecret(c.Cluster.SecretFile, secretVariable)
	if err != nil {
		return err
	}
	c.Warzone.key, err = readSecret(c.Warzone.KeyFile, keyVariable)
	if err != nil {
		return err
	}
	if !c.Admin.Listen.off() && c.Admin.token == "" {
		return errors.New("-admin-listen needs a token, in -admin-token-file or in $" + tokenVariable)
	}
	return nil
}
