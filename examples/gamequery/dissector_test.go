package main

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"math"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
)

// A shark runs tshark with the dissector.
type shark struct {
	path, script string
}

// newShark skips t if tshark is missing.
func newShark(t *testing.T) shark {
	t.Helper()
	s := shark{suite.Program(t, "tshark"), filepath.Join(t.TempDir(), "lobbywire.lua")}
	code, script, stderr := gamequery(nil, "dissector")
	if code != 0 || stderr != "" {
		t.Fatalf("dissector: exit code %d, %q", code, stderr)
	}
	if err := os.WriteFile(s.script, []byte(script), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

// read returns what tshark prints of IP packets.
func (s shark) read(t *testing.T, packets [][]byte, args ...string) []byte {
	t.Helper()
	file := filepath.Join(t.TempDir(), "golden.pcap")
	if err := os.WriteFile(file, capturetest.PCAP(capturetest.LinkRaw, 0, packets...), 0o600); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"-X", "lua_script:" + s.script, "-o", "lobbywire.sqp:7779", "-r", file}, args...)
	cmd := exec.CommandContext(t.Context(), s.path, args...)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "XDG_CONFIG_HOME="+t.TempDir())
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("tshark: %v: %s", err, stderr.String())
	}
	if text := string(out) + stderr.String(); strings.Contains(text, "Lua Error") {
		at := strings.Index(text, "Lua Error")
		t.Fatalf("%s", text[at:min(at+500, len(text))])
	}
	return out
}

// A sharkField is a field in the output of tshark.
type sharkField struct {
	Name   string       `xml:"name,attr"`
	Shows  string       `xml:"showname,attr"`
	Show   string       `xml:"show,attr"`
	Pos    int          `xml:"pos,attr"`
	Size   int          `xml:"size,attr"`
	Fields []sharkField `xml:"field"`
}

// A sharkPacket is a packet in the output of tshark, with the protocols as fields.
type sharkPacket struct {
	Protocols []sharkField `xml:"proto"`
}

// ports are the ports of servers and masters at which the dissector expects a protocol.
var ports = map[string]uint16{
	"sqp": 7779, "gamespy2": 29900, "qr2": 27900, "gameagent": 25601, "gameagent master": 9005,
}

// overTCP are the messages of gameagent that are no datagrams.
var overTCP = []string{"LegacyAddressList", "LegacyGreeting", "LegacyListRequest", "LegacyServerList",
	"LegacySyncList", "LegacySyncRequest"}

// shownAs are the other messages as which the dissector shows a message, where a single
// datagram does not tell which one it is.
var shownAs = map[string][]string{
	"sqp.Request":        {"sqp.QueryRequest"},
	"gamespy2.Packet":    {"gamespy2.Response"},
	"gamespy2.Values":    {"gamespy2.Response"},
	"gamespy2.BasicStat": {"gamespy2.Response"},
	"gamespy2.Request":   {"gamespy2.StatRequest"}, // with a challenge
}

// A goldenDatagram is a datagram of a golden file.
type goldenDatagram struct {
	vector
	packet []byte
}

// goldenDatagrams returns the golden files of the protocols over UDP as datagrams. A request
// for its chunks is before an SQP answer.
func goldenDatagrams(t *testing.T) (all []goldenDatagram) {
	t.Helper()
	for _, v := range goldenFiles(t) {
		port, direction := ports[v.pkg], v.header["Direction"]
		if strings.Contains(direction, "master") && v.pkg == "gameagent" {
			port = ports["gameagent master"]
		}
		if port == 0 || len(v.data) == 0 || slices.Contains(overTCP, v.header["Message"]) {
			continue
		}
		client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), uint16(50000+len(all)))
		server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 2}), port)
		from, _, _ := strings.Cut(direction, " ")
		toPort := from == "client" || from == "server" && strings.HasSuffix(direction, "master")
		if toPort {
			all = append(all, goldenDatagram{v, capturetest.UDP(client, server, v.data)})
			continue
		}
		if chunks, err := strconv.ParseUint(v.header["Chunks"], 0, 8); err == nil {
			b, err := sqp.QueryRequest{Version: 1, Chunks: sqp.Chunks(chunks)}.MarshalBinary()
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, goldenDatagram{packet: capturetest.UDP(client, server, b)})
		}
		all = append(all, goldenDatagram{v, capturetest.UDP(server, client, v.data)})
	}
	return all
}

// lines returns the fields of the dissector as lines of explain.
func (p sharkPacket) lines() (message string, lines []string, err string) {
	i := slices.IndexFunc(p.Protocols, func(f sharkField) bool { return f.Name == "lobbywire" })
	if i < 0 {
		return "", nil, ""
	}
	top := p.Protocols[i]
	for _, f := range top.Fields {
		for _, inner := range f.Fields {
			if inner.Name == "_ws.expert" {
				err = inner.Shows
			}
		}
		switch {
		case f.Name == "lobbywire.message":
			message = f.Show
			continue
		case f.Name == "_ws.expert":
			err = f.Shows
			continue
		}
		text := f.Shows
		if text == "" {
			text = f.Show
		}
		lines = append(lines, fmt.Sprintf("%d+%d %s", f.Pos-top.Pos, f.Size, text))
	}
	return message, lines, err
}

// explained returns the lines of explain for the bytes of v as another message.
func (v vector) explained(message string) (lines []string, err string) {
	args := []string{"explain", message, v.path}
	if chunks := v.header["Chunks"]; chunks != "" && message == "sqp.QueryResponse" {
		args = slices.Insert(args, 1, "-chunks", chunks)
	}
	_, stdout, _ := gamequery(nil, args...)
	for line := range strings.Lines(stdout) {
		_, comment, ok := strings.Cut(strings.TrimSpace(line), "# ")
		switch {
		case !ok:
		case comment[0] >= '0' && comment[0] <= '9':
			lines = append(lines, comment)
		default:
			err = comment
		}
	}
	return lines, err
}

// choice returns the interface as which the dissector decodes v, or the message as which it
// shows it.
func (v vector) choice(message string) string {
	from, to, _ := strings.Cut(v.header["Direction"], " to ")
	switch {
	case message == "gameagent.ServerList":
	case v.pkg == "gameagent" && from == "master", v.pkg == "qr2" && to == "client":
		return v.pkg + ".ToServer"
	case v.pkg == "gameagent" && to == "client":
		return "gameagent.FromServer"
	case v.pkg == "gameagent", v.pkg == "qr2":
		return v.pkg + ".To" + strings.ToUpper(to[:1]) + to[1:]
	}
	return message
}

// sameLine reports whether tshark, which cuts long lines, prints a line of explain.
func sameLine(got, want string) bool {
	place, text, ok := strings.Cut(got, "  [truncated]")
	return got == want || ok && len(text) > 200 && strings.HasPrefix(want, place+" "+text)
}

// dissect returns the packets that tshark shows of datagrams.
func (s shark) dissect(t *testing.T, all []goldenDatagram) []sharkPacket {
	t.Helper()
	var packets [][]byte
	for _, g := range all {
		packets = append(packets, g.packet)
	}
	var pdml struct {
		Packets []sharkPacket `xml:"packet"`
	}
	if err := xml.Unmarshal(s.read(t, packets, "-T", "pdml"), &pdml); err != nil {
		t.Fatal(err)
	}
	if len(pdml.Packets) != len(all) {
		t.Fatalf("%d packets, want %d", len(pdml.Packets), len(all))
	}
	return pdml.Packets
}

// check fails t if a packet is not shown as explain shows the same bytes.
func (p sharkPacket) check(t *testing.T, v vector) (message string) {
	t.Helper()
	message, got, gotErr := p.lines()
	if gotErr != "" {
		gotErr = v.pkg + ": " + strings.TrimPrefix(gotErr, "Expert Info (Warning/Malformed): ")
	}
	want, wantErr := v.explained(v.choice(message))
	if !slices.EqualFunc(got, want, sameLine) || gotErr != wantErr {
		t.Errorf("%s as %s:\n%s\n%s\nwant\n%s\n%s", v.path, message, strings.Join(got, "\n"), gotErr,
			strings.Join(want, "\n"), wantErr)
	}
	return message
}

// The dissector shows golden files as explain does.
func TestDissectorGolden(t *testing.T) {
	all := goldenDatagrams(t)
	for i, p := range newShark(t).dissect(t, all) {
		g := all[i]
		if g.header == nil {
			continue
		}
		message := p.check(t, g.vector)
		_, fault := g.explained(g.name())
		if message != g.name() && fault == "" && !slices.Contains(shownAs[g.name()], message) {
			t.Errorf("%s: %s is shown as %s", g.path, g.name(), message)
		}
	}
}

// The dissector shows hostile bytes as explain does. They make no error in Lua, and no loop
// that does not end.
func TestDissectorHostile(t *testing.T) {
	random := newRandom()
	const headers = 20 + 8
	var all []goldenDatagram
	for _, g := range goldenDatagrams(t) {
		if g.header == nil {
			all = append(all, g) // the request for an answer
			continue
		}
		cut := slices.Clone(g.packet[:headers+1+random.IntN(len(g.packet)-headers)])
		changed := slices.Clone(g.packet)
		for range 1 + random.IntN(4) {
			changed[headers+random.IntN(len(changed)-headers)] = byte(random.Uint32())
		}
		noise := slices.Clone(g.packet)
		for i := range noise[headers:] {
			noise[headers+i] = byte(random.Uint32())
		}
		for _, b := range [][]byte{cut, changed, noise} {
			binary.BigEndian.PutUint16(b[2:], uint16(len(b)))
			binary.BigEndian.PutUint16(b[20+4:], uint16(len(b)-20))
			h := goldenDatagram{g.vector, b}
			h.data = b[headers:]
			h.path = filepath.Join(t.TempDir(), "hostile.hex")
			if err := os.WriteFile(h.path, []byte(hex.EncodeToString(h.data)+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			all = append(all, h)
		}
	}
	shown := 0
	for i, p := range newShark(t).dissect(t, all) {
		if all[i].header != nil && p.check(t, all[i].vector) != "" {
			shown++
		}
	}
	if shown < len(all)/2 {
		t.Errorf("%d of %d datagrams are shown", shown, len(all))
	}
}

// The dissector writes numbers and texts as explain does.
func TestDissectorValues(t *testing.T) {
	client, server := netip.MustParseAddrPort("192.0.2.1:50000"), netip.MustParseAddrPort("192.0.2.2:7779")
	chunks := sqp.ChunkServerInfo | sqp.ChunkMetrics
	request, err := sqp.QueryRequest{Chunks: chunks}.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	inf := float32(math.Inf(1))
	m := sqp.QueryResponse{
		ServerInfo: &sqp.ServerInfo{ServerName: "Größe\u2028\U0001f600\x00\a\"\\", GameType: "\x7f\u0080"},
		Metrics: &sqp.Metrics{Values: []float32{0, 1, -2.5, 0.1, 1.0 / 3, 99999, 1e5, 123456, 1e6, 1234567, 1e-4, 1e-5,
			16777216, math.MaxFloat32, math.SmallestNonzeroFloat32, inf, -inf, float32(math.NaN())}},
	}
	answer, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "values.hex")
	if err := os.WriteFile(path, []byte(hex.EncodeToString(answer)+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	header := map[string]string{"Chunks": strconv.Itoa(int(chunks)), "Direction": "server to client"}
	v := vector{path: path, pkg: "sqp", header: header, data: answer}
	packets := newShark(t).dissect(t, []goldenDatagram{
		{packet: capturetest.UDP(client, server, request)},
		{v, capturetest.UDP(server, client, answer)},
	})
	if message := packets[1].check(t, v); message != "sqp.QueryResponse" {
		t.Errorf("shown as %q", message)
	}
}

// The dissector finds servers at unknown ports by requests that start with a magic number.
func TestDissectorHeuristics(t *testing.T) {
	s := newShark(t)
	client, server := netip.MustParseAddrPort("192.0.2.1:50000"), netip.MustParseAddrPort("192.0.2.2:41234")
	request := goldenFile(t, "../../gamespy2/testdata/golden/echo_request.hex")
	response := goldenFile(t, "../../gamespy2/testdata/golden/echo_response.hex")
	query := goldenFile(t, "../../sqp/testdata/golden/query_info.hex")
	other := netip.MustParseAddrPort("192.0.2.2:41235")
	out := s.read(t, [][]byte{
		capturetest.UDP(client, other, query.data),
		capturetest.UDP(other, client, goldenFile(t, infoAnswer).data),
		capturetest.UDP(server, client, response.data), // not known yet
		capturetest.UDP(client, server, request.data),
		capturetest.UDP(server, client, response.data),
	}, "-T", "fields", "-e", "lobbywire.message")
	if want := "sqp.QueryRequest\nsqp.QueryResponse\n\ngamespy2.Request\ngamespy2.EchoResponse\n"; string(out) != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// README.md has what tshark prints of an SQP answer.
func TestDissectorReadme(t *testing.T) {
	s := newShark(t)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "<!-- dissector -->\n```\n")
	part, _, _ = strings.Cut(part, "```\n<!-- end -->")
	command, want, _ := strings.Cut(part, "\n")
	args := strings.Fields(strings.TrimPrefix(command, "$ tshark -r sqp.pcap "))
	client, server := netip.MustParseAddrPort("192.0.2.1:50000"), netip.MustParseAddrPort("192.0.2.2:7779")
	got := s.read(t, [][]byte{
		capturetest.UDP(client, server, goldenFile(t, "../../sqp/testdata/golden/query_info.hex").data),
		capturetest.UDP(server, client, goldenFile(t, infoAnswer).data),
	}, args...)
	_, shown, _ := strings.Cut(string(got), "lobbywire, ")
	if shown = "lobbywire, " + strings.TrimSpace(shown) + "\n"; shown != want {
		t.Errorf("README.md lacks\n%s", shown)
	}
}
