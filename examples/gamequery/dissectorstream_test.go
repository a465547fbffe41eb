package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"net/netip"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/bomberman"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/gameagent"
	"github.com/lobbywire/lobbywire/gamespy2/sb2"
	"github.com/lobbywire/lobbywire/warzone"
)

// streamPorts are the TCP ports at which the dissector expects a protocol.
var streamPorts = map[string]uint16{
	"sb2": 28910, "gameagent": 28900, "warzone": 9990, "warzone host": 2100, "wztext": 9997, "wzbinary": 9998,
	"bomberman": bomberman.Port, "wzjson": 9999,
}

// A goldenStream is a golden file in a connection.
type goldenStream struct {
	vector
	message string // as which explain decodes it
	toPort  bool   // sent by the client
	request []byte // of the client, before an answer
	before  []byte // sent before it in the same direction
	sent    []byte // the bytes of the file, encrypted if they are in streams
	port    uint16 // of the server
	client  uint16 // port
}

// bytesOf returns the bytes of a message.
func bytesOf(t *testing.T, m interface{ MarshalBinary() ([]byte, error) }) []byte {
	t.Helper()
	b, err := m.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// goldenStreams returns the golden files of the protocols over TCP.
func goldenStreams(t *testing.T) (all []goldenStream) {
	t.Helper()
	for _, v := range goldenFiles(t) {
		message, port := v.header["Message"], streamPorts[v.pkg]
		if port == 0 || len(v.data) == 0 || v.pkg == "gameagent" && !slices.Contains(overTCP, message) {
			continue
		}
		from, to, _ := strings.Cut(v.header["Direction"], " to ")
		g := goldenStream{
			vector: v, message: v.name(), sent: v.data, port: port, client: uint16(40000 + len(all)),
			toPort: from == "client" || to == "master",
		}
		switch v.pkg {
		case "sb2":
			g.setServerBrowsing(t)
		case "gameagent":
			g.setLegacyList(t)
		case "warzone":
			g.setWarzone(t)
		case "bomberman", "wzjson":
			g.message = v.pkg + ".Stream"
		default:
			requests := []string{"List", "OpenGame", "StartGame", "CloseGame"}
			g.toPort = from == "client" || from == "either" && slices.Contains(requests, message)
			g.message = v.pkg + ".Response"
			if g.toPort {
				g.message = v.pkg + ".Request"
			}
		}
		all = append(all, g)
	}
	return all
}

// secretKey is the key of the game that the golden files of sb2 name.
const secretKey = "HA6zkS"

// setServerBrowsing encrypts a message that follows a head.
func (g *goldenStream) setServerBrowsing(t *testing.T) {
	t.Helper()
	if g.toPort {
		g.message = "sb2.Request"
		return
	}
	request := sb2.ListRequest{ForGame: "gmtest", FromGame: "gmtest", Challenge: sb2.Challenge([]byte("12345678"))}
	if g.header["NoList"] == "yes" {
		request.Options = sb2.OptionNoList
	}
	g.request = bytesOf(t, request)
	switch g.header["Message"] {
	case "Answer":
		name := filepath.Join(filepath.Dir(g.path), g.header["Request"]+".hex")
		g.request = goldenFile(t, name).data
		return
	case "Head":
		return
	}
	head := sb2.Head{Challenge: []byte("abcdefghijklmnopqrstuvwxy")}
	key, err := sb2.CombineKey(secretKey, request.Challenge, head.Challenge)
	if err != nil {
		t.Fatal(err)
	}
	c := sb2.NewCipher(key)
	g.before = bytesOf(t, head)
	if g.header["Message"] != "List" {
		list := sb2.List{ClientIP: netip.MustParseAddr("192.0.2.1")}
		for field := range strings.SplitSeq(g.header["Fields"], ",") {
			var key sb2.Key
			if err := key.UnmarshalText([]byte(field)); err != nil {
				t.Fatal(err)
			}
			if field != "" {
				list.Keys = append(list.Keys, key)
			}
		}
		b := bytesOf(t, list)
		c.Encrypt(b, b)
		g.before = append(g.before, b...)
	}
	g.sent = slices.Clone(g.data)
	c.Encrypt(g.sent, g.sent)
}

// setLegacyList sets the request for a list.
func (g *goldenStream) setLegacyList(t *testing.T) {
	t.Helper()
	request := gameagent.LegacyListRequest{GameName: "serioussamse", Validate: "zbGgINC8", List: "cmp"}
	switch g.header["Message"] {
	case "LegacyListRequest", "LegacySyncRequest":
		g.message = "gameagent.ToListPort"
		g.toPort = true
	case "LegacyAddressList":
		request.List = ""
		g.request = bytesOf(t, request)
	case "LegacyServerList":
		g.request = bytesOf(t, request)
	case "LegacySyncList":
		g.request = bytesOf(t, gameagent.LegacySyncRequest{GameName: "333networks", Validate: "zbGgINC8", Sync: "all",
			MasterID: "ABCDEF"})
	}
}

// setWarzone sets the request for an answer.
func (g *goldenStream) setWarzone(t *testing.T) {
	t.Helper()
	switch g.header["Message"] {
	case "ListReply":
		g.request = bytesOf(t, warzone.ListRequest{})
	case "GameIDReply", "LobbyStream":
		g.request = bytesOf(t, warzone.GameIDRequest{})
	case "AliveRequest", "AliveReply":
		g.port = streamPorts["warzone host"]
		g.toPort = g.header["Message"] == "AliveRequest"
	case "Game":
		g.toPort = false
		g.port = streamPorts["warzone host"]
	case "HostStream":
		g.toPort = true
	}
	if g.toPort && g.port == streamPorts["warzone"] && g.header["Message"] != "HostStream" {
		g.message = "warzone.Request"
	}
}

// packets returns the packets of the connection. cut divides bytes into segments.
func (g goldenStream) packets(cut func(b []byte) [][]byte) (packets [][]byte) {
	client := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 1}), g.client)
	server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{192, 0, 2, 2}), g.port)
	toServer, toClient := uint32(1), uint32(1)
	send := func(toPort bool, parts [][]byte, flags byte) {
		for i, b := range parts {
			s := capturetest.Segment{Seq: toClient, Ack: toServer, Data: b}
			from, to, seq := server, client, &toClient
			if toPort {
				s.Seq, s.Ack = toServer, toClient
				from, to, seq = client, server, &toServer
			}
			if i == len(parts)-1 {
				s.Flags = flags
			}
			*seq += uint32(len(b))
			packets = append(packets, capturetest.TCP(from, to, s))
		}
	}
	packets = append(packets, capturetest.TCP(client, server, capturetest.Segment{Flags: capturetest.SYN}),
		capturetest.TCP(server, client, capturetest.Segment{Flags: capturetest.SYN, Ack: 1}))
	if g.request != nil {
		send(true, cut(g.request), 0)
	}
	if g.before != nil {
		send(g.toPort, cut(g.before), 0)
	}
	send(g.toPort, cut(g.sent), capturetest.FIN)
	return packets
}

// whole is a cut into one segment.
func whole(b []byte) [][]byte { return [][]byte{b} }

// A sharkMessage is what the dissector shows of a message.
type sharkMessage struct {
	name  string
	size  int
	lines []string
	err   string
}

// streams returns the messages that tshark shows of each golden file.
func (s shark) streams(t *testing.T, all []goldenStream, cut func(b []byte) [][]byte) [][]sharkMessage {
	t.Helper()
	var packets [][]byte
	for _, g := range all {
		packets = append(packets, g.packets(cut)...)
	}
	var pdml struct {
		Packets []sharkPacket `xml:"packet"`
	}
	out := s.read(t, packets, "-T", "pdml", "-o", "lobbywire.wztext:9997", "-o", "lobbywire.wzbinary:9998",
		"-o", "lobbywire.wzjson:9999",
		"-o", "lobbywire.secrets:gmtest="+secretKey)
	if err := xml.Unmarshal(bytes.ToValidUTF8(out, []byte("?")), &pdml); err != nil {
		t.Fatal(err)
	}
	shown := make([][]sharkMessage, len(all))
	for _, p := range pdml.Packets {
		from, to := p.tcpPort("tcp.srcport"), p.tcpPort("tcp.dstport")
		i := slices.IndexFunc(all, func(g goldenStream) bool {
			return g.toPort && g.client == from && g.port == to || !g.toPort && g.client == to && g.port == from
		})
		if i < 0 {
			continue
		}
		for _, top := range p.Protocols {
			if top.Name == "lobbywire" {
				var m sharkMessage
				m.name, m.lines, m.err = sharkPacket{[]sharkField{top}}.lines()
				m.size = top.Size
				shown[i] = append(shown[i], m)
			}
		}
	}
	return shown
}

// tcpPort returns a port of p.
func (p sharkPacket) tcpPort(name string) uint16 {
	for _, proto := range p.Protocols {
		for _, f := range proto.Fields {
			if f.Name == name {
				port, _ := strconv.ParseUint(f.Show, 10, 16)
				return uint16(port)
			}
		}
	}
	return 0
}

// moved returns lines with their offsets increased.
func moved(lines []string, by int) []string {
	var all []string
	for _, line := range lines {
		at, rest, _ := strings.Cut(line, "+")
		n, _ := strconv.Atoi(at)
		all = append(all, fmt.Sprintf("%d+%s", n+by, rest))
	}
	return all
}

// movedError returns the text of an error with its offset increased.
func movedError(text string, by int) string {
	field, rest, _ := strings.Cut(text, " at byte ")
	at, reason, _ := strings.Cut(rest, ": ")
	n, _ := strconv.Atoi(at)
	return fmt.Sprintf("%s at byte %d: %s", field, n+by, reason)
}

// explainedStream returns what explain prints of g.
func (g goldenStream) explainedStream() (lines []string, err string) {
	args := g.args("explain")
	args[len(args)-2] = g.message
	_, stdout, _ := gamequery(nil, args...)
	for line := range strings.Lines(stdout) {
		_, comment, ok := strings.Cut(strings.TrimSpace(line), "# ")
		switch {
		case !ok, strings.Contains(comment, " bytes from "):
		case comment[0] >= '0' && comment[0] <= '9':
			lines = append(lines, comment)
		default:
			err = comment
		}
	}
	return lines, err
}

// The dissector shows golden files in connections as explain does.
func TestDissectorStreamGolden(t *testing.T) {
	all := goldenStreams(t)
	for i, messages := range newShark(t).streams(t, all, whole) {
		all[i].checkStream(t, messages)
	}
}

// endsEarly are golden files whose messages end in another place if their bytes arrive one by
// one, with the reasons.
var endsEarly = map[string]string{
	"legacy_greeting_final.hex":  "the end mark of a greeting may come later, and is shown with the list",
	"legacy_server_list_end.hex": "bytes after the end of a list are not part of it",
	"legacy_sync_request.hex":    "its last text has no end",
	"commands_tolerant.hex":      commandEnds,
	"host_keep.hex":              commandEnds,
	"host_register.hex":          commandEnds,
	"host_session.hex":           commandEnds,
	"list_request.hex":           commandEnds,
}

const commandEnds = "a command ends with its letters, as some clients send no more"

// The dissector shows messages whose bytes are in segments of their own as explain does.
func TestDissectorStreamBytes(t *testing.T) {
	all := slices.DeleteFunc(goldenStreams(t), func(g goldenStream) bool {
		_, broken := g.explainedStream() // the rest of a broken message is not collected
		return broken != "" || endsEarly[filepath.Base(g.path)] != ""
	})
	byParts := func(b []byte) [][]byte { return slices.Collect(slices.Chunk(b, max(1, len(b)/32))) }
	for i, messages := range newShark(t).streams(t, all, byParts) {
		all[i].checkStream(t, messages)
	}
}

// checkJSON fails t unless the frames of messages in JSON are shown as explain shows the file.
// Wireshark shows the objects.
func (g goldenStream) checkJSON(t *testing.T, got, want []string, err string) {
	t.Helper()
	isFrame := regexp.MustCompile(`^[0-9+]* (length|newline) = `).MatchString
	notFrame := func(line string) bool { return !isFrame(line) }
	objects := 0
	for _, line := range got {
		if strings.HasSuffix(line, " message") {
			objects++
		}
	}
	got, want = slices.DeleteFunc(got, notFrame), slices.DeleteFunc(want, notFrame)
	if err != "" { // in the object, after which explain does not go on
		got = got[:min(len(got), len(want))]
	}
	if !slices.Equal(got, want) || objects == 0 && err == "" {
		t.Errorf("%s: %d objects, %q, want %q", g.path, objects, got, want)
	}
}

// The dissector shows all messages of a segment, also if tshark reads the capture twice.
func TestDissectorStreamTogether(t *testing.T) {
	request := sb2.ListRequest{ForGame: "gmtest", FromGame: "gmtest", Challenge: sb2.Challenge([]byte("12345678"))}
	requests := slices.Concat(bytesOf(t, request), bytesOf(t, sb2.Keepalive{}), bytesOf(t, sb2.Keepalive{}))
	answer := bytesOf(t, sb2.Answer{Secret: secretKey, Challenge: request.Challenge,
		List: sb2.List{ClientIP: netip.MustParseAddr("192.0.2.1")}})
	s := newShark(t)
	for secret, want := range map[string]string{
		"gmtest=" + secretKey: "sb2.ListRequest,sb2.Keepalive,sb2.Keepalive\nsb2.Head,sb2.List\n",
		"gmtest2=x":           "sb2.ListRequest,sb2.Keepalive,sb2.Keepalive\nsb2.Head,sb2.Encrypted\n",
	} {
		packets := goldenStream{request: requests, sent: answer, port: streamPorts["sb2"]}.packets(whole)
		args := []string{"-T", "fields", "-e", "lobbywire.message", "-Y", "lobbywire", "-o", "lobbywire.secrets:" + secret}
		for range 2 {
			if got := string(s.read(t, packets, args...)); got != want {
				t.Errorf("%s: got %q, want %q", args, got, want)
			}
			args = append(args, "-2")
		}
	}
}

// The dissector reads hostile bytes in streams without errors in Lua, and to the end.
func TestDissectorStreamHostile(t *testing.T) {
	random := newRandom()
	all := goldenStreams(t)
	for i := range all {
		b := slices.Clone(all[i].sent)
		switch i % 3 {
		case 0:
			b = b[:random.IntN(len(b)+1)]
		case 1:
			for range 1 + random.IntN(4) {
				b[random.IntN(len(b))] = byte(random.Uint32())
			}
		default:
			for i := range b {
				b[i] = byte(random.Uint32())
			}
		}
		all[i].sent = b
	}
	inTwo := func(b []byte) [][]byte {
		at := random.IntN(len(b) + 1)
		return [][]byte{b[:at], b[at:]}
	}
	shown := 0
	for _, messages := range newShark(t).streams(t, all, inTwo) {
		shown += len(messages)
	}
	if shown < len(all)/2 {
		t.Errorf("%d messages of %d streams are shown", shown, len(all))
	}
}

// checkStream fails t unless the messages are shown as explain shows the file.
func (g goldenStream) checkStream(t *testing.T, messages []sharkMessage) {
	t.Helper()
	var got []string
	gotErr, at := "", 0
	for _, m := range messages {
		if at >= len(g.before) {
			got = append(got, moved(m.lines, at-len(g.before))...)
			if m.err != "" {
				gotErr = movedError(strings.TrimPrefix(m.err, "Expert Info (Warning/Malformed): "), at-len(g.before))
			}
		}
		at += m.size
	}
	want, wantErr := g.explainedStream()
	if g.pkg == "bomberman" || g.pkg == "wzjson" {
		g.checkJSON(t, got, want, wantErr)
		return
	}
	_, wantErr, _ = strings.Cut(wantErr, ": ")
	if strings.HasSuffix(wantErr, ": trailing data") { // in a stream, this is the next message
		want = want[:len(want)-1]
		got = got[:min(len(got), len(want))]
		gotErr, wantErr = "", ""
	}
	if !slices.EqualFunc(got, want, sameLine) || gotErr != wantErr {
		t.Errorf("%s as %s:\n%s\n%s\nwant\n%s\n%s", g.path, g.message, strings.Join(got, "\n"), gotErr,
			strings.Join(want, "\n"), wantErr)
	}
}

// The dissector finds servers at unknown TCP ports by the first bytes.
func TestDissectorStreamHeuristics(t *testing.T) {
	streams := []goldenStream{
		{request: bytesOf(t, sb2.ListRequest{ForGame: "a", FromGame: "a"}), sent: bytesOf(t, sb2.Head{})},
		{request: bytesOf(t, warzone.GameIDRequest{}), sent: bytesOf(t, warzone.GameIDReply{GameID: 1})},
		{request: []byte("15{\"command\":\"\"}\n"), sent: []byte("15{\"command\":\"\"}\n")},
		{request: []byte("{\"lobbyquery\":{}}\n"), sent: []byte("{}")},
		{request: []byte("OPENGAME\t2100\ta\tb\t4\n"), sent: []byte("DONE\n")},
		{request: nil, sent: bytesOf(t, gameagent.LegacyGreeting{Secure: "ABCDEF"})},
		{request: []byte("GET / HTTP/1.1\r\n\r\n"), sent: []byte("HTTP/1.1 200 OK\r\n\r\n")},
	}
	var packets [][]byte
	for i, g := range streams {
		g.port, g.client = uint16(42000+i), uint16(50000+i)
		packets = append(packets, g.packets(whole)...)
	}
	got := newShark(t).read(t, packets, "-Y", "lobbywire", "-T", "fields", "-e", "lobbywire.message")
	want := `sb2.ListRequest
sb2.Head
warzone.GameIDRequest
warzone.GameIDReply
bomberman.Message
bomberman.Message
wzjson.Message
wzjson.Message
wzproposal.OpenGame
wzproposal.Done
gameagent.LegacyGreeting
`
	if string(got) != want {
		t.Errorf("got\n%s, want\n%s", got, want)
	}
}
