package sqp

// A ChallengeRequest asks a server for a token.
//
//wire:message type=TypeChallenge
type ChallengeRequest struct {
	// Token is 0 in the requests of all known clients. Some servers ignore it. A server
	// should drop requests with another token, as Unity's do: such a datagram may be a
	// [ChallengeResponse], and two servers would answer each other for ever.
	Token uint32 `wire:"token"`
}

// A ChallengeResponse answers a [ChallengeRequest] with a token. Both have the same layout.
//
//wire:message type=TypeChallenge
type ChallengeResponse struct {
	// Token is opaque, and 0 is valid. Most servers accept a token for one query
	// only, and only from the address that requested it.
	Token uint32 `wire:"token"`
}
