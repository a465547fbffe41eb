package cli

import (
	"fmt"
	"os"
	"strings"

	"github.com/lobbywire/lobbywire/examples/internal/files"
)

// MinSecret is how many bytes a secret needs, so that nobody can guess it.
const MinSecret = 16

// ReadSecret returns a secret such as a token: the content of the file without white space around
// it or, if file is "", the environment variable. Secrets are not flags, because other users of the
// machine can see flags. It returns "" if neither is set, and fails if the secret is shorter than
// MinSecret or the file is empty.
func ReadSecret(file, variable string) (string, error) {
	secret, from := os.Getenv(variable), "$"+variable
	if file != "" {
		var err error
		secret, err = SecretIn(file)
		if err != nil {
			return "", err
		}
		from = file
	}
	if secret != "" && len(secret) < MinSecret {
		return "", fmt.Errorf("%s has %d bytes, but needs %d so that nobody can guess it", from, len(secret), MinSecret)
	}
	return secret, nil
}

// SecretIn returns the content of a file without white space around it. It fails if nothing is
// left. Unlike ReadSecret, it takes secrets of any length, such as passwords that others choose.
func SecretIn(file string) (string, error) {
	b, err := files.ReadText(file)
	if err != nil {
		return "", err
	}
	secret := strings.TrimSpace(string(b))
	if secret == "" {
		return "", fmt.Errorf("%s is empty", file)
	}
	return secret, nil
}
