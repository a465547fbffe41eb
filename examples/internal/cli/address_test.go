package cli_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func TestCheckListen(t *testing.T) {
	for addr, want := range map[string]string{
		":7778":           "",
		":0":              "",
		"127.0.0.1:7778":  "",
		"[::1]:7778":      "",
		"localhost:7778":  "",
		"7778":            "is a port: write :7778",
		"0":               "is a port: write :0",
		"":                "write host:port, [IPv6]:port or :port",
		"localhost":       "write host:port",
		"127.0.0.1":       "write host:port",
		"::1:7778":        "[IPv6]:port",
		":99999":          "a number from 0 to 65535",
		"127.0.0.1:":      "a number from 0 to 65535",
		"localhost:http":  "a number from 0 to 65535",
		"127.0.0.1:-1":    "a number from 0 to 65535",
		"99999":           "write host:port",
		"127.0.0.1:80:80": "write host:port",
	} {
		err := cli.CheckListen(addr)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", addr, err, want)
		}
	}
}
