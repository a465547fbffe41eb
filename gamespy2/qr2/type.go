package qr2

import "strconv"

// proto names the package in errors.
const proto = "qr2"

// magic begins every message from a master. Messages to a master begin with their
// type.
const magic = 0xfefd

// A Type is the type of a message. Types 0, 2 and 5 are queries of package
// gamespy2. Between client and server, so is type 9.
type Type uint8

// The types.
const (
	TypeChallenge        Type = 0x01 // in both directions
	TypeHeartbeat        Type = 0x03 // to the master
	TypeAddError         Type = 0x04 // to the server
	TypeClientMessage    Type = 0x06 // to the server
	TypeClientMessageAck Type = 0x07 // to the master
	TypeKeepalive        Type = 0x08 // in both directions
	TypeAvailability     Type = 0x09 // in both directions
	TypeRegistered       Type = 0x0a // to the server
)

// String returns a name such as "heartbeat", or "type(2)" for an unknown type.
func (t Type) String() string {
	switch t {
	case TypeChallenge:
		return "challenge"
	case TypeHeartbeat:
		return "heartbeat"
	case TypeAddError:
		return "addError"
	case TypeClientMessage:
		return "clientMessage"
	case TypeClientMessageAck:
		return "clientMessageAck"
	case TypeKeepalive:
		return "keepalive"
	case TypeAvailability:
		return "availability"
	case TypeRegistered:
		return "registered"
	}
	return "type(" + strconv.Itoa(int(t)) + ")"
}
