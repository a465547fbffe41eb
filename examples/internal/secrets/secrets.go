// Package secrets reads secrets of programs, such as tokens. They come from files or
// environment variables, since other users of the machine see flags.
package secrets

import (
	"fmt"
	"os"
	"strings"
)

// MinLen is how many bytes a secret needs, so that nobody can guess it.
const MinLen = 16

// Read returns the content of the file without white space around it or, if file is "",
// the variable. It returns "" if neither is set, and fails if the secret is shorter than
// MinLen or the file is empty.
func Read(file, variable string) (string, error) {
	secret, from := os.Getenv(variable), "$"+variable
	if file != "" {
		var err error
		secret, err = In(file)
		if err != nil {
			return "", err
		}
		from = file
	}
	if secret != "" && len(secret) < MinLen {
		return "", fmt.Errorf("%s has %d bytes, but needs %d so that nobody can guess it", from, len(secret), MinLen)
	}
	return secret, nil
}

// In returns the content of a file without white space around it. It fails if nothing is
// left. Unlike Read, it takes secrets of any length, such as passwords that others choose.
func In(file string) (string, error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(b))
	if secret == "" {
		return "", fmt.Errorf("%s is empty", file)
	}
	return secret, nil
}
