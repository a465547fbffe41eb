package main

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffic"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
)

// A shark runs tshark with the script for Wireshark.
type shark struct{ path, script string }

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

// read returns what tshark prints of a file.
func (s shark) read(t *testing.T, file string, args ...string) []byte {
	t.Helper()
	args = append([]string{"-X", "lua_script:" + s.script, "-r", file}, args...)
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
	Show   string       `xml:"show,attr"`
	Shows  string       `xml:"showname,attr"`
	Pos    int          `xml:"pos,attr"`
	Size   int          `xml:"size,attr"`
	Fields []sharkField `xml:"field"`
}

// dissect returns the messages that tshark shows of a file, by the sender: the name, a line for
// each field, and the error.
func (s shark) dissect(t *testing.T, file string) map[string][]string {
	t.Helper()
	var pdml struct {
		Packets []struct {
			Protocols []sharkField `xml:"proto"`
		} `xml:"packet"`
	}
	if err := xml.Unmarshal(s.read(t, file, "-T", "pdml"), &pdml); err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]string)
	for _, p := range pdml.Packets {
		from := ""
		for _, proto := range p.Protocols {
			for _, f := range proto.Fields {
				switch f.Name {
				case "ip.src":
					from = f.Show
				case "udp.srcport", "tcp.srcport":
					from += ":" + f.Show
				case "lobbywire.message":
					all[from] = append(all[from], f.Show)
				case "lobbywire.field":
					all[from] = append(all[from], fmt.Sprintf("%d+%d %s", f.Pos, f.Size, f.Show))
				case "_ws.expert":
					if proto.Name == "lobbywire" {
						all[from] = append(all[from], strings.TrimPrefix(f.Shows, "Expert Info (Error/Malformed): "))
					}
				}
			}
		}
	}
	return all
}

// goldenCapture returns golden files as datagrams and connections, and their number. Each direction
// of a connection is one packet. Each client and each server has an address of its own.
func goldenCapture(t *testing.T) (packets [][]byte, files int) {
	t.Helper()
	next := uint16(1)
	send := func(stream bool, port uint16, answer bool, data []byte) {
		client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 19, byte(next >> 8), byte(next)}), 50000)
		server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 18, byte(next >> 8), byte(next)}), port)
		if answer {
			client, server = server, client
		}
		if !stream {
			packets = append(packets, capturetest.UDP(client, server, data))
			return
		}
		packets = append(packets, capturetest.TCP(client, server, capturetest.Segment{Seq: 9, Flags: capturetest.SYN}),
			capturetest.TCP(client, server, capturetest.Segment{Seq: 10, Data: data, Flags: capturetest.FIN}))
	}
	for _, v := range goldenFiles(t) {
		next++
		message, direction := v.header["Message"], v.header["Direction"]
		answer := strings.HasSuffix(direction, "client") || direction == "master to server"
		role := traffic.Server
		if strings.Contains(direction, "master") {
			role = traffic.Master
		}
		stream := !slices.Contains([]string{"sqp", "gamespy2", "qr2", "gameagent", "gamespy1"}, v.pkg)
		switch {
		case len(v.data) == 0 || v.pkg == "filter" || v.pkg == "sb2" && answer && message != "Answer":
			continue // which have other headers
		case v.pkg == "sb2":
			role = traffic.List
		case v.pkg == "gamespy1" && slices.Contains(overTCP, message):
			role, stream = traffic.List, true
		}
		protocol := v.pkg
		if protocol == "gamespy1" {
			protocol = "gameagent" // whose ports it shares
		}
		port := cmp.Or(traffic.Port(protocol, role), traffic.Port(protocol, traffic.Master), 30000)
		data := v.data
		if v.pkg == "wzhttp" && !answer {
			data = fmt.Appendf(nil, "POST / HTTP/1.1\r\nContent-Length: %d\r\n\r\n%s", len(data), data)
		} else if v.pkg == "wzhttp" {
			data = fmt.Appendf(nil, "HTTP/1.1 200 OK\r\n\r\n%s", data)
		}
		if chunks, err := strconv.ParseUint(v.header["Chunks"], 0, 8); err == nil {
			request, err := sqp.QueryRequest{Version: 1, Chunks: sqp.Chunks(chunks)}.AppendBinary(nil)
			if err != nil {
				t.Fatal(err)
			}
			send(false, port, false, request)
		}
		if request := v.header["Request"]; request != "" {
			send(stream, port, false, goldenFile(t, filepath.Join(filepath.Dir(v.path), request+".hex")).data)
		}
		send(stream, port, answer, data)
		files++
	}
	next++
	request, answer := battlefieldList(t, sb2.OptionPush)
	send(true, sb2.Port, false, request)
	send(true, sb2.Port, true, answer)
	return packets, files
}

// overTCP are the messages of gamespy1 that are no datagrams.
var overTCP = []string{"AddressList", "Greeting", "ListRequest", "ServerList", "SyncList", "SyncRequest"}

// explanations returns the messages of a capture as package traffic explains them, in the form
// of dissect. Each direction is one packet.
func explanations(t *testing.T, b []byte, only string, o formats.Options) map[string][]string {
	t.Helper()
	file, err := capture.Read(b)
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string][]string)
	messages, _, _ := traffic.Read(file, only, o, len(file.Sent), func(int, int) {})
	for _, m := range messages {
		from, headers := m.From.String(), 28
		if m.Stream {
			headers = 40
		}
		// The function never fails.
		_ = m.Format.Sections(m.Data, m.Options, func(part formats.Section) error {
			if part.Name == "" && part.Err == nil {
				return nil // white space
			}
			all[from] = append(all[from], cmp.Or(part.Name, m.Format.Name))
			for _, f := range part.Fields {
				line := fmt.Sprintf("%d+%d %s", headers+f.Offset, f.Length, f.Name)
				if f.Value != "" {
					line += " = " + f.Value
				}
				all[from] = append(all[from], line)
			}
			if part.Err != nil {
				all[from] = append(all[from], part.Err.Error())
			}
			return nil
		})
	}
	return all
}

// written writes packets to a file, explains it into another one, and returns the names of both.
func written(t *testing.T, packets [][]byte, flags ...string) (plain, commented string) {
	t.Helper()
	plain, commented = filepath.Join(t.TempDir(), "plain.pcap"), filepath.Join(t.TempDir(), "explained.pcapng")
	if err := os.WriteFile(plain, capturetest.PCAP(capturetest.LinkRaw, 0, packets...), 0o600); err != nil {
		t.Fatal(err)
	}
	args := append([]string{"explain", "-w", commented}, flags...)
	if code, stdout, stderr := gamequery(nil, append(args, plain)...); code != exitOK || stdout != "" {
		t.Fatalf("exit code %d, %q, %s", code, stdout, stderr)
	}
	return plain, commented
}

// Wireshark shows the golden files as explain does: the same messages, names, offsets, lengths,
// values and errors, also in encrypted lists. Protocols without a port need their names.
func TestDissectorShowsGoldenFiles(t *testing.T) {
	s := newShark(t)
	packets, files := goldenCapture(t)
	o := formats.DefaultOptions()
	o.ServerBrowsing.Secret = "battlefield2=abcdef"
	shown := make(map[string]bool)
	for _, only := range []string{"", "wztext", "wzbinary", "wzjson", "wzhttp"} {
		plain, commented := written(t, packets, "-secret", o.ServerBrowsing.Secret, "-only", only)
		b, err := os.ReadFile(plain)
		if err != nil {
			t.Fatal(err)
		}
		want := explanations(t, b, only, o)
		if diff := gocmp.Diff(want, s.dissect(t, commented)); diff != "" {
			t.Errorf("%s (-explain +tshark):\n%s", only, diff)
		}
		for from := range want {
			shown[from] = true
		}
	}
	if len(shown) < files*8/10 { // the others are cut, or broken at unknown ports
		t.Errorf("%d of %d golden files are explained", len(shown), files)
	}
}

// Packets without comments are as without the script.
func TestDissectorLeavesOtherPackets(t *testing.T) {
	s := newShark(t)
	packets, _ := goldenCapture(t)
	plain, _ := written(t, packets)
	with := s.read(t, plain, "-V")
	s.script = os.DevNull
	if without := s.read(t, plain, "-V"); string(with) != string(without) {
		t.Error("packets without comments are shown in another way")
	}
}

// Fields and messages are filters, and the column for information names the messages.
func TestDissectorFieldsAreFilters(t *testing.T) {
	s := newShark(t)
	packets := traffictest.Packets(t, 30000, false, traffictest.Request("sqp/testdata/golden/query_info.hex"),
		traffictest.Answer("sqp/testdata/golden/answer_info.hex"))
	packets = append(packets, traffictest.Packets(t, 9005, false,
		traffictest.Request("gameagent/testdata/golden/heartbeat_no_pair.hex"))...)
	_, commented := written(t, packets)
	for filter, want := range map[string]string{
		"":                                   "sqp.Request sqp.QueryResponse gameagent.ToMaster",
		"lobbywire":                          "sqp.Request sqp.QueryResponse gameagent.ToMaster",
		`lobbywire.field contains "map ="`:   "sqp.QueryResponse",
		`lobbywire.message == "sqp.Request"`: "sqp.Request",
		`lobbywire.field == "serverInfo.port = 7777"`: "sqp.QueryResponse",
		"lobbywire.error":              "gameagent.ToMaster",
		"_ws.expert.severity == error": "gameagent.ToMaster",
	} {
		out := s.read(t, commented, "-Y", filter, "-T", "fields", "-e", "_ws.col.Info")
		if got := strings.Join(strings.Fields(string(out)), " "); got != want {
			t.Errorf("%s: got %q, want %q", filter, got, want)
		}
	}
}

// hostileComments are comments that explain does not write.
var hostileComments = []string{
	"sqp.Request\n99999999999999999999+1 a = 1\n0+99999999999999999999 b\n28+0 c\n" +
		"2147483647+2147483647 d\n36+1 e\n+3 f\n-1+1 g\n1+-1 h",
	"sqp.Request\n+ \n\n\n28+\n+28\n28+1\nerror: \nnote:\nother: x",
	"sqp.Request, continued\n28+1 alone = 1\nerror: first",
	"sqp.Request\r\n28+1 a\x00b\n",
	"sqp.%s\n28+1 %d%n%s = %s\n",
	"sqp.Request\nerror: " + strings.Repeat("x", 60000),
	"sqp.Request\n28+1 " + strings.Repeat("x", 60000),
	"sqp.Request\n" + strings.Repeat("28+1 a\n", 8000),
	"sqp.Request", "\n", "", "a.B\n", strings.Repeat("a", 60000) + ".B\n", "sqp.Request\n\xff\xfe28+1 \xc3",
}

// Comments of others, and any bytes in them, do no harm.
func TestDissectorReadsHostileComments(t *testing.T) {
	s := newShark(t)
	random := newRandom()
	all := slices.Clone(hostileComments)
	for range 200 {
		b := []byte(hostileComments[random.IntN(2)])
		for range 1 + random.IntN(8) {
			b[random.IntN(len(b))] = byte(random.IntN(256))
		}
		all = append(all, string(b))
	}
	name := filepath.Join(t.TempDir(), "hostile.pcapng")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w, err := pcapgo.NewNgWriter(f, layers.LinkTypeRaw)
	if err != nil {
		t.Fatal(err)
	}
	packet := capturetest.UDP(traffictest.Player, traffictest.Host, []byte("12345678"))
	info := gopacket.CaptureInfo{Length: len(packet), CaptureLength: len(packet)}
	for i := range all {
		comments := all[i : i+1+random.IntN(min(3, len(all)-i))]
		if err := w.WritePacketWithOptions(info, packet, pcapgo.NgPacketOptions{Comments: comments}); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{}, {"-V"}, {"-T", "json"}, {"-2", "-Y", "lobbywire.field"}} {
		s.read(t, name, args...)
	}
	if n := bytes.Count(s.read(t, name, "-T", "fields", "-e", "frame.number"), []byte("\n")); n != len(all) {
		t.Errorf("%d packets, want %d", n, len(all))
	}
}

// README.md shows what tshark prints of an SQP answer.
func TestReadmeShowsTheDissector(t *testing.T) {
	s := newShark(t)
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "<!-- dissector -->\n```\n")
	part, _, _ = strings.Cut(part, "```\n<!-- end -->")
	commands, want, _ := strings.Cut(part, "lobbywire, ")
	_, command, _ := strings.Cut(commands, "$ tshark -r explained.pcapng -O lobbywire -Y ")
	filter := strings.Trim(command, "'\n")
	_, commented := written(t, traffictest.Packets(t, 30000, false,
		traffictest.Request("sqp/testdata/golden/query_info.hex"),
		traffictest.Answer("sqp/testdata/golden/answer_info.hex")))
	_, shown, _ := strings.Cut(string(s.read(t, commented, "-Y", filter, "-O", "lobbywire")), "lobbywire, ")
	if strings.TrimSpace(shown) != strings.TrimSpace(want) {
		t.Errorf("README.md lacks\n%s", shown)
	}
}
