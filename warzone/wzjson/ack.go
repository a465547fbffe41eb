package wzjson

import (
	"encoding/json"

	"github.com/lobbywire/lobbywire/internal/wire"
	"github.com/lobbywire/lobbywire/internal/wire/wirejson"
)

// The commands of an [Ack].
const (
	CommandUpdateAck    = "update-ack"
	CommandHeartbeatAck = "heartbeat-ack"
	CommandGoodbyeAck   = "goodbye-ack"
)

// An Ack answers an [Update], a [Heartbeat] or a [Goodbye]. Lobbies need not send
// it.
//
//wire:message Message key=CommandUpdateAck,CommandHeartbeatAck,CommandGoodbyeAck
type Ack struct {
	Command string                     `wire:"command,command,must=isAck"` // one of the three
	Extra   map[string]json.RawMessage // unknown members of the query
	Envelope
}

// decodeCommand reads a command. It allocates only if the command is unknown.
func decodeCommand(j *wirejson.Reader, _ Options) string { return messageKey(j.View()) }

// isAckFault is the reason for refusing a command.
const isAckFault wire.Invalid = "is not an acknowledgement"

// isAck reports whether command belongs to an [Ack].
func isAck(command string) bool {
	switch command {
	case CommandUpdateAck, CommandHeartbeatAck, CommandGoodbyeAck:
		return true
	}
	return false
}
