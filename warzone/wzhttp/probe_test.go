package wzhttp_test

import (
	"strings"
	"testing"

	"github.com/lobbywire/lobbywire"
	"github.com/lobbywire/lobbywire/internal/test/codectest"
	"github.com/lobbywire/lobbywire/warzone/wzhttp"
)

// words returns numbers of 32 bits, big-endian.
func words(all ...uint32) string {
	var s strings.Builder
	for _, v := range all {
		s.Write([]byte{byte(v >> 24), byte(v >> 16), byte(v >> 8), byte(v)})
	}
	return s.String()
}

// half returns a number of 16 bits, big-endian.
func half(v int) string { return string([]byte{byte(v >> 8), byte(v)}) }

// probe returns a probe with a text.
func probe(text string) string {
	return words(0, 0) + "\x00" + half(len(text)+2) + half(len(text)) + text
}

// reply returns a reply with a text.
func reply(text string) string { return "WZLR" + words(2, uint32(len(text))) + text }

func TestProbeAcceptsItsFormsOnly(t *testing.T) {
	hex := strings.Repeat("0123456789abcdef", 6)
	text := func(challenge string) string { return `{"lobbyToken":"t","challenge":"` + challenge + `"}` }
	probeCodec.Table(t, []codectest.Case[wzhttp.Probe]{
		{Name: "the shortest challenge", In: probe(text(hex[:32])),
			Want: wzhttp.Probe{LobbyToken: "t", Challenge: hex[:32]}},
		{Name: "the longest challenge", In: probe(text(hex[:88])),
			Want: wzhttp.Probe{LobbyToken: "t", Challenge: hex[:88]}},
		{Name: "an unknown member", In: probe(strings.Replace(text(hex[:32]), "}", `,"x":1}`, 1)),
			Want: wzhttp.Probe{LobbyToken: "t", Challenge: hex[:32], Extra: extra("x", "1")}},
		{Name: "a challenge of 31 bytes", In: probe(text(hex[:31])),
			Err: lobbywire.ErrInvalid, Field: "challenge", Offset: 43},
		{Name: "a challenge of 89 bytes", In: probe(text(hex[:89])),
			Err: lobbywire.ErrInvalid, Field: "challenge", Offset: 43},
		{Name: "no token", In: probe(`{"challenge":"` + hex[:32] + `"}`),
			Err: lobbywire.ErrInvalid, Field: "lobbyToken", Offset: 60},
		{Name: "no JSON", In: probe("hello"), Err: lobbywire.ErrInvalid, Field: "", Offset: 13},
		{Name: "half a text", In: probe(`{"lobbyToken":"t"`), Err: lobbywire.ErrInvalid, Field: "", Offset: 30},
		{Name: "another frame", In: words(0, 0) + "\x01", Err: lobbywire.ErrInvalid, Field: "type", Offset: 8},
		{Name: "an inner size beyond the frame", In: words(0, 0) + "\x00" + half(4) + half(3) + "{}",
			Err: lobbywire.ErrInvalid, Field: "size", Offset: 11},
		{Name: "an inner size below the frame", In: strings.Replace(probe(text(hex[:32])+" "), half(66), half(65), 1),
			Err: lobbywire.ErrTrailing, Field: "", Offset: 78},
		{Name: "a frame without an inner size", In: words(0, 0) + "\x00" + half(1) + "\x00",
			Err: lobbywire.ErrInvalid, Field: "size", Offset: 11},
		{Name: "a frame that is incomplete", In: probe(text(hex[:32]))[:30],
			Err: lobbywire.ErrTruncated, Field: "frameSize", Offset: 9},
		{Name: "zero bytes alone, as 4.0 to 4.6 expect", In: words(0, 0),
			Err: lobbywire.ErrTruncated, Field: "type", Offset: 8},
		{Name: "a player", In: words(0x4000, 104), Err: lobbywire.ErrUnsupported, Field: "netcodeMajor", Offset: 0},
		{Name: "a minor version alone", In: words(0, 104),
			Err: lobbywire.ErrUnsupported, Field: "netcodeMinor", Offset: 4},
		{Name: "more", In: probe(text(hex[:32])) + "x", Err: lobbywire.ErrTrailing, Field: "", Offset: 78},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "no challenge", Value: wzhttp.Probe{}, Err: lobbywire.ErrInvalid, Field: "challenge"},
		{Name: "a token that is not UTF-8", Value: wzhttp.Probe{LobbyToken: "\xff", Challenge: hex[:32]},
			Err: lobbywire.ErrInvalid, Field: "lobbyToken"},
		{Name: "a long token", Value: wzhttp.Probe{LobbyToken: strings.Repeat("t", 1<<16), Challenge: hex[:32]},
			Err: lobbywire.ErrTooLarge, Field: "size"},
	})
	longest := wzhttp.Probe{Challenge: hex[:32]}
	longest.LobbyToken = strings.Repeat("t", wzhttp.MaxProbe-len(text(hex[:32]))+1)
	if b, err := longest.AppendBinary(nil); err != nil || len(b) != wzhttp.MaxProbe+13 {
		t.Errorf("the longest probe: %d bytes, %v", len(b), err)
	}
	longest.LobbyToken += "t"
	if _, err := longest.AppendBinary(nil); err == nil {
		t.Error("a probe above MaxProbe is appended")
	}
}

func TestProbeReplyAcceptsItsFormsOnly(t *testing.T) {
	probeReplyCodec.Table(t, []codectest.Case[wzhttp.ProbeReply]{
		{Name: "short", In: reply(`{"gid":"G7K2Q"}`), Want: wzhttp.ProbeReply{GameID: "G7K2Q"}},
		{Name: "long", In: reply(`{"gid":"G","pk":"a","name":"b","at":"c","sig":"d"}`),
			Want: wzhttp.ProbeReply{GameID: "G", PublicKey: "a", Name: "b", Time: "c", Signature: "d"}},
		{Name: "an unknown member", In: reply(`{"gid":"G","x":1}`),
			Want: wzhttp.ProbeReply{GameID: "G", Extra: extra("x", "1")}},
		{Name: "no id", In: reply(`{}`), Err: lobbywire.ErrInvalid, Field: "gid", Offset: 13},
		{Name: "version 1", In: "WZLR" + words(1, 7), Err: lobbywire.ErrUnsupported, Field: "version", Offset: 4},
		{Name: "a large size", In: "WZLR" + words(2, 65536), Err: lobbywire.ErrTooLarge, Field: "size", Offset: 8},
		{Name: "cut", In: "WZLR" + words(2, 65535), Err: lobbywire.ErrTruncated, Field: "size", Offset: 8},
		{Name: "a refusal of a 4.7 host", In: "\x36\x00\x03\x08\x00\x00",
			Err: lobbywire.ErrInvalid, Field: "magic", Offset: 0},
		{Name: "more", In: reply(`{"gid":"G"}`) + "x", Err: lobbywire.ErrTrailing, Field: "", Offset: 23},
	})
	codectest.Refusals(t, []codectest.Refusal{
		{Name: "an id that is not UTF-8", Value: wzhttp.ProbeReply{GameID: "\xff"},
			Err: lobbywire.ErrInvalid, Field: "gid"},
		{Name: "a member again", Value: wzhttp.ProbeReply{Extra: extra("sig", "1")},
			Err: lobbywire.ErrInvalid, Field: "extra"},
		{Name: "too large", Value: wzhttp.ProbeReply{GameID: strings.Repeat("a", 65535)},
			Err: lobbywire.ErrTooLarge, Field: "size"},
	})
}
