package lobbywire

// Rates are the limits of a UDP server, in requests or datagrams a second. After
// a pause, a burst of one second's worth is allowed, unless the server documents
// another.
//
// A zero field means the default of the server. A negative one allows nothing.
type Rates struct {
	PerSource int // for an IPv4 address or an IPv6 /64
	PerPrefix int // for an IPv4 /24 or an IPv6 /48
	Global    int // for all sources together
}
