package cli_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/cli"
)

func TestCheckListenAcceptsAddressesToListenOn(t *testing.T) {
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

func TestSplitAddressReadsAllForms(t *testing.T) {
	for _, tt := range []struct{ in, host, port, err string }{
		{"192.0.2.1", "192.0.2.1", "", ""},
		{"192.0.2.1:7", "192.0.2.1", "7", ""},
		{"192.0.2.0/24:7-9", "192.0.2.0/24", "7-9", ""},
		{"example.org", "example.org", "", ""},
		{"my_server:7", "my_server", "7", ""},
		{"", "", "", ""},
		{":7", "", "7", ""},
		{"[]:7", "", "7", ""},
		{"2001:db8::", "2001:db8::", "", ""},
		{"[2001:db8::]:7", "2001:db8::", "7", ""},
		{"[192.0.2.1]:7", "192.0.2.1", "7", ""},
		{"2001:db8::6", "2001:db8::6", "", ""},
		{"[2001:db8::6]", "2001:db8::6", "", ""},
		{"[2001:db8::6]:7", "2001:db8::6", "7", ""},
		{"2001:db8::/64", "2001:db8::/64", "", ""},
		{"[2001:db8::/64]:7", "2001:db8::/64", "7", ""},
		{"[::ffff:192.0.2.1]:7", "::ffff:192.0.2.1", "7", ""},
		{"fe80::1%eth0", "fe80::1%eth0", "", ""},
		{"[fe80::1%eth0]", "fe80::1%eth0", "", ""},
		{"[fe80::1%eth0]:7", "fe80::1%eth0", "7", ""},
		{"[fe80::1%4]:7-9", "fe80::1%4", "7-9", ""},
		{"[::1%lo]:7", "::1%lo", "7", ""},
		{"[fe80::1%br-0.5@if3]:7", "fe80::1%br-0.5@if3", "7", ""},
		{"müller.example", "xn--mller-kva.example", "", ""},
		{"Müller.example:7", "xn--mller-kva.example", "7", ""},
		{"bücher.straße.example:7", "xn--bcher-kva.xn--strae-oqa.example", "7", ""},
		{"例え。テスト:7", "xn--r8jz45g.xn--zckzah", "7", ""},

		{"fe80::1%eth0:7", "", "", "zone"},
		{"[fe80::1%eth0:7]", "", "", "zone"},
		{"[fe80::1%eth0]]:7", "", "", "HOST:PORT"},
		{"[fe80::1%]:7", "", "", "HOST:PORT"},
		{"192.0.2.1%eth0:7", "192.0.2.1%eth0", "7", ""}, // not an address, and no name either
		{"[[2001:db8::6]]:7", "", "", "HOST:PORT"},
		{"[2001:db8::6", "", "", "HOST:PORT"},
		{"2001:db8::6]", "", "", "HOST:PORT"},
		{"[2001:db8::6]7", "", "", "HOST:PORT"},
		{"[2001:db8::6]:", "", "", "HOST:PORT"},
		{"192.0.2.1:", "", "", "HOST:PORT"},
		{"192.0.2.1:7:8", "", "", "HOST:PORT"},
		{"\u0378.example", "", "", "name"},
	} {
		host, port, err := cli.SplitAddress(tt.in)
		if host != tt.host || port != tt.port || (err == nil) != (tt.err == "") ||
			err != nil && !strings.Contains(err.Error(), tt.err) {
			t.Errorf("%q: %q, %q, %v", tt.in, host, port, err)
		}
	}
}
