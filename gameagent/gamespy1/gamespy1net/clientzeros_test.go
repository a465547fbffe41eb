package gamespy1net_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/netip"
	"slices"
	"testing"
	"testing/synctest"

	"github.com/lobbywire/lobbywire/gameagent/gamespy1/gamespy1net"
)

// Some masters send zero bytes after their greeting, which are not part of the list, even if
// they arrive with it.
func TestZerosAfterTheGreetingAreSkipped(t *testing.T) {
	servers := []netip.AddrPort{netip.MustParseAddrPort("10.0.0.1:25601"), netip.MustParseAddrPort("10.0.0.2:25601")}
	zero := netip.MustParseAddrPort("0.0.0.0:25601")
	const list = "\x0a\x00\x00\x01\x64\x01\x0a\x00\x00\x02\x64\x01"
	for _, tt := range []struct {
		name, zeros, list string
		want              []netip.AddrPort
		partial           bool
		refused           string
	}{
		{"none", "\x00", `\final\`, nil, false, ""},
		{"none, and a zero after it", "", `\final\` + "\x00", nil, false, ""},
		{"compact, after an end mark", `\final\` + "\x00", list + `\final\`, servers, false, ""},
		{"compact", "\x00", list + `\final\`, servers, false, ""},
		{"compact, after two", "\x00\x00", list + `\final\`, servers, false, ""},
		{"text", "\x00", `\ip\10.0.0.1:25601\ip\10.0.0.2:25601\final\`, servers, false, ""},
		{"without an end", "\x00", list, servers, true, ""},
		{"a reason", "\x00", `\error\No such game\final\`, nil, false, "No such game"},
		{"the address 0.0.0.0", "", "\x00\x00\x00\x00\x64\x01" + list + `\final\`,
			slices.Concat([]netip.AddrPort{zero}, servers), false, ""},
	} {
		for _, late := range []bool{false, true} {
			synctest.Test(t, func(t *testing.T) {
				c := gamespy1net.Client{Dial: func(context.Context, string, string) (net.Conn, error) {
					here, there := net.Pipe()
					go func() {
						defer there.Close()
						greeting, answer := `\basic\\secure\ABCDEF`+tt.zeros, tt.list
						if late {
							greeting, answer = `\basic\\secure\ABCDEF`, tt.zeros+tt.list
						}
						io.WriteString(there, greeting)
						there.Read(make([]byte, 4096))
						io.WriteString(there, answer)
					}()
					return here, nil
				}}
				l, err := c.List(t.Context(), "192.0.2.1:28900")
				var refused *gamespy1net.MasterError
				if errors.As(err, &refused) && refused.Text == tt.refused {
					err = nil
				}
				if err != nil || !slices.Equal(l.Queries, tt.want) || l.Partial != tt.partial ||
					(refused != nil) != (tt.refused != "") {
					t.Errorf("%s, late %v: %+v, %v", tt.name, late, l, err)
				}
			})
		}
	}
}
