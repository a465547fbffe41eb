package dump_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lobbywire/lobbywire/examples/internal/dump"
)

const limit = 1 << 20

// The texts contain packet, or its first bytes.
var (
	packet = []byte("\x01\x801\xbe\x18\x00\x01 hello world abcdef|x")
	start  = packet[:7]
)

func TestReadsEachForm(t *testing.T) {
	for name, test := range map[string]struct {
		text, form string
		want       []byte
	}{
		"xxd": {`00000000: 0180 31be 1800 0120 6865 6c6c 6f20 776f  ..1.... hello wo
00000010: 726c 6420 6162 6364 6566 7c78            rld abcdef|x
`, "xxd", packet},
		"xxd in groups of one": {"00000000: 01 80 31 be 18 00 01  ..1....\n", "xxd", start},
		"xxd with text that is hexadecimal": {
			"00000000: 6162 6364 6566                           abcdef\n", "xxd", []byte("abcdef")},
		"xxd with blanks at the ends of the text": {"00000000: 2061 2020                                a  \n",
			"xxd", []byte(" a  ")},
		"xxd of a part": {"00000010: 0180 31be 1800 01    ..1....\n", "xxd", start},
		"xxd -p":        {"018031be180001\n", "hexadecimal", start},
		"xxd -i": {
			"unsigned char a_b[] = {\n  0x01, 0x80, 0x31, 0xbe,\n  0x18, 0x00, 0x01\n};\nunsigned int a_b_len = 7;\n",
			"an array of numbers", start},
		"xxd with CRLF": {"00000000: 0180 31be 1800 01    ..1....\r\n", "xxd", start},
		"hexdump -C": {`00000000  01 80 31 be 18 00 01 20  68 65 6c 6c 6f 20 77 6f  |..1.... hello wo|
00000010  72 6c 64 20 61 62 63 64  65 66 7c 78              |rld abcdef|x|
0000001c
`, "hexdump -C", packet},
		"hexdump -C of one row": {"00000000  01 80 31 be 18 00 01                              |..1....|\n00000007\n",
			"hexdump -C", start},
		"hexdump -C without its end": {"00000000  01 80 31 be 18 00 01                              |..1....|\n",
			"hexdump -C", start},
		"hexdump -C of zeros": {
			"00000000  00 00 00 00 00 00 00 00  00 00 00 00 00 00 00 00  |................|\n*\n00000030\n",
			"hexdump -C", make([]byte, 48)},
		"hexdump": {
			"0000000 8001 be31 0018 2001 6568 6c6c 206f 6f77\n" +
				"0000010 6c72 2064 6261 6463 6665 787c          \n000001c\n",
			"hexdump, little-endian words of 2 bytes", packet},
		"hexdump of odd length": {"0000000 8001 be31 0018 0001               \n0000007\n",
			"hexdump, little-endian words of 2 bytes", start},
		"od": {
			"0000000 100001 137061 000030 020001 062550 066154 020157 067567\n" +
				"0000020 066162 020144 061141 062143 063145 074174\n0000034\n",
			"od, little-endian words of 2 bytes", packet},
		"od of odd length": {"0000000 100001 137061 000030 000001\n0000007\n", "od, little-endian words of 2 bytes", start},
		"od -t x1": {
			"0000000 01 80 31 be 18 00 01 20 68 65 6c 6c 6f 20 77 6f\n" +
				"0000020 72 6c 64 20 61 62 63 64 65 66 7c 78\n0000034\n",
			"od -t x1", packet},
		"od -A x -t x1z": {
			"000000 01 80 31 be 18 00 01 20 68 65 6c 6c 6f 20 77 6f  >..1.... hello wo<\n" +
				"000010 72 6c 64 20 61 62 63 64 65 66 7c 78              >rld abcdef|x<\n00001c\n",
			"a hex dump with offsets", packet},
		"od -b": {"0000000 001 200 061 276 030 000 001\n0000007\n", "od -b", start},
		"od -x": {"0000000 8001 be31 0018 2001 6568 6c6c 206f 6f77\n0000020 6c72 2064 6261 6463 6665 787c\n0000034\n",
			"od, little-endian words of 2 bytes", packet},
		"od with repetitions": {"0000000 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00\n*\n0000040 01\n0000041\n",
			"od -t x1", append(make([]byte, 32), 1)},
		"Wireshark, offsets and text": {
			"0000   01 80 31 be 18 00 01 20 68 65 6c 6c 6f 20 77 6f   ..1.... hello wo\n" +
				"0010   72 6c 64 20 61 62 63 64 65 66 7c 78               rld abcdef|x\n",
			"a hex dump of Wireshark", packet},
		"Wireshark, offsets of one row": {"0000   01 80 31 be 18 00 01\n", "a hex dump of Wireshark", start},
		"Wireshark, C array": {
			"/* Frame (7 bytes) */\nstatic const unsigned char pkt1[7] = {\n" +
				"0x01, 0x80, 0x31, 0xbe, 0x18, 0x00, 0x01        /* ..1.... */\n};\n",
			"an array of numbers", start},
		"Wireshark, escaped string": {"\"\\x01\\x80\\x31\\xbe\" \\\n\"\\x18\\x00\\x01\"\n", "a string literal", start},
		"Wireshark, hex stream":     {"018031be180001", "hexadecimal", start},
		"Wireshark, value":          {"01:80:31:be:18:00:01", "hexadecimal with separators", start},
		"with dashes":               {"01-80-31-BE-18-00-01\n", "hexadecimal with separators", start},
		"escapes":                   {`\x01\x801\xbe\x18\x00\x01`, `text with \x escapes`, start},
		"escapes of a shell":        {`printf '\001\200\061\276\030\000\001'`, "a string literal", start},
		"Python":                    {`data = b'\x01\x801\xbe\x18\x00\x01'`, "a string literal", start},
		"Python without escapes":    {`b'abc'`, "a string literal", []byte("abc")},
		"Python, numbers":           {"bytes([1, 128, 49, 190, 24, 0, 1])", "an array of numbers", start},
		"Python, fromhex":           {"bytes.fromhex('01 80 31 be 180001')", "hexadecimal in a literal", start},
		"Go":                        {`b := []byte("\x01\x801\xbe" + "\x18\x00\x01")`, "a string literal", start},
		"Go, numbers":               {"[]byte{0x1, 0x80, 0x31, 0xbe, 0x18, 0x0, 0x1}", "an array of numbers", start},
		"Go, printed":               {"[1 128 49 190 24 0 1]", "an array of numbers", start},
		"Node":                      {"<Buffer 01 80 31 be 18 00 01>", "hexadecimal", start},
		"hexadecimal with comments": {"# Message: Request\n01 # type\n80 31 be18 0001\n", "hexadecimal", start},
		"hexadecimal with 0x":       {"0x018031be180001", "hexadecimal", start},
		"two bytes in each group":   {"0180 31be\n1800 01\n", "hexadecimal", start},
		"Format-Hex of Windows PowerShell": {"           Path: C:\\x\n\n           00 01 02 03 04 05 06 07\n\n" +
			"00000000   01 80 31 BE 18 00 01                             ..1¾...\n", "a hex dump with offsets", start},
		"Format-Hex of PowerShell 7": {"   Label: Byte[] (System.Byte[]) <4F8A2B1C>\n\n" +
			"          Offset Bytes                                           Ascii\n" +
			"                 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F\n" +
			"          ------ ----------------------------------------------- -----\n" +
			"0000000000000000 01 80 31 BE 18 00 01                            ��1¾� �\n",
			"a hex dump with offsets", start},
		"Java, signed":      {"[1, -128, 49, -66, 24, 0, 1]", "an array of numbers", start},
		"Java, casts":       {"new byte[] {(byte)0x01, (byte) 0x80, 49, (byte) 190, 24, 0, 1}", "an array of numbers", start},
		"Node, JSON":        {`{"type":"Buffer","data":[1,128,49,190,24,0,1]}`, "a buffer of Node as JSON", start},
		"escapes of URLs":   {"%01%801%be%18%00%01", "text with %HH escapes", start},
		"escapes without x": {`\01\801\be\18\00\01`, `text with \HH escapes`, start},
		"quoted":            {"> 01 80 31 be\n>\n> > 18 00 01\n", "hexadecimal", start},
		"fenced":            {"It answers:\n\n```text\n01 80 31 be 18 00 01\n```\n\nWhy?\n", "hexadecimal", start},
		"quoted and fenced": {"> It:\n> ```\n> 00000000: 0180 31be 1800 01    ..1....\n> ```\n", "xxd", start},
		"gamedig": {
			"Q#1 Buffer length: 7 bytes\n01 80 31 be \n      1    \n18 00 01 \n         \n\nQ#1 Registered RTT: 17ms\n",
			"gamedig --debug", start},
		"gamedig with text like bytes": {"Buffer length: 2 bytes\n61 62\na  b\n", "gamedig --debug", []byte("ab")},
		"qstat": {"debug(2) 07:26:21 qstat.c:3197 do_work() - fill: 1 < 40\nFROM 127.0.0.1:29971 len 28\n" +
			"    0: 018031be 18000120 68656c6c 6f20776f  ..1....  hello wo|\n" +
			"   16: 726c6420 61626364 65667c78            rld abcd ef|x|\n",
			"qstat -d", packet},
		"socat": {"> 2026/11/28 07:31:57.000391819  length=7 from=0 to=6\n 01 80 31 be 18 00 01\n", "socat -x", start},
		"socat with text": {
			"< 2026/11/28 07:31:57.000391819  length=28 from=0 to=27\n" +
				" 01 80 31 be 18 00 01 20 68 65 6c 6c 6f 20 77 6f  ..1.... hello wo\n" +
				" 72 6c 64 20 61 62 63 64 65 66 7c 78              rld abcdef|x\n--\n", "socat -x", packet},
		"base64":         {"AYAxvhgAASBoZWxsbyB3b3JsZCBhYmNkZWZ8eA==\n", "base64", packet},
		"base64 of URLs": {"AYAxvhgAASBoZWxsbyB3b3JsZCBhYmNkZWZ8eA", "base64", packet},
	} {
		got, ok, err := dump.Read([]byte(test.text), limit)
		if !ok || err != nil {
			t.Errorf("%s: %v, error %v", name, ok, err)
			continue
		}
		if diff := cmp.Diff([][]byte{test.want}, got.Packets); diff != "" || got.Form != test.form {
			t.Errorf("%s: %s, want %s (-want +got):\n%s", name, got.Form, test.form, diff)
		}
	}
}

// Two packets of tcpdump are two dumps.
func TestReadsPackets(t *testing.T) {
	const text = "12:34:56.789012 IP 192.0.2.1.5000 > 192.0.2.2.30000: UDP, length 5\n" +
		"\t0x0000:  0180 31be 1800 0120 6865 6c6c 6f20 776f  ..1.....hello.wo\n" +
		"\t0x0010:  726c 6420 6162 6364 6566 7c78            rld.abcdef|x\n" +
		"12:34:57.000001 IP 192.0.2.2.30000 > 192.0.2.1.5000: UDP, length 5\n" +
		"\t0x0000:  0180 31be 1800 01\n"
	want := [][]byte{packet, start}
	for _, text := range []string{text, strings.ReplaceAll(text, ".....hello.wo", ".... hello wo")} {
		got, ok, err := dump.Read([]byte(text), limit)
		if diff := cmp.Diff(want, got.Packets); !ok || err != nil || diff != "" || got.Form != "tcpdump -X" {
			t.Errorf("%s, %v, error %v (-want +got):\n%s", got.Form, ok, err, diff)
		}
	}
}

// A damaged or ambiguous text is refused, with the line or advice.
func TestRefusesDamagedText(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"a row is missing": {
			"00000000: 0180 31be 1800 0120 6865 6c6c 6f20 776f  ..1.... hello wo\n00000020: 78  x\n", "line 1"},
		"a byte is missing":            {"00000000  01 80 31 be 18 00                              |..1....|\n", "line 1"},
		"a byte is another":            {"00000000: 0180 32be 1800 01    ..1....\n", "line 1"},
		"the end is another":           {"0000000 01 80 31\n0000004\n", "line 1"},
		"a digit is missing":           {"0000   01 80 31 b\n", "line 1"},
		"no digit":                     {"00000000: 0180 3gbe\n", "line 1"},
		"a line within":                {"0000000 01 80\n$ od x\n0000002 31\n0000003\n", "line 2"},
		"words in reverse":             {"00000000: be318001 20010018 6c6c6568 6f77206f  ..1.... hello wo\n", "line 1"},
		"decimal words":                {"0000000 32769 48689\n0000004\n", "od -t x1"},
		"characters":                   {"0000000 001 200   1 276\n0000004\n", "line 1"},
		"repetitions that lie":         {"00000000  00 00  |..|\n*\n7ffffff0\n", "line 3"},
		"an offset or data":            {"0000 4500 0023\n", "-as hex"},
		"an offset of one row":         {"0010 01 80\n", "-as hex"},
		"an odd digit":                 {"0180 31be 180\n", "line 1"},
		"a damaged word":               {"01 80 3g be 18\n", "line 1"},
		"a transcript that ends early": {"Buffer length: 8 bytes\n01 80\n", "line 1"},
		"a transcript of more":         {"FROM a len 1\n    0: 0180\n", "line 1"},
		"signed and unsigned":          {"[-1, 200]", "negative"},
		"a number under -128":          {"[1, -129]", "-129"},
		"a buffer with a large number": {`{"type":"Buffer","data":[256]}`, "256"},
		"a comment without its end":    {"{0x01, /* 0x80}", `"/*"`},
		"half an escape":               {`"\x01\x8"`, "no escape"},
		"an unknown escape":            {`\x01\q`, "no escape"},
		"a number over 255":            {"{0x01, 0x180}", "0x180"},
		"octal or decimal":             {"[10, 010]", "0x0a"},
		"decimal or hexadecimal":       {"10, 20, 30", "0x"},
	} {
		got, ok, err := dump.Read([]byte(test.text), limit)
		if !ok || err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %s, %v, %x, error %v, want one with %q", name, got.Form, ok, got.Packets, err, test.want)
		}
	}
}

// Messages that are text, and raw bytes, are read in no form, or as Weak.
func TestLeavesMessages(t *testing.T) {
	for _, text := range []string{
		"", " \n", string(packet), "LIST\n", "DONE\nSTARTGAME\t0\nDONE\n", `{"cmd":"list","n":[1]}`, `\status\`,
		`\basic\\secure\abcdef`,
		`\hostname\0x12\mapname\dm 01 02\final\`, "GET /api/v1/games HTTP/1.1\r\nHost: a\r\n\r\n", `"text"`, `["a","b"]`,
		`\echo\abc`, `\ab\cd\x`, `\001\200`, "%s %d", "%0", "100%", `\01`, "```\n", "```\n```\n```\n", ">",
		"Buffer length: none",
		`{"type":"Buffer","data":[1`, `{"type":"Other","data":[1]}`, "hello this is not bytes",
		`"\x01`, "\"\\\n\\x01\"", `"\"\"'\'`,
	} {
		if got, ok, err := dump.Read([]byte(text), limit); ok && !got.Weak {
			t.Errorf("%q: read as %s, %x, error %v", text, got.Form, got.Packets, err)
		}
	}
}

// Reading large texts that begin like a form ends, and returns no more bytes than they
// contain.
func TestReadsLargeTexts(t *testing.T) {
	const n = 1 << 18
	for _, unit := range []string{
		">", "> > ", "```\n", "%01", "%", `\01`, "\\", "-1,", "(byte)",
		"Buffer length: 9 bytes\n", "FROM a len 9",
		"[", "{", `{"type":"Buffer","data":[`, "> length=1 from=\n", "01  ", ": ",
	} {
		got, _, _ := dump.Read([]byte(strings.Repeat(unit, n/len(unit))), n)
		for _, p := range got.Packets {
			if len(p) > n {
				t.Errorf("%q: %d bytes of %d", unit, len(p), n)
			}
		}
	}
}

// Given a form, an ambiguous text has one meaning, but offsets are still not data.
func TestGivenFormHasOneMeaning(t *testing.T) {
	for _, test := range []struct {
		form, text string
		want       []byte
	}{
		{dump.Hex, "0000 4500\n", []byte{0, 0, 0x45, 0}},
		{dump.Hex, "00000000: 0180 31be 1800 01    ..1....\n", start},
		{dump.Hex, "01:80:31:be:18:00:01", start},
		{dump.Base64, "LIST", []byte{0x2c, 0x84, 0x93}},
	} {
		got, err := dump.As(test.form, []byte(test.text), limit)
		if diff := cmp.Diff([][]byte{test.want}, got.Packets); err != nil || diff != "" {
			t.Errorf("%s %q: error %v (-want +got):\n%s", test.form, test.text, err, diff)
		}
	}
	for form, text := range map[string]string{dump.Hex: "0g", dump.Base64: "a b c"} {
		if got, err := dump.As(form, []byte(text), limit); err == nil {
			t.Errorf("%s %q: %x", form, text, got.Packets)
		}
	}
}
