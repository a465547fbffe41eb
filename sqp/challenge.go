package sqp

// A ChallengeRequest asks a server for a token. 5 bytes:
//
//	offset  size  field
//	0       1     type, 0
//	1       4     token, big-endian
//
//wire:message type=TypeChallenge
type ChallengeRequest struct {
	// Token is 0 from every known client. Servers ignore it or, as Unity's,
	// drop requests in which it is not 0.
	Token uint32 `wire:"token"`
}

// A ChallengeResponse hands out a token. It is laid out like the request.
//
//wire:message type=TypeChallenge
type ChallengeResponse struct {
	// Token is opaque; 0 is a token like any other. Most servers accept it for
	// one query only, and only from the address they sent it to.
	Token uint32 `wire:"token"`
}
