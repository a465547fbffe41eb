package traffic

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/formats"
)

// A message is named if there is evidence for it, and messages of other protocols are
// reported as such.
func TestChooseNeedsEvidence(t *testing.T) {
	for _, test := range []struct{ data, name, doubt string }{
		{"\x01\x801\xbe\x18\x00\x01\x01", "sqp.Request", ""},
		{"LIST\n", "wztext.List", ""},
		{`\status\`, "gamespy1.ToServer", ""},
		{"\xfe\xfd\x00\x01\x02\x03", "gamespy2.Request", "the first 3 of 6"},
		{"hello this is not bytes", "", "no message"},
		{"a and b", "filter.Filter", "accepts much other data"},
		{"", "", "no message"},
		{"\x01", "", "no message"},
		{"\xff\xff\xff\xffTSource Engine Query\x00", "", "A2S"},
		{"\xff\xff\xff\xffI\x11name\x00map\x00", "", "A2S"},
		{"\xff\xff\xff\xffgetstatus\n", "", "Quake 3"},
		{"\xff\xff\xff\xffgetinfo xxx", "", "Quake 3"},
		{"\xff\xff\xff\xffstatusResponse\n\\a\\b\n", "", "Quake 3"},
		{"\x0f\x00\x2f\x09localhost\x63\xdd\x01\x01\x00", "", "list ping"},
		{"\x0f\x00\x2f\x09localhost\x63\xdd\x01", "", "list ping"},
		{"\x11\x00\x0f{\"players\":1}  ", "", "list ping"},
		{"\xfe\x01", "", "list ping"},
		{"\xff\x00\x03\x00\xa7\x001\x00\x00", "", "list ping"},
		{"\x01\x00\x00\x00\x00\x00\x00\x10\x92" + rakNet + "clientID", "", "RakNet"},
		{"\x1c\x00\x00\x00\x00\x00\x00\x10\x92serverID" + rakNet + "\x00\x05MCPE;", "", "RakNet"},
	} {
		c := Choose([]byte(test.data), formats.DefaultOptions())
		if c.Name != test.name || (c.Doubt == "") != (test.doubt == "") || !strings.Contains(c.Doubt, test.doubt) {
			t.Errorf("%q: %q, %q, want %q, %q", test.data, c.Name, c.Doubt, test.name, test.doubt)
		}
	}
}

const rakNet = "\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78" // in each of its pings

// No message of the library is reported as belonging to another protocol.
func TestForeignLeavesGoldenMessages(t *testing.T) {
	eachGolden(t, func(path, _ string, header map[string]string, b []byte) {
		if foreign(b) != "" && header["Shows"] != "a request of another protocol" {
			t.Errorf("%s: %s", path, foreign(b))
		}
	})
}
