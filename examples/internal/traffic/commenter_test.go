package traffic

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/gopacket/gopacket/pcapgo"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
	"github.com/lobbywire/lobbywire/internal/test/suite"
	"github.com/lobbywire/lobbywire/sqp"
)

// framesOf returns the frames of a file.
func framesOf(t *testing.T, file []byte) (all []capture.Frame) {
	t.Helper()
	r, err := capture.NewReader(bytes.NewReader(file))
	for err == nil {
		var f capture.Frame
		f, err = r.Next()
		all = append(all, f)
	}
	return all[:len(all)-1]
}

// commented returns the comments for the frames of a file, and checks that they are the same
// when the frames arrive one by one.
func commented(t *testing.T, file []byte) (all [][]string) {
	t.Helper()
	content, err := capture.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	known := NewCommenter(content, "", formats.DefaultOptions())
	live := NewLiveCommenter("", formats.DefaultOptions())
	for i, f := range framesOf(t, file) {
		one := f
		known.Comment(&f)
		live.Comment(&one)
		if diff := cmp.Diff(f.Options.Comments, one.Options.Comments); diff != "" {
			t.Errorf("frame %d (-file +live):\n%s", i+1, diff)
		}
		all = append(all, f.Options.Comments)
	}
	if known.Explained() != live.Explained() {
		t.Errorf("%d messages are explained, %d of frames one by one", known.Explained(), live.Explained())
	}
	return all
}

// stream returns the segments of a direction, with its start and end.
func stream(from, to netip.AddrPort, parts ...[]byte) (packets [][]byte) {
	packets = append(packets, capturetest.TCP(from, to, capturetest.Segment{Flags: capturetest.SYN}))
	seq := uint32(1)
	for i, b := range parts {
		s := capturetest.Segment{Seq: seq, Data: b}
		if i == len(parts)-1 {
			s.Flags = capturetest.FIN
		}
		packets = append(packets, capturetest.TCP(from, to, s))
		seq += uint32(len(b))
	}
	return packets
}

// A message has its comment at the frame where it ends. Fields in earlier frames have no offset.
func TestCommentIsWhereTheMessageEnds(t *testing.T) {
	client, server := traffictest.Player, traffictest.Lobby
	message := func(name string) []byte { return traffictest.Golden(t, "bomberman/testdata/golden/"+name) }
	first, second := message("ms_01_msRegisterGameServer_compact.hex"), message("ms_06_msQueryGameServers_compact.hex")
	server = netip.AddrPortFrom(server.Addr(), 51963)
	// The second segment has the end of the first message and the start of the second one.
	packets := stream(client, server, first[:9], slices.Concat(first[9:], second[:6]), second[6:])
	packets[2], packets[3] = packets[3], packets[2] // the last one now completes both messages
	for _, tt := range []struct {
		packets [][]byte
		want    []int // number of messages at each frame
	}{
		{stream(client, server, slices.Concat(first, second)), []int{0, 2}},
		{stream(client, server, first, second), []int{0, 1, 1}},
		{stream(client, server, first[:9], slices.Concat(first[9:], second[:6]), second[6:]), []int{0, 0, 1, 1}},
		{packets, []int{0, 0, 0, 2}},
	} {
		var got []int
		for _, comments := range commented(t, capturetest.PCAP(capturetest.LinkRaw, 0, tt.packets...)) {
			got = append(got, len(comments))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("got %v messages at the frames, want %v", got, tt.want)
		}
	}
	whole := slices.Concat(first, second)
	comments := commented(t, capturetest.PCAP(capturetest.LinkRaw, 0, stream(client, server, whole[:1], whole[1:])...))[2]
	if want := "bomberman.RegisterGameServer\n+3 length = \"122\"\n42+11 json = "; !strings.HasPrefix(comments[0], want) {
		t.Errorf("got %q", comments[0])
	}
}

// fieldLine is a line of a comment about a field.
var fieldLine = regexp.MustCompile(`^([0-9]*)\+([0-9]+) `)

// Offsets in comments agree with the bytes that explain shows, however the segments are cut
// and ordered, and in fragments.
func TestOffsetsInCommentsAgreeWithExplain(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	golden := func(name string) []byte { return traffictest.Golden(t, name) }
	for _, tt := range []struct {
		port            uint16
		request, answer string
	}{
		{9990, "warzone/testdata/golden/host_session.hex", "warzone/testdata/golden/lobby_session.hex"},
		{28910, "gamespy2/sb2/testdata/golden/list_request.hex", "gamespy2/sb2/testdata/golden/answer.hex"},
		{28900, "gameagent/gamespy1/testdata/golden/list_request.hex", "gameagent/gamespy1/testdata/golden/greeting.hex"},
		{30000, "warzone/wzproposal/testdata/golden/text_opengame_utf8.hex",
			"warzone/wzproposal/testdata/golden/text_done.hex"},
		{51963, "bomberman/testdata/golden/ms_01_msRegisterGameServer_compact.hex",
			"bomberman/testdata/golden/ms_07_msRQueryGameServers_compact.hex"},
	} {
		server := netip.AddrPortFrom(traffictest.Host.Addr(), tt.port)
		for range 8 {
			request := stream(traffictest.Player, server, cutAnywhere(random, golden(tt.request))...)
			answer := stream(server, traffictest.Player, cutAnywhere(random, golden(tt.answer))...)
			random.Shuffle(len(answer)-1, func(i, j int) { answer[i+1], answer[j+1] = answer[j+1], answer[i+1] })
			checkOffsets(t, slices.Concat(request, answer))
		}
	}
	answer := golden("sqp/testdata/golden/answer_info.hex")
	parts := capturetest.Fragments(traffictest.Host, traffictest.Player, 1, answer, capturetest.Fragment{0, 40},
		capturetest.Fragment{40, 0})
	request := capturetest.UDP(traffictest.Player, traffictest.Host, golden("sqp/testdata/golden/query_info.hex"))
	checkOffsets(t, [][]byte{request, parts[0], parts[1]})
	checkOffsets(t, [][]byte{request, parts[1], parts[0]})
}

// cutAnywhere cuts b into a few pieces.
func cutAnywhere(random *rand.Rand, b []byte) (parts [][]byte) {
	for len(b) > 0 {
		n := 1 + random.IntN(min(len(b), 40))
		parts = append(parts, b[:n])
		b = b[n:]
	}
	return parts
}

// checkOffsets fails t unless the bytes of each field with an offset are at this offset of the
// frame, all other fields lie in earlier frames, and the comments together have the lines of
// explain.
func checkOffsets(t *testing.T, packets [][]byte) {
	t.Helper()
	file := capturetest.PCAP(capturetest.LinkRaw, 0, packets...)
	content, err := capture.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	var got, want []string
	for _, m := range messagesOf(content) {
		// The function never fails.
		_ = m.Format.Sections(m.Data, m.Options, func(s formats.Section) error {
			if s.Name != "" {
				for _, f := range s.Fields {
					want = append(want, fmt.Sprintf("%s %s = %s", m.Data[f.Offset:][:f.Length], f.Name, f.Value))
				}
			}
			return nil
		})
	}
	frames := framesOf(t, file)
	commenter := NewCommenter(content, "", formats.DefaultOptions())
	for _, f := range frames {
		data := f.Data
		commenter.Comment(&f)
		for _, comment := range f.Options.Comments {
			for _, line := range strings.Split(comment, "\n")[1:] {
				place := fieldLine.FindStringSubmatch(line)
				if strings.HasPrefix(line, noteMark) {
					continue
				}
				if place == nil {
					t.Fatalf("not a field: %q", line)
				}
				size, _ := strconv.Atoi(place[2])
				bytes := "?"
				if place[1] != "" {
					at, _ := strconv.Atoi(place[1])
					bytes = string(data[at:][:size])
				}
				got = append(got, bytes+" "+line[len(place[0]):])
			}
		}
	}
	if len(got) != len(want) {
		t.Fatalf("%d fields, want %d", len(got), len(want))
	}
	slices.Sort(want)
	for _, g := range got {
		if !slices.ContainsFunc(want, func(w string) bool { return w == g || g[0] == '?' && strings.HasSuffix(w, g[1:]) }) {
			t.Errorf("%q is not a field", g)
		}
	}
}

// messagesOf returns the messages of a file.
func messagesOf(file capture.File) []Message {
	all, _, _ := Read(file, "", formats.DefaultOptions(), len(file.Sent), func(int, int) {})
	return all
}

// longAnswer returns an SQP answer with rules.
func longAnswer(t *testing.T, rules int) []byte {
	t.Helper()
	var m sqp.QueryResponse
	for i := range rules {
		m.ServerRules = append(m.ServerRules, sqp.Rule{Key: strconv.Itoa(i % 10), Value: sqp.Byte(uint8(i))})
	}
	b, err := m.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A message with more fields than a comment can hold has several comments, and the last one
// states how many fields are left out.
func TestCommentsAreBounded(t *testing.T) {
	request, err := sqp.QueryRequest{Version: 1, Chunks: sqp.ChunkServerRules}.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, rules := range []int{10, 2000, 16000} {
		answer := longAnswer(t, rules)
		file := capturetest.PCAP(capturetest.LinkRaw, 0, capturetest.UDP(traffictest.Player, traffictest.Host, request),
			capturetest.UDP(traffictest.Host, traffictest.Player, answer))
		comments := commented(t, file)[1]
		fields, left := 0, 0
		for i, c := range comments {
			name, lines, _ := strings.Cut(c, "\n")
			if want := "sqp.QueryResponse" + map[bool]string{true: ", continued"}[i > 0]; name != want || len(c) > 65535 {
				t.Errorf("comment %d starts with %q and has %d bytes", i, name, len(c))
			}
			for line := range strings.SplitSeq(lines, "\n") {
				if _, err := fmt.Sscanf(line, "note: %d more fields", &left); err != nil {
					fields++
				}
			}
		}
		want := 0
		messages := messagesOf(must(capture.Read(file)))
		_ = messages[1].Format.Sections(answer, messages[1].Options, func(s formats.Section) error {
			want = len(s.Fields)
			return nil
		})
		t.Logf("%d rules: %d comments, %d fields, %d left out", rules, len(comments), fields, left)
		if fields+left != want || (left > 0) != (len(comments) > maxComments) {
			t.Errorf("%d fields and %d left out, want %d", fields, left, want)
		}
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Comments of others stay, and comments of an earlier run are replaced.
func TestCommentsOfOthersStay(t *testing.T) {
	file := capturetest.PCAP(capturetest.LinkRaw, 0, capturetest.UDP(traffictest.Player, traffictest.Host,
		traffictest.Golden(t, "sqp/testdata/golden/query_info.hex")))
	own := commented(t, file)[0]
	foreign := []string{"look at this", "sqp.Request", "sqp.Request\nhas one chunk", ""}
	f := framesOf(t, file)[0]
	f.Options.Comments = slices.Concat(own, foreign)
	NewCommenter(must(capture.Read(file)), "", formats.DefaultOptions()).Comment(&f)
	if diff := cmp.Diff(slices.Concat(foreign, own), f.Options.Comments); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Names of fields and values are on one line.
func TestCommentsArePrintable(t *testing.T) {
	if got := printable("a\nb\x00\u2028ü"); got != "a?b???" {
		t.Errorf("got %q", got)
	}
}

// Frames that arrive one by one are explained as soon as the service is clear, also for a
// service without a port, a plain service and answers to a broadcast.
func TestLiveCommenterRecognizesServices(t *testing.T) {
	golden := func(name string) []byte { return traffictest.Golden(t, name) }
	broadcast := netip.MustParseAddrPort("255.255.255.255:29901")
	server := netip.MustParseAddrPort("192.0.2.9:29901")
	for _, tt := range []struct {
		name    string
		packets [][]byte
		want    string
	}{
		{"sqp at any port", traffictest.Packets(t, 30000, false, traffictest.Request("sqp/testdata/golden/query_info.hex"),
			traffictest.Answer("sqp/testdata/golden/answer_info.hex")), "sqp.Request sqp.QueryResponse"},
		{"gameagent at any port, from its answer on", traffictest.Packets(t, 30000, false,
			traffictest.Request("gameagent/testdata/golden/join.hex"),
			traffictest.Answer("gameagent/testdata/golden/challenge.hex"),
			traffictest.Request("gameagent/testdata/golden/join.hex")), "- gameagent.Challenge gameagent.Join"},
		{"answers to a broadcast", [][]byte{
			capturetest.UDP(traffictest.Player, broadcast, golden("gamespy2/testdata/golden/query_v2_tables.hex")),
			capturetest.UDP(server, traffictest.Player, golden("gamespy2/testdata/golden/v2_tables.hex")),
		}, "gamespy2.Request gamespy2.Response"},
		{"another protocol", [][]byte{
			capturetest.UDP(traffictest.Player, traffictest.Host, []byte("\xff\xff\xff\xffTSource Engine Query\x00")),
			capturetest.UDP(traffictest.Host, traffictest.Player, []byte("\xff\xff\xff\xffA1234")),
		}, "- -"},
	} {
		live := NewLiveCommenter("", formats.DefaultOptions())
		var got []string
		for _, f := range framesOf(t, capturetest.PCAP(capturetest.LinkRaw, 0, tt.packets...)) {
			live.Comment(&f)
			name := "-"
			for _, c := range f.Options.Comments {
				name, _, _ = strings.Cut(c, "\n")
			}
			got = append(got, name)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// The memory for frames that arrive one by one is bounded, whatever they contain.
func TestLiveCommenterForgets(t *testing.T) {
	const one = "sqp" // whose frames are compared with fewer formats
	for _, only := range suite.Pick([]string{one}, []string{one, ""}) {
		live := NewLiveCommenter(only, formats.DefaultOptions())
		segment := bytes.Repeat([]byte("x"), 1400)
		for i := range maxLive + 1000 {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{198, 18, byte(i >> 16), byte(i >> 8)}), uint16(1024+i%256))
			packet := capturetest.UDP(from, traffictest.Host, segment)
			if i%2 == 0 {
				packet = capturetest.TCP(from, traffictest.Host, capturetest.Segment{Seq: uint32(i), Data: segment})
			}
			f := capture.Frame{Data: packet, Interface: pcapgo.NgInterface{LinkType: capturetest.LinkRaw}}
			f.Length = len(packet)
			live.Comment(&f)
			if live.live.kept > maxLiveKept+1<<16 || len(live.conversations) > maxLive+1 || len(live.live.asked) > maxLive+1 {
				t.Fatalf("%d bytes of %d conversations after %d frames", live.live.kept, len(live.conversations), i)
			}
		}
		if len(live.pending) > 0 {
			t.Errorf("%d comments remain", len(live.pending))
		}
	}
}
