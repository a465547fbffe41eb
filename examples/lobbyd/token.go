package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// The token of the operator is in this variable of the environment, or in a file.
const (
	tokenVariable = "LOBBYD_ADMIN_TOKEN"
	minToken      = 16 // bytes, so that nobody guesses it
)

// readToken returns the token, "" if there is none.
func readToken(file string) (string, error) {
	token, from := os.Getenv(tokenVariable), "$"+tokenVariable
	if file != "" {
		b, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		token, from = strings.TrimSpace(string(b)), file
		if token == "" {
			return "", fmt.Errorf("%s has no token", file)
		}
	}
	if token != "" && len(token) < minToken {
		return "", fmt.Errorf("the token of %s has %d bytes, of which there must be %d", from, len(token), minToken)
	}
	return token, nil
}

// readToken reads the token that c names.
func (c *adminConfig) readToken() (err error) {
	if c.token, err = readToken(c.TokenFile); err != nil {
		return err
	}
	if !c.Listen.off() && c.token == "" {
		return errors.New("-admin-listen needs a token, in -admin-token-file or in $" + tokenVariable)
	}
	return nil
}
