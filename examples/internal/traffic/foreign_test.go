package traffic

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire/examples/internal/capture"
	"github.com/lobbywire/lobbywire/examples/internal/capture/capturetest"
	"github.com/lobbywire/lobbywire/examples/internal/formats"
	"github.com/lobbywire/lobbywire/examples/internal/traffictest"
)

// Other protocols on unknown ports are not mistaken for ours.
func TestForeignProtocolsAreNotRecognized(t *testing.T) {
	datagrams := func(request, answer string) [][]byte {
		return [][]byte{
			capturetest.UDP(traffictest.Player, traffictest.Host, []byte(request)),
			capturetest.UDP(traffictest.Host, traffictest.Player, []byte(answer)),
		}
	}
	streams := func(request, answer string) [][]byte {
		return traffictest.Exchange(traffictest.Player, traffictest.Host, request, answer)
	}
	for name, packets := range map[string][][]byte{
		"HTTP":    streams("GET / HTTP/1.1\r\nHost: example.org\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"),
		"JSON":    streams(`{"jsonrpc":"2.0","method":"list","id":1}`+"\n", `{"jsonrpc":"2.0","result":[],"id":1}`+"\n"),
		"TLS":     streams("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03", "\x16\x03\x03\x00\x05\x02\x00\x00\x01\x03"),
		"SSH":     streams("SSH-2.0-OpenSSH_9.6\r\n", "SSH-2.0-OpenSSH_9.6\r\n"),
		"SMTP":    streams("EHLO example.org\r\n", "220 example.org ESMTP\r\n250 example.org\r\n"),
		"FTP":     streams("USER anonymous\r\nLIST\r\n", "220 ready\r\n331 please\r\n150 here\r\n"),
		"POP3":    streams("LIST\r\nQUIT\r\n", "+OK ready\r\n+OK 0 messages\r\n.\r\n+OK bye\r\n"),
		"IRC":     streams("NICK ada\r\nJOIN #games\r\nLIST\r\n", ":server 001 ada :Welcome\r\n"),
		"Redis":   streams("*1\r\n$4\r\nPING\r\n", "+PONG\r\n"),
		"MQTT":    streams("\x10\x0c\x00\x04MQTT\x04\x02\x00\x3c\x00\x00", "\x20\x02\x00\x00"),
		"zeros":   streams(strings.Repeat("\x00", 64), strings.Repeat("\x00", 64)),
		"netcode": streams("\x07\x00\x00\x00\x01\x00\x00\x00", "\x00\x00\x00\x01"),
		"DNS": datagrams("\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x00\x00\x01\x00\x01",
			"\x12\x34\x81\x80\x00\x01\x00\x00\x00\x00\x00\x00\x01a\x00\x00\x01\x00\x01"),
		"NTP":   datagrams("\x23"+strings.Repeat("\x00", 47), "\x24\x01"+strings.Repeat("\x00", 46)),
		"A2S":   datagrams("\xff\xff\xff\xffTSource Engine Query\x00", "\xff\xff\xff\xffA\x01\x02\x03\x04"),
		"Quake": datagrams("\xff\xff\xff\xffgetstatus\n", "\xff\xff\xff\xffstatusResponse\n\\a\\b\n"),
		"STUN": datagrams("\x00\x01\x00\x00\x21\x12\xa4\x42............",
			"\x01\x01\x00\x0c\x21\x12\xa4\x42........................"),
		"SSDP":     datagrams("M-SEARCH * HTTP/1.1\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n"),
		"zeros, 6": datagrams("\x00\x00\x00\x00\x00\x00", "\x00\x00\x00\x00\x00\x00"),
	} {
		file, err := capture.Read(capturetest.PCAP(capturetest.LinkRaw, 0, packets...))
		var text strings.Builder
		err = Explain(&text, name, file, err, "", formats.DefaultOptions())
		if err != nil || !strings.HasPrefix(text.String(), "# explained 0 ") {
			t.Errorf("%s: %v\n%s", name, err, &text)
		}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		b := make([]byte, 2+random.IntN(60))
		for i := range b {
			b[i] = byte(random.Uint32())
		}
		half := 1 + random.IntN(len(b)-1)
		request := capture.Sent{From: traffictest.Player, To: traffictest.Host, Stream: random.IntN(2) == 0, Data: b[:half]}
		answer := capture.Sent{From: traffictest.Host, To: traffictest.Player, Stream: request.Stream, Data: b[half:]}
		for _, conversation := range Recognize([]capture.Sent{request, answer}, "", formats.DefaultOptions()) {
			if conversation.Session != nil {
				t.Errorf("% x, then % x, is %s", request.Data, answer.Data, conversation.Session.name)
			}
		}
	}
}
