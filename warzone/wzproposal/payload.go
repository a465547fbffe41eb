package wzproposal

import "github.com/lobbywire/lobbywire"

// headerSize is the size of the header of a frame: the command and the size of the
// payloads.
const headerSize = 2

// readHeader reads the header of a frame and refuses all commands except c.
func (f *fields) readHeader(c command) {
	at := f.r.Offset()
	if command(f.r.Uint8("command")) != c {
		f.r.Refuse("command", at, otherCommand)
	}
	f.left = int(f.r.Uint8("size"))
}

// endMessage ends the message of a frame: no payload may follow.
func (f *fields) endMessage() {
	if f.left > 0 {
		f.r.Fail(lobbywire.ErrTrailing, "", f.r.Offset())
	}
}

// countPayloads returns the number of payloads in p. The last one may be incomplete.
func countPayloads(p []byte) (n int) {
	for ; len(p) > 0; n++ {
		p = p[min(1+int(p[0]), len(p)):]
	}
	return n
}
