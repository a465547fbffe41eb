package gameagent

// A Challenge is a number with which a master verifies the address of a server.
// The server returns the number in a [Heartbeat].
//
//wire:message ToServer type=typeChallenge end=decodeEnd
type Challenge struct {
	// Challenge is the number to return. The original master sends 0 to
	// 2147483647. Do not send 0, which is the challenge of periodic heartbeats.
	Challenge int32 `wire:"challenge,le"`
}
