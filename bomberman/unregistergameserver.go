package bomberman

// CommandUnregisterGameServer is the command of an [UnregisterGameServer].
const CommandUnregisterGameServer = "msUnregisterGameServer"

// UnregisterGameServer removes the game server of the connection from the list
// of a management server. The connection stays open; the game server may register
// again. It has no content and no answer.
//
//wire:message Message key=CommandUnregisterGameServer
type UnregisterGameServer struct {
	Envelope
}
