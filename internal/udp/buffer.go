package udp

// Sizes of receive buffers.
const (
	wantedBuffer  = 4 << 20
	guessedBuffer = 64 << 10
)
