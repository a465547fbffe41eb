package main

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/dnstest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
)

// loopback returns the interface of ::1.
func loopback(t *testing.T) net.Interface {
	t.Helper()
	all, err := net.Interfaces()
	if err != nil {
		t.Fatal(err)
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback != 0 {
			return i
		}
	}
	t.Skip("no interface of ::1")
	return net.Interface{}
}

// Every command takes an address with a zone, by the name and the number of its interface.
func TestAddressesHaveZones(t *testing.T) {
	suite.IPv6(t)
	lo := loopback(t)
	server, _ := background(t, "serve", "sqp", "-name", "Healthy", "[::1]:0")
	service, _ := background(t, "http", "-allow", "::1", "-slow", "1m", "127.0.0.1:0")
	_, port, _ := net.SplitHostPort(server)
	for _, zone := range []string{lo.Name, strconv.Itoa(lo.Index)} {
		addr := "[::1%" + zone + "]:" + port
		for _, command := range []string{"query", "query -json", "scan", "scan -json", "watch -health -slow 1m"} {
			_, stdout, stderr := gamequery(nil, append(strings.Fields(command), "sqp", addr)...)
			if !strings.Contains(stdout, "Healthy") || !strings.Contains(stdout, addr) {
				t.Errorf("%s %s: %s%s", command, addr, stderr, stdout)
			}
		}
		if _, stdout, stderr := gamequery(nil, "query", "auto", addr); !strings.Contains(stdout, "Healthy") {
			t.Errorf("auto %s: %s", addr, stderr)
		}
		if _, stdout, stderr := gamequery([]byte(addr+"\n"), "scan", "sqp", "-"); !strings.Contains(stdout, addr) {
			t.Errorf("scan of a list %s: %s", addr, stderr)
		}
		for _, path := range []string{"/v1/query?game=sqp&address=", "/probe?module=sqp&target="} {
			_, body := fetch(t, "http://"+service+path+url.QueryEscape(addr))
			if !strings.Contains(body, "Healthy") && !strings.Contains(body, "\nprobe_success 1\n") {
				t.Errorf("%s%s: %s", path, addr, body)
			}
		}
	}
}

// The lists of all masters are fetched from addresses with zones too.
func TestMastersHaveZones(t *testing.T) {
	t.Parallel()
	suite.IPv6(t)
	lo := loopback(t)
	for _, protocol := range []string{"gameagent", "bomberman", "warzone", "wztext", "wzhttp"} {
		master, _ := background(t, "master", protocol, "[::1]:0")
		_, port, _ := net.SplitHostPort(master)
		at := "[::1%" + lo.Name + "]:" + port
		places := []string{at}
		if protocol == "wzhttp" {
			places = []string{"http://" + at, "http://[::1%25" + lo.Name + "]:" + port}
		}
		for _, place := range places {
			if code, stdout, stderr := gamequery(nil, "list", patient, protocol, place); code != exitOK {
				t.Errorf("%s %s: exit code %d, %s%s", protocol, place, code, stderr, stdout)
			}
		}
	}
	nothing, err := net.ListenPacket("udp", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(nothing.LocalAddr().String())
	nothing.Close()
	at := "[::1%" + lo.Name + "]:" + port
	if code, _, stderr := gamequery(nil, "list", "-timeout", "100ms", "gameagent", at); code != exitFailed {
		t.Errorf("nothing at %s: exit code %d, %s", at, code, stderr)
	}
}

// Names may have letters of any language.
func TestNamesMayBeInAnyLanguage(t *testing.T) {
	dnstest.Resolve(t, func(name string) []netip.Addr {
		if name != "xn--mller-kva.example." {
			return nil
		}
		return []netip.Addr{netip.MustParseAddr("127.0.0.1")}
	})
	server, _ := background(t, "serve", "sqp", "-name", "Healthy", "127.0.0.1:0")
	service, _ := background(t, "http", "-allow", "127.0.0.1", "-slow", "1m", "127.0.0.1:0")
	master, _ := background(t, "master", "bomberman", "127.0.0.1:0")
	_, port, _ := net.SplitHostPort(server)
	addr := "Müller.example.:" + port
	for _, path := range []string{"/v1/query?game=sqp&address=", "/probe?module=sqp&target="} {
		_, body := fetch(t, "http://"+service+path+url.QueryEscape(addr))
		if !strings.Contains(body, "Healthy") && !strings.Contains(body, "\nprobe_success 1\n") {
			t.Errorf("%s: %s", path, body)
		}
	}
	for _, command := range []string{"query", "scan", "watch -health -slow 1m"} {
		_, stdout, stderr := gamequery(nil, append(strings.Fields(command), "sqp", addr)...)
		if !strings.Contains(stdout, "Healthy") {
			t.Errorf("%s: %s%s", command, stderr, stdout)
		}
	}
	_, port, _ = net.SplitHostPort(master)
	if code, _, stderr := gamequery(nil, "list", patient, "bomberman", "müller.example.:"+port); code != exitOK {
		t.Errorf("list: exit code %d, %s", code, stderr)
	}
}
