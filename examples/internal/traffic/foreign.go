package traffic

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// Words after the four bytes 0xff in the protocol of Quake 3 and related games.
var quakeWords = []string{"getstatus", "statusResponse", "getinfo", "infoResponse", "getservers", "getserversResponse",
	"getserversExt", "getserversExtResponse", "heartbeat", "getchallenge", "challengeResponse", "connect",
	"connectResponse", "disconnect", "rcon", "print", "status", "info", "getKeyAuthorize", "getIpAuthorize"}

// foreign returns the name of a protocol of other game servers to which a message belongs, ""
// for other messages.
func foreign(b []byte) string {
	rest, connectionless := bytes.CutPrefix(b, []byte("\xff\xff\xff\xff"))
	word := rest
	if end := bytes.IndexAny(rest, " \n\\\x00"); end >= 0 {
		word = rest[:end]
	}
	switch {
	case connectionless && slices.Contains(quakeWords, string(word)):
		return "Quake 3"
	case connectionless && len(rest) > 0 && bytes.IndexByte([]byte("TUVWiADEIjlm"), rest[0]) >= 0:
		return "A2S"
	case bytes.HasPrefix(b, []byte("\xfe\xff\xff\xff")) && len(b) >= 12:
		return "A2S" // a part of a split answer
	case isListPing(b):
		return "Minecraft's list ping"
	case isRakNetPing(b):
		return "RakNet" // of Minecraft Bedrock Edition and others
	}
	return ""
}

// isListPing reports whether a message belongs to the ping for the list in Minecraft's
// menu: a handshake, its answer in JSON, or the form before Minecraft 1.7.
func isListPing(b []byte) bool {
	old, isOld := bytes.CutPrefix(b, []byte("\xfe\x01"))
	if isOld && (len(old) == 0 || bytes.HasPrefix(old, []byte("\xfa\x00\x0b"))) {
		return true
	}
	if kick, ok := bytes.CutPrefix(b, []byte("\xff")); ok && len(kick) > 2 {
		return len(kick)-2 == 2*int(binary.BigEndian.Uint16(kick)) &&
			bytes.HasPrefix(kick[2:], []byte("\x00\xa7\x001\x00\x00"))
	}
	frame, ok := prefixed(b)
	if !ok || len(frame) == 0 || frame[0] != 0 {
		return false
	}
	if text, ok := prefixed(frame[1:]); ok && bytes.HasPrefix(text, []byte("{")) {
		return bytes.Contains(text, []byte(`"version"`)) || bytes.Contains(text, []byte(`"players"`))
	}
	_, n := binary.Uvarint(frame[1:]) // the version
	if n <= 0 {
		return false
	}
	host := frame[1+n:]
	length, n := binary.Uvarint(host)
	return n > 0 && length > 0 && length < 256 && len(host)-n == int(length)+3 && host[len(host)-1] == 1
}

// isRakNetPing reports whether a message is a ping without a connection, or its answer.
func isRakNetPing(b []byte) bool {
	const magic = "\x00\xff\xff\x00\xfe\xfe\xfe\xfe\xfd\xfd\xfd\xfd\x12\x34\x56\x78"
	before := 1 + 8 // the type and a time
	if bytes.HasPrefix(b, []byte("\x1c")) {
		before += 8 // the answer has an identifier
	} else if !bytes.HasPrefix(b, []byte("\x01")) && !bytes.HasPrefix(b, []byte("\x02")) {
		return false
	}
	return len(b) >= before && bytes.HasPrefix(b[before:], []byte(magic))
}

// prefixed returns the bytes behind their length.
func prefixed(b []byte) ([]byte, bool) {
	length, n := binary.Uvarint(b)
	if n <= 0 || length > uint64(len(b)-n) {
		return nil, false
	}
	return b[n:][:length], true
}
