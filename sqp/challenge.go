package sqp

// A ChallengeRequest asks a server for a token.
//
//wire:message type=TypeChallenge
type ChallengeRequest struct {
	// Token is 0 in the requests of all known clients. Some servers ignore it;
	// Unity's drop requests with another token, and a server should: such a datagram may
	// be a [ChallengeResponse], and two servers would answer each other for ever.
	Token uint32 `wire:"token"`
}

// A ChallengeResponse answers a [ChallengeRequest] with a token. It has the
// layout of the request.
//
//wire:message type=TypeChallenge
type ChallengeResponse struct {
	// Token is opaque, and 0 is valid. Most servers accept a token for one query
	// only, and only from the address that requested it.
	Token uint32 `wire:"token"`
}
