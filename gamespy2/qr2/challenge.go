package qr2

import (
	"encoding/binary"
	"encoding/hex"
	"net/netip"

	"github.com/lobbywire/lobbywire/internal/wire"
)

// A Challenge asks a server to prove that it receives datagrams at the source address of
// its heartbeat, and that it knows the secret key of its game. The server answers with a
// [ChallengeAnswer].
//
//wire:message ToServer magic=0xfefd type=typeChallenge key=typeChallenge end=decodeEnd
type Challenge struct {
	Key  [4]byte `wire:"key"`                // of the Heartbeat
	Text string  `wire:"text,challengeText"` // see ChallengeText; at most [MaxChallenge] bytes
}

func decodeChallengeText(r *wire.Reader, field string) string {
	return decodeTextUpTo(r, field, MaxChallenge)
}

// appendChallengeText appends text and a zero byte.
//
//wire:fails Text is longer than [MaxChallenge] or contains a zero byte
func appendChallengeText(w *wire.Writer, field, s string) {
	appendTextUpTo(w, field, s, MaxChallenge)
}

// ChallengeOptions are options that a master sets in its challenge, one bit each.
type ChallengeOptions uint8

// OptionQueryChallenge tells the server to answer only queries with a
// challenge; see [gamespy2.ChallengeResponse].
const OptionQueryChallenge ChallengeOptions = 0x80

// String returns "queryChallenge" for that option. Unknown options follow as a hexadecimal
// number; no options are "0x0".
func (o ChallengeOptions) String() string {
	return wire.BitNames(o, []string{7: "queryChallenge"}, 16, "0x0")
}

// A ChallengeText holds the parts of the text of a [Challenge]: random characters, then 2
// hexadecimal digits for the options, 8 for the address and 4 for the port. The server
// reads them from the end of the text.
type ChallengeText struct {
	Random  string // known masters send 6 characters
	Options ChallengeOptions

	// Addr is the IPv4 address and port from which the master received the
	// heartbeat.
	Addr netip.AddrPort
}

// ParseText returns the parts of the text. ok is false if the text does not end in 14
// hexadecimal digits; the server then gets no options and no address.
func (m Challenge) ParseText() (text ChallengeText, ok bool) {
	var b [challengeBytes]byte
	at := len(m.Text) - 2*len(b)
	if at < 0 {
		return ChallengeText{}, false
	}
	if _, err := hex.Decode(b[:], []byte(m.Text[at:])); err != nil {
		return ChallengeText{}, false
	}
	return ChallengeText{
		Random:  m.Text[:at],
		Options: ChallengeOptions(b[0]),
		Addr:    netip.AddrPortFrom(netip.AddrFrom4([4]byte(b[1:])), binary.BigEndian.Uint16(b[5:])),
	}, true
}

// challengeBytes is the number of bytes that a ChallengeText contains as hexadecimal
// digits.
const challengeBytes = 7

// AppendTo appends the text to b. If the address is not IPv4, it appends 0.0.0.0.
func (t ChallengeText) AppendTo(b []byte) []byte {
	p := [challengeBytes]byte{byte(t.Options)}
	if a := t.Addr.Addr().Unmap(); a.Is4() {
		ip := a.As4()
		copy(p[1:], ip[:])
	}
	binary.BigEndian.PutUint16(p[5:], t.Addr.Port())
	b = append(b, t.Random...)
	for _, c := range p {
		const digits = "0123456789ABCDEF" // in upper case, as known masters send them
		b = append(b, digits[c>>4], digits[c&0xf])
	}
	return b
}

// A ChallengeAnswer answers a [Challenge].
//
//wire:message ToMaster type=typeChallenge end=decodeEnd
type ChallengeAnswer struct {
	Key  [4]byte `wire:"key"`       // of the Heartbeat
	Text string  `wire:"text,text"` // see [AppendAnswer]
}

// AppendAnswer appends to b the answer to the text of a [Challenge], computed with the
// secret key of the game. To check an answer, a master computes it, too, and compares the
// two.
func AppendAnswer[T string | []byte](b []byte, challenge T, secretKey string) []byte {
	return wire.AppendSecretKeyAnswer(b, challenge, secretKey)
}
