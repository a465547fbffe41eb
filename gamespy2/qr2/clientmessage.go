package qr2

import (
	"bytes"
	"encoding/binary"
)

// A ClientMessage passes data from a client to a server, mostly to begin a
// negotiation through NAT. The server answers each with a [ClientMessageAck], a
// repeated one too.
//
//wire:message ToServer magic=0xfefd type=TypeClientMessage key=TypeClientMessage
type ClientMessage struct {
	Key  [4]byte `wire:"key"`       // of the Heartbeat
	ID   uint32  `wire:"id"`        // the same if the message is repeated
	Data []byte  `wire:"data,rest"` // see NATNegotiation
}

// natMagic begins the data that starts a negotiation through NAT.
const natMagic = "\xfd\xfc\x1e\x66\x6a\xb2"

// NATNegotiation returns the data of a [ClientMessage] that starts a negotiation
// through NAT with a client. The cookie identifies it at the negotiation server.
func NATNegotiation(cookie uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte(natMagic), cookie)
}

// NATCookie returns the cookie of a message that starts a negotiation through NAT.
// It is not ok if the data is something else.
func (m ClientMessage) NATCookie() (cookie uint32, ok bool) {
	p, ok := bytes.CutPrefix(m.Data, []byte(natMagic))
	if !ok || len(p) < 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(p), true
}

// A ClientMessageAck answers a [ClientMessage].
//
//wire:message ToMaster type=TypeClientMessageAck end=decodeEnd
type ClientMessageAck struct {
	Key [4]byte `wire:"key"` // of the Heartbeat
	ID  uint32  `wire:"id"`  // of the ClientMessage
}
