package bomberman

// UnregisterGameServer removes the game server of the connection from the list
// of a management server. The connection stays open; the game server may register
// again. It has no content and no answer.
//
//wire:message Message command=msUnregisterGameServer
type UnregisterGameServer struct {
	Envelope
}
