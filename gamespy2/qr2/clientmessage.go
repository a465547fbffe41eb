package qr2

import (
	"bytes"
	"encoding/binary"
)

// A ClientMessage forwards data from a client to a server, usually to start NAT
// negotiation. The server answers each with a [ClientMessageAck], even a repeated one.
//
//wire:message ToServer magic=0xfefd type=typeClientMessage key=typeClientMessage
type ClientMessage struct {
	Key  [4]byte `wire:"key"`       // of the Heartbeat
	ID   uint32  `wire:"id"`        // a repeated message has the same id
	Data []byte  `wire:"data,rest"` // see NATNegotiation
}

// natMagic is the beginning of the data that starts NAT negotiation.
const natMagic = "\xfd\xfc\x1e\x66\x6a\xb2"

// NATNegotiation returns the data of a [ClientMessage] that starts NAT
// negotiation with a client. The cookie identifies the negotiation to the NAT
// negotiation server.
func NATNegotiation(cookie uint32) []byte {
	return binary.BigEndian.AppendUint32([]byte(natMagic), cookie)
}

// NATCookie returns the cookie of a message that starts NAT negotiation. ok is false if the
// message contains other data.
func (m ClientMessage) NATCookie() (cookie uint32, ok bool) {
	p, ok := bytes.CutPrefix(m.Data, []byte(natMagic))
	if !ok || len(p) < 4 {
		return 0, false
	}
	return binary.BigEndian.Uint32(p), true
}

// A ClientMessageAck answers a [ClientMessage].
//
//wire:message ToMaster type=typeClientMessageAck end=decodeEnd
type ClientMessageAck struct {
	Key [4]byte `wire:"key"` // of the Heartbeat
	ID  uint32  `wire:"id"`  // of the ClientMessage
}
