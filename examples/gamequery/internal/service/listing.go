package service

import "sync"

// A listing holds the lines of a list, which readers follow while more arrive.
type listing struct {
	mu     sync.Mutex
	chunks [][]byte // of whole lines
	size   int      // of all lines, in bytes
	code   string   // of the only line, if that is an error
	ended  bool

	more    chan struct{} // closed when there is more; nil unless somebody waits
	readers map[*claim]bool
}

// follow keeps a claim as large as the growing listing, until stop is called. If there is no
// room for that, the claim is given up.
func (l *listing) follow(c *claim) (stop func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.readers == nil {
		l.readers = map[*claim]bool{}
	}
	l.readers[c] = true
	l.resize(c)
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.readers, c)
	}
}

func (l *listing) resize(c *claim) {
	if !c.hold(1 + l.size/unitOfLines) {
		c.giveUp(errBusy)
	}
}

// chunkSize is the size at which a chunk is full.
const chunkSize = 16 << 10

// add adds a line, which the listing keeps.
func (l *listing) add(line []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last])+len(line) > chunkSize {
		l.chunks = append(l.chunks, line)
	} else {
		l.chunks[last] = append(l.chunks[last], line...)
	}
	before := l.size / unitOfLines
	l.size += len(line)
	if l.size/unitOfLines > before {
		for c := range l.readers {
			l.resize(c)
		}
	}
	l.wake()
}

// end marks the end of the list.
func (l *listing) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
	l.wake()
}

func (l *listing) wake() {
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
}

// next returns lines from a position, and moves the position behind them. If there are none
// yet, it returns a channel that is closed when there may be more. Both are nil at the end.
func (l *listing) next(at *position) (lines []byte, more <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for at.chunk < len(l.chunks) {
		chunk := l.chunks[at.chunk]
		if at.n < len(chunk) {
			lines, at.n = chunk[at.n:], len(chunk)
			return lines, nil
		}
		if at.chunk == len(l.chunks)-1 {
			break
		}
		*at = position{at.chunk + 1, 0}
	}
	if l.ended {
		return nil, nil
	}
	if l.more == nil {
		l.more = make(chan struct{})
	}
	return nil, l.more
}

// A position is in a listing.
type position struct{ chunk, n int }

// onlyCode returns the code of the only line, if that is an error.
func (l *listing) onlyCode() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.code
}
