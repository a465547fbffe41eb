package main

import (
	"net"
	"net/netip"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/dnstest"
)

// For a Minecraft server without a port, all commands use the SRV record of its name. Other
// games have no such records.
func TestMinecraftUsesSRVRecords(t *testing.T) {
	server, _ := background(t, "serve", "minecraft", "-name", "Healthy", "127.0.0.1:0")
	port := int(netip.MustParseAddrPort(server).Port())
	dnstest.Resolve(t, func(name string) []netip.Addr {
		address := map[string]string{
			"play.example.": "127.0.0.2", "plain.example.": "127.0.0.2", "low.example.": "127.0.0.2", "mc.example.": "127.0.0.1",
			"local.example.": "127.0.0.2", "private.example.": "10.0.0.1",
		}[name]
		if address == "" {
			return nil
		}
		return []netip.Addr{netip.MustParseAddr(address)}
	}, map[string]net.SRV{
		"_minecraft._tcp.play.example.":  {Target: "mc.example.", Port: uint16(port)},
		"_minecraft._tcp.low.example.":   {Target: "mc.example.", Port: 53},
		"_minecraft._tcp.local.example.": {Target: "private.example.", Port: uint16(port)},
	})
	service, _ := background(t, "http", "-allow", "127.0.0.0/8", "-timeout", "30s", "-slow", "1m", "127.0.0.1:0")
	for name, text := range outcomes(t, service, "minecraft", "play.example.") {
		if !strings.Contains(text, "Healthy") && !strings.Contains(text, "\nprobe_success 1\n") {
			t.Errorf("%s: %s", name, text)
		}
	}
	for _, tt := range []struct{ game, place, query string }{
		{"minecraft", "plain.example.", "127.0.0.2:25565"},
		{"minecraft", "play.example.:" + strconv.Itoa(port), "127.0.0.2:" + strconv.Itoa(port)},
		{"minecraft", "127.0.0.2", "127.0.0.2:25565"},
		{"minecraftbedrock", "play.example.", "127.0.0.2:19132"},
		{"ut3", "play.example.", "127.0.0.2:6500"},
	} {
		for _, command := range []string{"query", "scan"} {
			_, stdout, stderr := gamequery(nil, command, "-json", "-timeout", "50ms", "-attempts", "1", tt.game, tt.place)
			if !strings.Contains(stdout, `"query":"`+tt.query+`"`) {
				t.Errorf("%s %s %s: %s%s", command, tt.game, tt.place, stderr, stdout)
			}
		}
	}
	for host, want := range map[string]string{"low.example.": "ports below", "local.example.": "is not queried"} {
		if _, body := fetch(t, "http://"+service+"/v1/query?game=minecraft&address="+host); !strings.Contains(body, want) {
			t.Errorf("%s: %s", host, body)
		}
	}
}
