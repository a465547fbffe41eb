package qr2

// proto names the package in errors.
const proto = "qr2"

// magic begins every message from a master. Messages to a master begin with their
// type.
const magic = 0xfefd

// The types of messages. Types 0, 2 and 5, and between client and server also 9, belong to
// package gamespy2.
const (
	typeChallenge        = 0x01 // in both directions
	typeHeartbeat        = 0x03 // to the master
	typeAddError         = 0x04 // to the server
	typeClientMessage    = 0x06 // to the server
	typeClientMessageAck = 0x07 // to the master
	typeKeepalive        = 0x08 // in both directions
	typeAvailability     = 0x09 // in both directions
	typeRegistered       = 0x0a // to the server
)
