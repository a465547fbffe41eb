package lobbywire

// NoLimit is a value of [Rates] and of the Limits of helpers that no load reaches.
const NoLimit = 1 << 30

// Rates are the rate limits of a UDP server, in requests or datagrams per
// second. The burst is one second's worth, unless the server documents another.
//
// A zero field means the default of the server; with a negative one, no request is
// answered. For no limit, set [NoLimit].
type Rates struct {
	PerSource int // for an IPv4 address or an IPv6 /64
	PerPrefix int // for an IPv4 /24 or an IPv6 /48
	Global    int // for all sources together
}
